import * as vscode from 'vscode';

import {
  cursorAt,
  isAt,
  keyAt,
  keysBelow,
  oneLine,
  placeAt,
  wordAt,
  type Cursor,
  type Held,
  type KeyInfo,
  type Learnings,
  type Step,
} from '../../core/api';
import type { Surface } from '../surface';
import { escapeMarkdown } from '../text';
import { folderName, pageOf, rangeOf, tagsFor, type Page } from './page';
import { asYaml } from './writing';

/** What follows any of these is worth proposing. */
export const completionTriggers = [':', ' ', '/', '-', '[', ',', '"', "'"];

/** So many files and folders at once; typing on narrows them. */
const MAX_PATHS = 200;
const askAgain: vscode.Command = { command: 'editor.action.triggerSuggest', title: '' };

/** One thing that can be chosen. */
interface Choice {
  readonly label: string;
  readonly kind: vscode.CompletionItemKind;
  readonly detail?: string;
  readonly help?: string;
  /** What is written; the label unless said. */
  readonly text?: string | vscode.SnippetString;
  /** Whether there is more to choose after it. */
  readonly goesOn?: boolean;
}

/** Proposes keys, values, tags, ids and paths. */
export class Completion implements vscode.CompletionItemProvider {
  constructor(private readonly surface: Surface) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.CompletionList | undefined> {
    const page = pageOf(this.surface.workspace, document);
    const offset = document.offsetAt(position);
    const cursor = page && cursorAt(page.text, offset);
    if (!cursor) return undefined;
    const place = new Typing(page, cursor, offset);
    const choices = await this.choices(page, cursor);
    const items = choices.map((choice, index) => place.item(choice, index));
    return new vscode.CompletionList(items, choices.length >= MAX_PATHS || isPath(page, cursor.path));
  }

  private choices(page: Page, cursor: Cursor): Promise<Choice[]> | Choice[] {
    const { kind } = page;
    if (cursor.role === 'value') return this.values(page, cursor, cursor.path);
    const parent = cursor.path.slice(0, -1);
    const around = keyAt(kind, parent);
    // Nothing but items belongs below the key of a list.
    if (around?.isList && typeof parent.at(-1) === 'string')
      return around.keys.length > 0
        ? keyChoices(page, [...parent, 0], cursor)
        : this.values(page, cursor, [...parent, 0]);
    if (kind === 'tags' && parent.length === 0) return unexplainedTags(page);
    return keyChoices(page, parent, cursor);
  }

  private async values(page: Page, cursor: Cursor, path: readonly Step[]): Promise<Choice[]> {
    const info = keyAt(page.kind, path);
    const { store } = page;
    if (info && info.values.length > 0)
      return info.values.map((value) => ({ label: value, kind: vscode.CompletionItemKind.EnumMember }));
    if (page.kind !== 'record' || !store) return [];
    if (path[0] === 'supersedes' || path[0] === 'superseded_by') return idChoices(page, store);
    if (path[0] === 'scope' && path[1] === 'tags') return tagChoices(page, store, path);
    if (isPath(page, path))
      return pathChoices(
        await this.surface.workspace.listFiles(store.root),
        cursor.prefix,
        path[0] === 'scope',
      );
    return [];
  }
}

/** Writes choices where the cursor is, with the dash, space or quotes that are still missing. */
class Typing {
  private readonly range: { inserting: vscode.Range; replacing: vscode.Range };
  private readonly before: string;
  private readonly isQuoted: boolean;

  constructor(
    private readonly page: Page,
    private readonly cursor: Cursor,
    offset: number,
  ) {
    const { text } = page;
    const { start, end } = cursor.range;
    this.range = {
      inserting: rangeOf(page, { start, end: Math.max(start, offset) }),
      replacing: rangeOf(page, { start, end: Math.max(end, offset) }),
    };
    const last = text[start - 1] ?? '';
    this.isQuoted = last === '"' || last === "'";
    this.before = this.isItemWithoutDash() ? '- ' : last === ':' || last === '-' ? ' ' : '';
  }

  item(
    { label, kind, detail, help, text = label, goesOn = false }: Choice,
    index: number,
  ): vscode.CompletionItem {
    // As a description it stands beside every row, not only beside the chosen one.
    const item = new vscode.CompletionItem(
      detail === undefined ? label : { label, description: detail },
      kind,
    );
    item.range = this.range;
    item.sortText = String(index).padStart(5, '0');
    item.filterText = label;
    if (help) item.documentation = new vscode.MarkdownString(escapeMarkdown(help));
    if (typeof text === 'string') item.insertText = this.before + this.written(text);
    else item.insertText = new vscode.SnippetString(this.before + text.value);
    if (goesOn) item.command = askAgain;
    return item;
  }

  private written(text: string): string {
    const isData =
      this.cursor.role === 'key' || (keyAt(this.page.kind, this.cursor.path)?.values.length ?? 0) > 0;
    return this.isQuoted || isData || /: ?$/.test(text) || text.startsWith('[') ? text : asYaml(text);
  }

  private isItemWithoutDash(): boolean {
    const { text, kind } = this.page;
    const { path, range } = this.cursor;
    const line = text.slice(text.lastIndexOf('\n', range.start - 1) + 1, range.start);
    if (line.trim() !== '') return false;
    const parent = path.slice(0, -1);
    const isBelowList = typeof parent.at(-1) === 'string' && keyAt(kind, parent)?.isList === true;
    return typeof path.at(-1) === 'number' || isBelowList;
  }
}

/** Those that are not there yet; of the one being written, what it may become. */
function keyChoices(page: Page, parent: readonly Step[], { range }: Cursor): Choice[] {
  const { text, places, kind } = page;
  const taken = ({ name }: KeyInfo): boolean =>
    places.some((place) => isAt(place, [...parent, name]) && place.key?.start !== range.start);
  const hasColon = /^\s*:/.test(text.slice(range.end));
  const isFlow =
    placeAt(places, parent)?.flow === true || text[placeAt(places, parent)?.value.start ?? 0] === '{';
  return keysBelow(kind, parent)
    .filter((info) => !taken(info) && !writtenByUs.has(info.name))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
    .map((info) => ({
      label: info.name,
      kind: vscode.CompletionItemKind.Property,
      help: info.help,
      ...(info.isRequired && { detail: vscode.l10n.t('required') }),
      ...(!hasColon && { text: keyText(info, isFlow) }),
      goesOn: !hasColon && (info.values.length > 0 || goesOn.has(info.name)),
    }));
}

/** Keys that nobody writes by hand. */
const writtenByUs = new Set(['archived', 'legacy_ids']);

/** Keys whose value can be chosen. */
const goesOn = new Set(['tags', 'paths', 'supersedes', 'superseded_by', 'scope', 'caps', 'inject']);

function keyText({ name, isList, keys }: KeyInfo, isFlow: boolean): string | vscode.SnippetString {
  if (isFlow) return `${name}: `;
  if (isList && keys.length > 0) return new vscode.SnippetString(`${name}:\n  - $0`);
  if (isList && name !== 'paths') return new vscode.SnippetString(`${name}: [$0]`);
  if (isList) return new vscode.SnippetString(`${name}:\n  - "$0"`);
  return keys.length > 0 ? new vscode.SnippetString(`${name}:\n  $0`) : `${name}: `;
}

function idChoices(page: Page, store: Learnings): Choice[] {
  const own = folderName(page);
  return store
    .list()
    .filter(({ record }) => record.id !== own)
    .map(({ record, status }) => ({
      label: record.id,
      kind: vscode.CompletionItemKind.Reference,
      detail: oneLine(record.summary, 100),
      help: `${record.summary} (${status})`,
    }));
}

function tagChoices(page: Page, store: Learnings, path: readonly Step[]): Choice[] {
  const meanings = tagsFor(page);
  const used = countTags(store);
  const present = new Set(
    page.places.flatMap((place) =>
      isAt({ path: place.path.slice(0, -1) }, ['scope', 'tags']) && !isAt(place, path)
        ? (wordAt(page.text, place) ?? [])
        : [],
    ),
  );
  // After `tags:` alone a list has still to be made.
  const wrap = (tag: string): string => (path.length === 2 ? `[${asYaml(tag)}]` : tag);
  return [...new Set([...meanings.keys(), ...used.keys()])]
    .filter((tag) => !present.has(tag))
    .toSorted()
    .map((tag) => ({
      label: oneLine(tag, 100),
      kind: vscode.CompletionItemKind.Keyword,
      text: wrap(tag),
      detail:
        oneLine(meanings.get(tag) ?? '', 100) ||
        vscode.l10n.t('used {0} times, not in tags.yaml', used.get(tag) ?? 0),
    }));
}

function countTags(store: Learnings): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { record } of allOf(store))
    for (const tag of record.scope.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return counts;
}

/** Every record of a store, whatever has become of it. */
export const allOf = (store: Learnings): readonly Held[] => [
  ...store.list(),
  ...store.list('candidate'),
  ...store.list('archived'),
];

/** Tags that records have and tags.yaml does not explain. */
function unexplainedTags(page: Page): Choice[] {
  const known = tagsFor(page);
  const used = page.store ? countTags(page.store) : new Map<string, number>();
  return [...used]
    .filter(([tag]) => !known.has(tag))
    .map(([tag, count]) => ({
      label: oneLine(tag, 100),
      kind: vscode.CompletionItemKind.Keyword,
      detail: vscode.l10n.t('used {0} times', count),
      text: `${asYaml(tag)}: `,
    }));
}

/** Whether a file is named there. */
function isPath({ text, places, kind }: Page, path: readonly Step[]): boolean {
  if (kind !== 'record') return false;
  if (path[0] === 'scope') return path[1] === 'paths' && path.length === 3;
  if (path[0] === 'fingerprint') return path[2] === 'input';
  const evidence = placeAt(places, [...path.slice(0, 2), 'kind']);
  return (
    path[0] === 'evidence' && path[2] === 'ref' && evidence !== undefined && wordAt(text, evidence) === 'file'
  );
}

/** What is in the folder that has been typed so far, and the patterns for all of it. */
function pathChoices(files: readonly string[], prefix: string, takesGlobs: boolean): Choice[] {
  const sign = takesGlobs && prefix.startsWith('!') ? '!' : '';
  const folder = prefix.slice(sign.length, prefix.lastIndexOf('/') + 1);
  const folders = new Map<string, number>();
  const here: string[] = [];
  const endings = new Set<string>();
  for (const file of files) {
    if (!file.startsWith(folder) || file.startsWith('.learnings/')) continue;
    const rest = file.slice(folder.length);
    const slash = rest.indexOf('/');
    const ending = /\.[\w-]+$/.exec(rest)?.[0];
    if (slash === -1) here.push(file);
    else folders.set(rest.slice(0, slash), (folders.get(rest.slice(0, slash)) ?? 0) + 1);
    if (ending !== undefined && endings.size < 8) endings.add(ending);
  }
  const count = (number: number): string =>
    number === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', number);
  const globs = ['**', ...[...endings].toSorted().map((ending) => `**/*${ending}`)];
  return [
    ...[...folders].toSorted().map(([name, number]) => ({
      label: `${sign}${folder}${name}/`,
      kind: vscode.CompletionItemKind.Folder,
      detail: count(number),
      goesOn: true,
    })),
    ...here.toSorted().map((file) => ({ label: sign + file, kind: vscode.CompletionItemKind.File })),
    ...(takesGlobs && folders.size + here.length > 0 ? globs : []).map((glob) => ({
      label: `${sign}${folder}${glob}`,
      kind: vscode.CompletionItemKind.Operator,
      detail: glob === '**' ? vscode.l10n.t('everything below') : vscode.l10n.t('all of this kind'),
    })),
  ].slice(0, MAX_PATHS);
}
