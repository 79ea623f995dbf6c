import * as vscode from 'vscode';

import {
  placesIn,
  storeFileOf,
  TAGS,
  wordAt,
  type Learnings,
  type Place,
  type Span,
  type StoreFile,
} from '../../core/api';
import { nodePorts } from '../../node/open';
import type { Workspace } from '../workspace';

const FOLDER = '/.learnings/';

/** The files of a store that people write by hand, whatever language the editor takes them for. */
export const selector: vscode.DocumentSelector = [
  { scheme: 'file', pattern: '**/.learnings/{*,candidates/*,archive/*}/learning.yaml' },
  { scheme: 'file', pattern: '**/.learnings/{config,tags}.yaml' },
];

/** A file of a store, as it stands in the editor. */
export interface Page {
  readonly document: vscode.TextDocument;
  readonly kind: StoreFile;
  readonly root: vscode.Uri;
  /** Relative to the root. */
  readonly file: string;
  /** Undefined where the store is not among those of the workspace. */
  readonly store: Learnings | undefined;
  readonly text: string;
  readonly places: readonly Place[];
}

export function pageOf(workspace: Workspace, document: vscode.TextDocument): Page | undefined {
  const { uri } = document;
  const at = uri.scheme === 'file' ? uri.path.lastIndexOf(FOLDER) : -1;
  if (at === -1) return undefined;
  const file = uri.path.slice(at + 1);
  const kind = storeFileOf(file);
  if (!kind) return undefined;
  const root = uri.with({ path: uri.path.slice(0, at) || '/' });
  const text = document.getText();
  const store = workspace.all().find((one) => vscode.Uri.file(one.root).path === root.path);
  return { document, kind, root, file, store, text, places: placesIn(text) };
}

export const rangeOf = ({ document }: Pick<Page, 'document'>, { start, end }: Span): vscode.Range =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** The folder that a record is in, which is its id. */
export const folderName = ({ file }: Pick<Page, 'file'>): string => file.split('/').at(-2) ?? '';

export const tagsUri = ({ root }: Pick<Page, 'root'>): vscode.Uri => vscode.Uri.joinPath(root, TAGS);

/** What each tag means, as tags.yaml stands now, saved or not. */
export function tagsFor(page: Pick<Page, 'root' | 'store'>): ReadonlyMap<string, string> {
  const open = openDocument(tagsUri(page));
  if (!open) return page.store?.tags() ?? new Map();
  const text = open.getText();
  const own = placesIn(text).filter(({ path, shape }) => path.length === 1 && shape !== 'unfinished');
  return new Map(own.map((place) => [String(place.path[0]), wordAt(text, place) ?? '']));
}

export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
}

/** A file by its text; of one that is open, what is in the editor. */
export interface TextFile {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** Reads files of a store; those that cannot be read are left out. */
export async function readTexts(root: vscode.Uri, paths: readonly string[]): Promise<TextFile[]> {
  const open = new Map(vscode.workspace.textDocuments.map((one) => [one.uri.toString(), one]));
  const files = paths.map((path) => ({ path, uri: vscode.Uri.joinPath(root, path) }));
  const closed = files.filter(({ uri }) => !open.has(uri.toString()));
  const read = await nodePorts(root.fsPath).files.readAll(closed.map(({ path }) => path));
  const bytes = new Map(closed.map(({ path }, index) => [path, read[index]]));
  return files.flatMap(({ path, uri }) => {
    const document = open.get(uri.toString());
    const found = bytes.get(path);
    if (document) return [{ uri, text: document.getText() }];
    return found instanceof Uint8Array ? [{ uri, text: new TextDecoder('utf-8').decode(found) }] : [];
  });
}

/** A span of a text as a place in its file. */
export function locationIn({ uri, text }: TextFile, { start, end }: Span): vscode.Location {
  return new vscode.Location(uri, new vscode.Range(positionIn(text, start), positionIn(text, end)));
}

function positionIn(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  return new vscode.Position(before.split('\n').length - 1, offset - before.lastIndexOf('\n') - 1);
}
