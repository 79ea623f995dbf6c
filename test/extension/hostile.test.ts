import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { explainFile, explanationAsMarkdown, withoutHostile } from '../../src/core/api';
import { summaryQuestion } from '../../src/vscode/authoring/questions';
import { searchRows } from '../../src/vscode/authoring/search';
import { supersedeLearning } from '../../src/vscode/authoring/supersede';
import { showForFile } from '../../src/vscode/editor/commands';
import type { Inside } from '../../src/vscode/extension';
import { commandIds } from '../../src/vscode/ids';
import { resolveTarget } from '../../src/vscode/target';
import type { Entry } from '../../src/vscode/workspace';
import { hostileSummaries } from './hostileSummaries';
import { esc, Person, type Reply } from './person';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string): vscode.Uri => vscode.Uri.file(join(root, path));
const COUNT = 200;
const idOf = (index: number): string => `L-${5000 + index}`;
const summaries = hostileSummaries({ seed: 9, count: COUNT });
/** A record that takes the place of some of them. */
const POINTER = 'L-5900';

describe('200 hostile summaries, in every surface', () => {
  const folders = new Set<string>();
  let inside: Inside;
  let taken: readonly Entry[];

  before(async () => {
    const extension = vscode.extensions.getExtension<Inside>(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension);
    inside = await extension.activate();
    const write = (id: string, record: object): void => {
      folders.add(join(root, '.learnings', id));
      mkdirSync(join(root, '.learnings', id), { recursive: true });
      writeFileSync(
        join(root, '.learnings', id, 'learning.yaml'),
        JSON.stringify({ id, schemaVersion: 1, ...record }, null, 1),
      );
    };
    summaries.forEach((summary, index) =>
      write(idOf(index), {
        summary,
        rationale: summary,
        created_by: summary.slice(0, 100),
        scope: { paths: ['hostile/*.zz'], tags: [`${index}`, summary.slice(0, 60)] },
        evidence: [{ kind: 'quote', ref: summary, quote: summary }],
      }),
    );
    const older = summaries.slice(-50).map((_, index) => idOf(COUNT - 50 + index));
    folders.add(join(root, '.learnings', POINTER));
    mkdirSync(join(root, '.learnings', POINTER), { recursive: true });
    writeFileSync(
      join(root, '.learnings', POINTER, 'learning.yaml'),
      `id: ${POINTER}\nschemaVersion: 1\nsummary: Points at them.\nscope:\n  paths: [none.zz]\nsupersedes: [${older.join(', ')}]\n`,
    );
    await vscode.commands.executeCommand(commandIds.refresh);
    const [store] = inside.surface.workspace.all();
    assert.ok(store);
    taken = store
      .list()
      .filter(({ record }) => record.id >= idOf(0) && record.id < idOf(COUNT))
      .map((held) => ({ store, held }));
    // The others are refused for what is in them, and show as problems.
    assert.ok(taken.length > 100, `${taken.length} were taken`);
  });

  after(async () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(commandIds.refresh);
  });

  it('stay plain text in the rows and tooltips of the trees', () => {
    const { tree } = inside.views.all;
    for (const grouping of ['folder', 'tag', 'status', 'none'] as const) {
      tree.show({ grouping });
      let rows = 0;
      const visit = (parent?: Parameters<typeof tree.getChildren>[0]): void => {
        for (const row of tree.getChildren(parent)) {
          const item = tree.getTreeItem(row);
          const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
          for (const text of [label, String(item.description), item.accessibilityInformation?.label ?? ''])
            assertOneLine(text, 700);
          const { tooltip } = tree.resolveTreeItem(item, row);
          if (tooltip instanceof vscode.MarkdownString) assertInert(tooltip);
          rows++;
          visit(row);
        }
      };
      visit();
      assert.ok(rows >= taken.length, `${rows} rows by ${grouping}`);
    }
    tree.show({ grouping: 'folder' });
  });

  it('stay plain text in every list that is picked from', async () => {
    const { surface } = inside;
    const found = [
      ...(await searchRows(surface.workspace, '', 'active')),
      ...(await searchRows(surface.workspace, 'bold click heading quote word', 'active')),
    ];
    const shown = await picked(() => showForFile(surface, at('hostile/a.zz')));
    assert.ok(shown.length > 50, `${shown.length} about the file`);
    const options = { title: 'x', accept: () => true };
    const chosen = await picked(() => resolveTarget(surface, undefined, options));
    assert.ok(chosen.length > taken.length, `${chosen.length} to choose from`);
    const similar = summaryQuestion({
      summary: '',
      placeholder: undefined,
      known: taken.map(({ held }) => held),
    });
    const alike = summaries.flatMap((summary) => similar.rows(summary));
    const successors: vscode.QuickPickItem[] = [];
    const look: Reply = (question) => {
      if ('rows' in question && !('chosen' in question)) successors.push(...question.rows(''));
      return esc(question);
    };
    const [active] = taken.filter(({ held }) => held.status === 'active');
    assert.ok(active);
    await supersedeLearning(surface, active, new Person([look]));
    assert.ok(successors.length > 50, `${successors.length} successors`);
    for (const { label, description = '', detail = '' } of [
      ...found,
      ...shown,
      ...chosen,
      ...alike,
      ...successors,
    ])
      for (const text of [label, description, detail])
        // Our own icon comes first, if there is one.
        assertNoIcon(assertOneLine(text.replace(/^\$\([a-z-]+\) /, ''), 700));
  });

  it('stay text on the page that explains a file, which has no link but ours', async () => {
    const [store] = inside.surface.workspace.all();
    assert.ok(store);
    const explanation = explainFile(store, 'hostile/a.zz', { now: new Date(), files: [] });
    assert.ok(explanation.given.length > 50);
    const markdown = explanationAsMarkdown(explanation, { linkTo: ({ record }) => `ours:${record.id}` });
    const html = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
    assert.doesNotMatch(html, /<(?:script|img|iframe|svg|style|input|form|video)\b/i);
    assert.doesNotMatch(html, /<[^>]+\son\w+=/i);
    const links = [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link]) => link ?? '');
    assert.ok(links.length > 50);
    for (const link of links) assert.match(link, /^ours:L-\d+$/);
  });

  it('stay inert in hovers, completions and lenses inside a record', async () => {
    const document = await vscode.workspace.openTextDocument(at(`.learnings/${POINTER}/learning.yaml`));
    let hovers = 0;
    for (const match of document.getText().matchAll(/L-5[01]\d\d/g)) {
      const position = document.positionAt(match.index + 2);
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        position,
      );
      for (const content of found.flatMap(({ contents }) => contents)) {
        if (!(content instanceof vscode.MarkdownString) || !content.value.includes('L\\-5')) continue;
        assertInert(content, 4);
        hovers++;
      }
    }
    assert.ok(hovers > 20, `${hovers} hovers`);

    const position = document.positionAt(document.getText().indexOf('[L-5') + 1);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    );
    const ids = items.filter(({ label }) =>
      (typeof label === 'string' ? label : label.label).startsWith('L-5'),
    );
    assert.ok(ids.length > 50, `${ids.length} completions`);
    for (const { label, detail = '', documentation } of ids) {
      assertOneLine(typeof label === 'string' ? label : `${label.label} ${label.description ?? ''}`, 700);
      assertOneLine(detail, 700);
      if (documentation instanceof vscode.MarkdownString) assertInert(documentation);
    }

    let lenses = 0;
    for (const { held } of taken.filter(({ held: { status } }) => status === 'superseded').slice(0, 10)) {
      const uri = at(held.file);
      await vscode.workspace.openTextDocument(uri);
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
        20,
      );
      for (const { command } of found) assertNoIcon(assertOneLine(command?.title ?? '', 300));
      lenses += found.length;
    }
    assert.ok(lenses > 5, `${lenses} lenses`);
  });

  it('stay one line in what is told of problems', () => {
    const told = vscode.languages
      .getDiagnostics()
      .flatMap(([uri, diagnostics]) => (uri.path.includes('/L-5') ? diagnostics : []));
    assert.ok(told.length > 20, `${told.length} problems`);
    for (const { message } of told) assertOneLine(message, 1100);
  });
});

/** What a list offers that a piece of our code shows; it is closed at once. */
async function picked(show: () => Promise<unknown>): Promise<readonly vscode.QuickPickItem[]> {
  const { window } = vscode;
  const { createQuickPick, showQuickPick } = window;
  const items: vscode.QuickPickItem[] = [];
  window.createQuickPick = <T extends vscode.QuickPickItem>(): vscode.QuickPick<T> => {
    const pick = createQuickPick<T>();
    pick.show = () => void items.push(...pick.items);
    return pick;
  };
  Object.assign(window, {
    showQuickPick: (offered: readonly vscode.QuickPickItem[]) => {
      items.push(...offered);
      return Promise.resolve(undefined);
    },
  });
  try {
    await show();
  } finally {
    Object.assign(window, { createQuickPick, showQuickPick });
  }
  return items;
}

/** One line of no more than a surface can hold, without what shows something else than it is. */
function assertOneLine(text: string, maxChars: number): string {
  assert.equal(text, withoutHostile(text).replaceAll(/\s/g, ' '));
  assert.ok(text.length <= maxChars, `${text.length} characters: ${text}`);
  return text;
}

const assertNoIcon = (text: string): void => assert.doesNotMatch(text, /(?<!\\)\$\(/);

/** Nothing of it is a tag, a picture, code, an address or emphasis, and no link but our own. */
function assertInert(
  { value, supportHtml, supportThemeIcons, isTrusted }: vscode.MarkdownString,
  links = 0,
): void {
  assert.notEqual(supportHtml, true);
  assert.notEqual(supportThemeIcons, true);
  assert.notEqual(isTrusted, true);
  const text = value.replaceAll(/\\./g, '');
  const found = [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link ?? '');
  assert.equal(found.filter((link) => link.startsWith('command:learnings.')).length, found.length, value);
  assert.equal(found.length, links, value);
  assert.doesNotMatch(text.replaceAll(/^\*\*|\*\*$/gm, ''), /<|[^\n]>|`|!\[|\$\(|\*|https?:\/\//, value);
  assert.ok(value.length < 30_000, `${value.length} characters`);
}
