import * as vscode from 'vscode';

import { cursorAt, filesMatching, keyAt } from '../../core/api';
import { learningCard } from '../card';
import type { Surface } from '../surface';
import { escapeMarkdown } from '../text';
import { allOf } from './completion';
import { nameAt } from './names';
import { pageOf, rangeOf, tagsFor, type Page } from './page';

const MAX_FILES = 8;

/** Says what a key means, what an id stands for, and which files a pattern matches. */
export class RecordHover implements vscode.HoverProvider {
  constructor(private readonly surface: Surface) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const page = pageOf(this.surface.workspace, document);
    if (!page) return undefined;
    const name = nameAt(page, position);
    if (name) {
      const text = name.kind === 'id' ? idCard(page, name.name) : tagCard(page, name.name);
      return text && new vscode.Hover(text, rangeOf(page, name.span));
    }
    const cursor = cursorAt(page.text, document.offsetAt(position));
    if (!cursor || cursor.range.start === cursor.range.end) return undefined;
    const range = rangeOf(page, cursor.range);
    if (cursor.role === 'key') {
      const info = keyAt(page.kind, cursor.path);
      return info && new vscode.Hover(markdown(`**${escapeMarkdown(info.name)}**`, info.help), range);
    }
    const isPattern = cursor.path[0] === 'scope' && cursor.path[1] === 'paths' && cursor.path.length === 3;
    if (!isPattern || page.kind !== 'record') return undefined;
    const text = await this.patternCard(page, page.text.slice(cursor.range.start, cursor.range.end));
    return text && new vscode.Hover(text, range);
  }

  private async patternCard(page: Page, pattern: string): Promise<vscode.MarkdownString | undefined> {
    if (!page.store) return undefined;
    const files = await this.surface.workspace.listFiles(page.store.root);
    const found = filesMatching([pattern.replace(/^!/, '')], files);
    const isNot = pattern.startsWith('!');
    const text = markdown(
      isNot ? `${filesText(found.length)} ${vscode.l10n.t('(taken away)')}` : filesText(found.length),
    );
    for (const file of found.slice(0, MAX_FILES)) text.appendMarkdown(`\n- ${escapeMarkdown(file)}`);
    const left = found.length - MAX_FILES;
    if (left > 0) text.appendMarkdown(`\n- ${vscode.l10n.t('and {0} more', left)}`);
    return text;
  }
}

/** How many files a record is about. */
export function filesText(count: number): string {
  if (count === 0) return vscode.l10n.t('Matches no file');
  return count === 1 ? vscode.l10n.t('Matches 1 file') : vscode.l10n.t('Matches {0} files', count);
}

function markdown(title: string, ...texts: readonly string[]): vscode.MarkdownString {
  return new vscode.MarkdownString([title, ...texts.map((text) => escapeMarkdown(text))].join('\n\n'));
}

function idCard({ store }: Page, id: string): vscode.MarkdownString | undefined {
  const held = store?.get(id);
  if (store && held) return learningCard({ store, held }, { withActions: vscode.workspace.isTrusted });
  return store && markdown(vscode.l10n.t('There is no learning {0}.', id));
}

function tagCard(page: Page, tag: string): vscode.MarkdownString {
  const meaning = tagsFor(page).get(tag);
  const count = page.store
    ? allOf(page.store).filter(({ record }) => record.scope.tags.includes(tag)).length
    : 0;
  const used =
    count === 1 ? vscode.l10n.t('1 learning has it.') : vscode.l10n.t('{0} learnings have it.', count);
  return markdown(`**${escapeMarkdown(tag)}**`, ...(meaning ? [meaning] : []), used);
}
