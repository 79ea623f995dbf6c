import * as vscode from 'vscode';

import {
  cursorAt,
  isAt,
  placesIn,
  wordAt,
  innerOf,
  type Held,
  type Learnings,
  type Span,
} from '../../core/api';
import type { Surface } from '../surface';
import { recordUri } from '../workspace';
import { allOf } from './completion';
import { locationIn, openDocument, pageOf, readTexts, tagsUri, type Page, type TextFile } from './page';
import { asYaml } from './writing';

const ID = /(?<![\w-])(?:[LP]-\d{4,9}|C-[0-9a-f]{8})(?![\w-])/g;

/** Something that has a name elsewhere too. */
export interface Name {
  readonly kind: 'id' | 'tag';
  readonly name: string;
  readonly span: Span;
}

/** The id or tag at a position: ids anywhere, in longer texts too; tags in the scope and in tags.yaml. */
export function nameAt(page: Page, position: vscode.Position): Name | undefined {
  const offset = page.document.offsetAt(position);
  const line = page.document.lineAt(position.line);
  const start = page.document.offsetAt(line.range.start);
  for (const { 0: name, index } of line.text.matchAll(ID)) {
    const span = { start: start + index, end: start + index + name.length };
    if (span.start <= offset && offset <= span.end) return { kind: 'id', name, span };
  }
  const cursor = cursorAt(page.text, offset);
  const found = tagsIn(page.kind, page.text).find(({ span }) => span.start <= offset && offset <= span.end);
  return cursor && found && { kind: 'tag', ...found };
}

/** Every tag that a record has, or that tags.yaml explains. */
function tagsIn(kind: Page['kind'], text: string): { name: string; span: Span; isQuoted: boolean }[] {
  return placesIn(text).flatMap((place) => {
    const { path, key, value } = place;
    const isQuoted = (span: Span, whole: Span): boolean => span.start > whole.start;
    if (kind === 'tags' && path.length === 1 && key) {
      const span = innerOf(text, key);
      return [{ name: String(path[0]), span, isQuoted: isQuoted(span, key) }];
    }
    const name = wordAt(text, place);
    if (kind !== 'record' || name === undefined || !isAt({ path: path.slice(0, -1) }, ['scope', 'tags']))
      return [];
    const span = innerOf(text, value);
    return [{ name, span, isQuoted: isQuoted(span, value) }];
  });
}

/** Go to definition, find references and rename, of ids and tags. */
export class Names implements vscode.DefinitionProvider, vscode.ReferenceProvider, vscode.RenameProvider {
  constructor(private readonly surface: Surface) {}

  async provideDefinition(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.LocationLink[] | undefined> {
    const page = pageOf(this.surface.workspace, document);
    const name = page && nameAt(page, position);
    if (!name) return undefined;
    const target = name.kind === 'id' ? definedAt(page, name.name) : await this.explainedAt(page, name.name);
    if (!target) return undefined;
    const originSelectionRange = locationIn({ uri: document.uri, text: page.text }, name.span).range;
    return [{ originSelectionRange, targetUri: target.uri, targetRange: target.range }];
  }

  async provideReferences(
    document: vscode.TextDocument,
    position: vscode.Position,
    { includeDeclaration }: vscode.ReferenceContext,
  ): Promise<vscode.Location[]> {
    const page = pageOf(this.surface.workspace, document);
    const name = page && nameAt(page, position);
    if (!page?.store || !name) return [];
    if (name.kind === 'tag') {
      const explained = includeDeclaration ? await this.explainedAt(page, name.name) : undefined;
      const used = await this.tagged(page, page.store, name.name);
      return [...(explained ? [explained] : []), ...used.map(({ file, span }) => locationIn(file, span))];
    }
    const texts = await readTexts(
      page.root,
      allOf(page.store).map(({ file }) => file),
    );
    const own = definedAt(page, name.name)?.uri.toString();
    return texts.flatMap((file) =>
      mentions(file.text, name.name)
        .filter(({ isOwn }) => includeDeclaration || !isOwn || file.uri.toString() !== own)
        .map(({ span }) => locationIn(file, span)),
    );
  }

  prepareRename(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): { range: vscode.Range; placeholder: string } {
    const page = pageOf(this.surface.workspace, document);
    const name = page && nameAt(page, position);
    if (name?.kind === 'id') throw new Error(vscode.l10n.t('The store gives ids; they are not renamed.'));
    if (!page || !name) throw new Error(vscode.l10n.t('Only tags can be renamed here.'));
    return {
      range: locationIn({ uri: document.uri, text: page.text }, name.span).range,
      placeholder: name.name,
    };
  }

  async provideRenameEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    newName: string,
  ): Promise<vscode.WorkspaceEdit> {
    const page = pageOf(this.surface.workspace, document);
    const name = page && nameAt(page, position);
    if (!page?.store || name?.kind !== 'tag')
      throw new Error(vscode.l10n.t('Only tags can be renamed here.'));
    // It writes files that nobody has open.
    if (!vscode.workspace.isTrusted)
      throw new Error(
        vscode.l10n.t('This workspace is not trusted, so nothing is written to it. Trust it first.'),
      );
    const tag = newName.trim();
    if (tag === '' || tag.includes('\n')) throw new Error(vscode.l10n.t('A tag is one word or a few.'));
    const [explained] = await readTexts(page.root, ['.learnings/tags.yaml']);
    const known = explained ? tagsIn('tags', explained.text) : [];
    if (tag !== name.name && known.some((one) => one.name === tag))
      throw new Error(vscode.l10n.t('{0} is in tags.yaml already. Remove one of the two there first.', tag));
    const edit = new vscode.WorkspaceEdit();
    const rename = (file: TextFile, { span, isQuoted }: { span: Span; isQuoted: boolean }): void => {
      edit.replace(file.uri, locationIn(file, span).range, isQuoted ? tag : asYaml(tag));
    };
    for (const { file, ...place } of await this.tagged(page, page.store, name.name)) rename(file, place);
    if (explained) for (const one of known) if (one.name === name.name) rename(explained, one);
    return edit;
  }

  private async explainedAt(page: Page, tag: string): Promise<vscode.Location | undefined> {
    const uri = tagsUri(page);
    const open = openDocument(uri);
    const [file] = open
      ? [{ uri, text: open.getText() }]
      : await readTexts(page.root, ['.learnings/tags.yaml']);
    const place = file && tagsIn('tags', file.text).find(({ name }) => name === tag);
    return file && place && locationIn(file, place.span);
  }

  /** Every place where a record has a tag; those in an editor as they stand there. */
  private async tagged(
    page: Page,
    store: Learnings,
    tag: string,
  ): Promise<{ file: TextFile; span: Span; isQuoted: boolean }[]> {
    const inEditor = vscode.workspace.textDocuments.flatMap((document) => {
      // What is saved, the store knows.
      const other = document.isDirty ? pageOf(this.surface.workspace, document) : undefined;
      return other?.kind === 'record' && other.root.path === page.root.path ? [other.file] : [];
    });
    const onDisk = allOf(store).filter(({ record }) => record.scope.tags.includes(tag));
    const paths = new Set([...onDisk.map(({ file }) => file), ...inEditor]);
    const texts = await readTexts(page.root, [...paths]);
    return texts.flatMap((file) =>
      tagsIn('record', file.text)
        .filter(({ name }) => name === tag)
        .map(({ span, isQuoted }) => ({ file, span, isQuoted })),
    );
  }
}

function definedAt(page: Page, id: string): vscode.Location | undefined {
  const held: Held | undefined = page.store?.get(id);
  return held && new vscode.Location(recordUri({ held }), new vscode.Position(0, 0));
}

/** Where a text names an id; `isOwn` where that is the id of the record itself. */
function mentions(text: string, id: string): { span: Span; isOwn: boolean }[] {
  return [...text.matchAll(ID)]
    .filter(({ 0: name }) => name === id)
    .map(({ index }) => ({
      span: { start: index, end: index + id.length },
      isOwn: /^id:\s*["']?$/.test(text.slice(text.lastIndexOf('\n', index - 1) + 1, index)),
    }));
}
