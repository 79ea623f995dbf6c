import { basename, dirname } from 'node:path';

import * as vscode from 'vscode';

import type { Learnings } from '../../core/api';
import { rootForNewStore, type OpenStore } from '../../node/open';
import { pathOf } from '../activeFile';
import type { Surface } from '../surface';
import type { Entry, Workspace } from '../workspace';
import type { Ask } from './ask';

/** Where a new learning goes, and what it may be about. */
export interface Place {
  readonly root: string;
  /** Undefined where none has been made yet. */
  readonly store: Learnings | undefined;
  /** What somebody points at, relative to the root. */
  readonly path: { readonly relative: string; readonly isFolder: boolean } | undefined;
}

/** The place that a file tells, or the only one there is, or the one that is picked. */
export async function choosePlace(
  { workspace, activeFile }: Pick<Surface, 'workspace' | 'activeFile'>,
  uri: vscode.Uri | undefined,
  ask: Ask,
): Promise<Place | undefined> {
  const pointed = uri ?? activeFile.uri;
  const here = pointed && (await placeOf(workspace, pointed));
  if (here) return here;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  const roots = [...new Set(folders.map((folder) => rootForNewStore(folder.uri.fsPath)))];
  const root = roots.length > 1 ? await chooseRoot(roots, ask) : roots[0];
  if (root === undefined) return undefined;
  return { root, store: workspace.all().find((store) => store.root === root), path: undefined };
}

async function chooseRoot(roots: readonly string[], ask: Ask): Promise<string | undefined> {
  const answer = await ask.pickOne({
    title: vscode.l10n.t('Which Repository?'),
    placeholder: vscode.l10n.t('Where the learning is kept'),
    rows: () => roots.map((root) => ({ label: basename(root), description: root, value: root })),
  });
  return typeof answer === 'object' ? answer.value : undefined;
}

async function placeOf(workspace: Workspace, uri: vscode.Uri): Promise<Place | undefined> {
  const path = pathOf(uri);
  if (path === undefined || !vscode.workspace.getWorkspaceFolder(vscode.Uri.file(path))) return undefined;
  const isFolder = await isFolderAt(path);
  const plain = vscode.Uri.file(path);
  const store = workspace.storeFor(isFolder ? vscode.Uri.joinPath(plain, '_') : plain);
  const root = store?.root ?? rootForNewStore(isFolder ? path : dirname(path));
  const relative = plain.path.slice(vscode.Uri.file(root).path.length + 1);
  // A record is about other files, not about itself.
  const isRecord = relative === '.learnings' || relative.startsWith('.learnings/');
  return { root, store, path: isRecord ? undefined : { relative, isFolder } };
}

async function isFolderAt(path: string): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(vscode.Uri.file(path))).type & vscode.FileType.Directory) !== 0;
  } catch {
    // Deleted meanwhile, or shown as it was in a commit.
    return false;
  }
}

/** Opens the store that a learning is in. One that other repositories see too is changed only if the person says so. */
export async function writerOf(
  { workspace }: Pick<Surface, 'workspace'>,
  { held }: Entry,
  ask: Ask,
): Promise<OpenStore | undefined> {
  const store = workspace.writer(held.origin.root);
  if (held.origin.kind === 'repository') return store;
  const message = vscode.l10n.t('{0} is not of this repository', held.record.id);
  const detail = vscode.l10n.t(
    'It is kept in {0}, and every repository that sees it will see the change.',
    held.origin.root,
  );
  const action = vscode.l10n.t('Change It There');
  return (await ask.confirm(message, { detail, action })) ? store : undefined;
}
