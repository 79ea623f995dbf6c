import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { withoutHostile } from '../../src/core/api';
import { ActiveFile } from '../../src/vscode/activeFile';
import { Deliveries } from '../../src/vscode/deliveries';
import { ExplorerBadge } from '../../src/vscode/editor/badge';
import { fileLenses } from '../../src/vscode/editor/lens';
import { StatusBarCount } from '../../src/vscode/editor/statusBar';
import { lensTitle, summaryList } from '../../src/vscode/editor/wording';
import { learningCard } from '../../src/vscode/card';
import { commandIds } from '../../src/vscode/ids';
import type { Surface } from '../../src/vscode/surface';
import { Workspace } from '../../src/vscode/workspace';
import { hostileSummaries } from './hostileSummaries';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string): vscode.Uri => vscode.Uri.file(join(root, path));
const open = (path: string): Thenable<vscode.TextDocument> => vscode.workspace.openTextDocument(at(path));

/** Ours among the lenses of a document, resolved. */
async function lensesOf({ uri }: vscode.TextDocument): Promise<{ line: number; title: string }[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uri,
    100,
  );
  return lenses.flatMap(({ range, command }) =>
    command?.command === commandIds.showForFile ? [{ line: range.start.line, title: command.title }] : [],
  );
}

async function cardsAt(uri: vscode.Uri, line: number, character = 0): Promise<string[]> {
  const position = new vscode.Position(line, character);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (content instanceof vscode.MarkdownString ? content.value : ''))
    .filter((text) => text.includes('command:learnings.'));
}

describe('hints in the editor', () => {
  const written = new Set<string>();
  const subscriptions: vscode.Disposable[] = [];
  let surface: Surface;

  const refresh = async (): Promise<void> => {
    await vscode.commands.executeCommand(commandIds.refresh);
    await surface.workspace.refresh();
  };
  const writeFile = (path: string, text: string): void => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
    written.add(path.startsWith('.learnings/') ? dirname(path) : (path.split('/')[0] ?? path));
  };
  const writeRecord = (
    id: string,
    fields: { summary: string; paths?: string[]; symbols?: string[] },
  ): void => {
    const { summary, ...scope } = fields;
    writeFile(
      `.learnings/${id}/learning.yaml`,
      JSON.stringify({ id, schemaVersion: 1, priority: 90, summary, scope }),
    );
  };
  const configure = (key: string, value: boolean | undefined): Thenable<void> =>
    vscode.workspace.getConfiguration('learnings').update(key, value, vscode.ConfigurationTarget.Global);

  before(async () => {
    await vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`)?.activate();
    const log = vscode.window.createOutputChannel('hints test', { log: true });
    const workspace = new Workspace(log);
    const activeFile = new ActiveFile();
    const memory = { get: () => undefined, keys: () => [], update: () => Promise.resolve() };
    const ownMemory = { ...memory, setKeysForSync: () => undefined };
    const deliveries = new Deliveries(workspace);
    surface = { workspace, activeFile, deliveries, log, memory, ownMemory };
    subscriptions.push(workspace, activeFile, deliveries, log);
    await workspace.refresh();
  });

  afterEach(async () => {
    for (const path of written) rmSync(join(root, path), { recursive: true, force: true });
    written.clear();
    await refresh();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  after(() => subscriptions.forEach((one) => void one.dispose()));

  it('puts one lens above the first line: how many there are, and the best', async () => {
    assert.deepEqual(await lensesOf(await open('src/http/server.ts')), [
      {
        line: 0,
        title:
          "$(lightbulb)\u00a03 learnings: Keep keepAliveTimeout above the proxy's 60 s idle limit, and headersTimeout above both, or it…",
      },
    ]);
    writeRecord('L-0902', { summary: 'Say it once.', paths: ['hints/one.ts'] });
    writeFile('hints/one.ts', 'x\n');
    await refresh();
    const [lens] = await lensesOf(await open('hints/one.ts'));
    // The other one is about the whole repository.
    assert.equal(lens?.title, '$(lightbulb)\u00a02 learnings: Say it once.');
  });

  it('leaves the text unresolved until it is seen, and answers at once', async () => {
    const lenses = fileLenses(surface);
    const document = await open('src/http/server.ts');
    const answer = lenses.provideCodeLenses(document);
    assert.ok(Array.isArray(answer), 'a promise would come a frame later');
    assert.equal(answer[0]?.isResolved, false);
    lenses.dispose();
  });

  it('keeps the lens where it is while the text above and below it changes', async () => {
    const document = await open('src/http/server.ts');
    const before = await lensesOf(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// one\n\n// two\n');
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(await lensesOf(document), before);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('asks for lenses again only when one that is shown has changed', async () => {
    const lenses = fileLenses(surface);
    let fired = 0;
    const listening = lenses.onDidChangeCodeLenses(() => fired++);
    await lenses.provideCodeLenses(await open('src/http/server.ts'));
    await refresh();
    writeRecord('L-0903', { summary: 'Elsewhere.', paths: ['docs/nothing.md'] });
    await refresh();
    assert.equal(fired, 0);
    writeRecord('L-0904', { summary: 'Here.', paths: ['src/http/server.ts'] });
    await refresh();
    assert.equal(fired, 1);
    listening.dispose();
    lenses.dispose();
  });

  it('shows nothing above files without learnings, untitled ones and records', async () => {
    const untitled = await vscode.workspace.openTextDocument({
      content: 'findExtrema\n',
      language: 'typescript',
    });
    const record = await open('.learnings/L-0001/learning.yaml');
    const outside = await vscode.workspace.openTextDocument(__filename);
    for (const document of [untitled, record, outside]) {
      assert.deepEqual(await lensesOf(document), [], document.uri.toString());
      assert.deepEqual(await cardsAt(document.uri, 0), []);
    }
  });

  it('puts a lens above a symbol that a learning names, where the language knows its symbols', async () => {
    const document = await open('src/predict/extrema.ts');
    const declared = document
      .getText()
      .split('\n')
      .findIndex((line) => line.includes('function findExtrema'));
    assert.ok(declared > 0);
    const lenses = await lensesOf(document);
    const lens = lenses.find(({ line }) => line === declared);
    assert.match(lens?.title ?? '', /^\$\(lightbulb\)\u00a01 learning: Leave the step of findExtrema/);
    assert.equal(lenses.length, 2);
  });

  it('finds the declaration by the text where no extension knows the language', async () => {
    writeRecord('L-0906', { summary: 'Slack water lies.', symbols: ['slackWater', 'Tide.turn'] });
    writeFile(
      'hints/tide.zz',
      '-- slackWater is used below\ncall slackWater(1)\n\nfunction slackWater(x)\nend\n',
    );
    writeFile('hints/other.zz', 'function turn()\nslackWaters()\n');
    writeFile('hints/third.zz', 'class Tide\n  def turn()\n');
    await refresh();
    const linesOf = async (path: string): Promise<number[]> =>
      (await lensesOf(await open(path))).map(({ line }) => line).filter((line) => line > 0);
    assert.deepEqual(await linesOf('hints/tide.zz'), [3]);
    assert.deepEqual(await linesOf('hints/other.zz'), []);
    assert.deepEqual(await linesOf('hints/third.zz'), [1]);
  });

  it('moves the lens of a symbol with the symbol', async () => {
    writeRecord('L-0907', { summary: 'Slack water lies.', symbols: ['slackWater'] });
    writeFile('hints/moving.zz', 'function slackWater(x)\n');
    await refresh();
    const document = await open('hints/moving.zz');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '\n\n');
    await vscode.workspace.applyEdit(edit);
    assert.ok((await lensesOf(document)).some(({ line }) => line === 2));
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('shows the learnings on the first line, five at most, and how to see the others', async () => {
    const cards = await cardsAt(at('src/http/server.ts'), 0);
    assert.equal(cards.length, 3);
    assert.match(cards[0] ?? '', /keepAliveTimeout/);
    assert.match(cards[0] ?? '', /Matched by path&#58;src/);
    assert.match(cards[0] ?? '', /command:learnings\.upvote\?/);
    assert.deepEqual(await cardsAt(at('src/http/server.ts'), 3), []);
    for (let id = 910; id < 918; id++)
      writeRecord(`L-0${id}`, { summary: `N ${id}.`, paths: ['src/http/server.ts'] });
    await refresh();
    const many = await cardsAt(at('src/http/server.ts'), 0);
    assert.equal(many.length, 6);
    assert.match(many[5] ?? '', /^\[and 6 more\]\(command:learnings\.showForFile\?/);
  });

  it('shows the learnings about a symbol wherever its name is', async () => {
    const document = await open('test/predict/extrema.test.ts');
    const offset = document.getText().lastIndexOf('findExtrema(');
    const { line, character } = document.positionAt(offset + 3);
    const [card] = await cardsAt(document.uri, line, character);
    assert.match(card ?? '', /Leave the step of findExtrema/);
  });

  for (const [key, isShown] of [
    ['editor.codeLens', async () => (await lensesOf(await open('src/http/server.ts'))).length > 0],
    ['editor.symbolLens', async () => (await lensesOf(await open('src/predict/extrema.ts'))).length > 1],
    ['editor.hover', async () => (await cardsAt(at('src/http/server.ts'), 0)).length > 0],
    ['enabled', async () => (await lensesOf(await open('src/predict/extrema.ts'))).length > 0],
  ] as const) {
    it(`shows it or not as learnings.${key} says, from then on`, async () => {
      assert.equal(await isShown(), true);
      await configure(key, false);
      if (key === 'enabled') await refresh();
      assert.equal(await isShown(), false);
      await configure(key, undefined);
      await refresh();
      assert.equal(await isShown(), true);
    });
  }

  it('turns all hints off, and on again as they were', async () => {
    const value = (key: string): unknown =>
      vscode.workspace.getConfiguration('learnings').inspect(key)?.globalValue;
    const keys = [
      'editor.codeLens',
      'editor.symbolLens',
      'editor.hover',
      'editor.statusBar',
      'explorer.badge',
    ];
    await configure('editor.symbolLens', false);
    await configure('editor.hover', true);
    await vscode.commands.executeCommand(commandIds.toggleHints);
    assert.deepEqual(keys.map(value), [false, false, false, false, undefined]);
    assert.deepEqual(await lensesOf(await open('src/predict/extrema.ts')), []);
    await vscode.commands.executeCommand(commandIds.toggleHints);
    assert.deepEqual(keys.map(value), [undefined, false, true, undefined, undefined]);
    await configure('editor.symbolLens', undefined);
    await configure('editor.hover', undefined);
  });

  it('counts in the status bar what is about the file in front, and hides where nothing is', async () => {
    const item = watchStatusBar(() => subscriptions.push(new StatusBarCount(surface)));
    const show = async (uri: vscode.Uri): Promise<void> => {
      await vscode.window.showTextDocument(uri);
      await until(() => surface.activeFile.uri?.toString() === uri.toString());
    };
    await show(at('src/http/server.ts'));
    await until(() => item.visible && item.text === '$(lightbulb) 3');
    const tooltip = item.tooltip instanceof vscode.MarkdownString ? item.tooltip : undefined;
    assert.match(tooltip?.value ?? '', /^\*\*3 learnings about this file\*\*\n\n- Keep keepAliveTimeout/);
    assert.equal(tooltip?.isTrusted, undefined);
    assert.equal(item.accessibilityInformation?.label, '3 learnings about this file');
    await show(at('.learnings/L-0001/learning.yaml'));
    await until(() => !item.visible);
    await show(at('src/http/server.ts'));
    await until(() => item.visible);
    await configure('editor.statusBar', false);
    await until(() => !item.visible);
    await configure('editor.statusBar', undefined);
    await until(() => item.visible);
    // The old side of a diff is the same file; the new side is the file itself.
    const old = at('src/http/server.ts').with({ scheme: 'git', query: '{"ref":"HEAD"}' });
    assert.equal(surface.workspace.findForFile(old)?.total, 3);
  });

  it('shows a notebook once, above its first cell of code', async () => {
    const cell = (kind: 'code' | 'markdown'): object => ({
      cell_type: kind,
      metadata: {},
      source: ['findExtrema'],
      ...(kind === 'code' && { outputs: [], execution_count: null }),
    });
    const cells = [cell('markdown'), cell('code'), cell('code')];
    writeFile('hints/tides.ipynb', JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(at('hints/tides.ipynb'));
    const lenses = fileLenses(surface);
    const counts = notebook.getCells().map(({ document }) => {
      const answer = lenses.provideCodeLenses(document);
      return 'then' in answer ? NaN : answer.length;
    });
    lenses.dispose();
    assert.deepEqual(counts, [0, 1, 0]);
    assert.equal(surface.workspace.findForFile(notebook.uri)?.total, 1);
  });

  it('marks files in the Explorer, not folders, and tells of those alone whose number changed', async () => {
    const badge = new ExplorerBadge(surface);
    subscriptions.push(badge);
    const textOf = async (path: string): Promise<string | undefined> =>
      (await badge.provideFileDecoration(at(path)))?.badge;
    assert.equal(await textOf('src/http/server.ts'), '3');
    assert.equal(await textOf('src/main.ts'), '2');
    assert.equal(await textOf('src/http'), undefined);
    assert.equal(await textOf('.learnings/L-0001/learning.yaml'), undefined);
    const told: string[] = [];
    badge.onDidChangeFileDecorations((uris) =>
      told.push(...uris.map(({ path }) => path.split('/').at(-1) ?? '')),
    );
    for (let id = 920; id < 930; id++)
      writeRecord(`L-0${id}`, { summary: `N ${id}.`, paths: ['src/http/server.ts'] });
    await refresh();
    await until(() => told.length > 0);
    assert.deepEqual(told, ['server.ts']);
    assert.equal(await textOf('src/http/server.ts'), '9+');
  });

  it('lists the learnings of a file, and opens the best on Enter', async () => {
    await vscode.window.showTextDocument(at('src/http/server.ts'));
    await vscode.commands.executeCommand(commandIds.showForFile);
    const opened = (): boolean =>
      vscode.window.activeTextEditor?.document.uri.path.endsWith('/L-0005/learning.yaml') ?? false;
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return opened();
    });
  });

  it('takes hostile summaries for what they are, everywhere', async () => {
    const summaries = hostileSummaries({ seed: 5, count: 200 });
    assert.equal(new Set(summaries).size, 200);
    summaries.forEach((summary, index) =>
      writeRecord(`L-${5000 + index}`, { summary, paths: [`hints/${index}.zz`] }),
    );
    await refresh();
    let shown = 0;
    const held = surface.workspace.all()[0]?.get('L-0005');
    const store = surface.workspace.all()[0];
    assert.ok(held && store);
    for (const [index, summary] of summaries.entries()) {
      // A record that is refused shows nothing; what the surfaces would make of it must be harmless all the same.
      const match = surface.workspace.findForFile(at(`hints/${index}.zz`))?.matches[0];
      const own = match?.record.id === `L-${5000 + index}` ? match : undefined;
      if (own) shown++;
      const record = own?.record ?? { ...held.record, summary };
      const found = { total: 1, matches: [{ record, matchedBy: [summary], origin: held.origin }] };
      const entry = { store, held: { ...held, record } };
      assertPlainLabel(lensTitle(found).replace('$(lightbulb)\u00a0', ''));
      assertInert(summaryList(found));
      assertInert(learningCard(entry, { matchedBy: [summary] }).value);
      const trusted = learningCard(entry, { withActions: true });
      const links = [...trusted.value.matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link ?? '');
      assert.equal(links.filter((link) => link.startsWith('command:learnings.')).length, 4, trusted.value);
      assert.deepEqual(trusted.isTrusted, {
        enabledCommands: [
          commandIds.openRecord,
          commandIds.upvote,
          commandIds.supersede,
          commandIds.copyAsMarkdown,
        ],
      });
    }
    assert.ok(shown > 100, `${shown} were taken`);
  });
});

/** Nothing in it is drawn as an icon, and it is one line that fits. */
function assertPlainLabel(title: string): void {
  assert.doesNotMatch(title, /(?<!\\)\$\(/);
  assert.equal(title, withoutHostile(title).replaceAll(/\s/g, ' '));
  assert.ok(title.length < 250, `${title.length} characters`);
}

/** No tag, link, picture, code or emphasis of somebody else's is left in the Markdown. */
function assertInert(markdown: string): void {
  const text = markdown.replaceAll(/\\./g, '').replaceAll(/^\*\*|\*\*$/gm, '');
  assert.doesNotMatch(text, /<|[^\n]>|`|\]\(|!\[|\$\(|\*|https?:\/\//, markdown);
  assert.ok(markdown.length < 20_000);
}

interface WatchedItem {
  readonly text: string;
  readonly tooltip: string | vscode.MarkdownString | undefined;
  readonly accessibilityInformation: vscode.AccessibilityInformation | undefined;
  visible: boolean;
}

/** The status-bar item that is made meanwhile, and whether it is shown, which VS Code does not tell. */
function watchStatusBar(make: () => void): WatchedItem {
  const { window } = vscode;
  const original = window.createStatusBarItem;
  const made: (vscode.StatusBarItem & { visible: boolean })[] = [];
  const replacement = (...args: never[]): vscode.StatusBarItem => {
    const item = Object.assign(original(...args), { visible: false });
    const [show, hide] = [item.show.bind(item), item.hide.bind(item)];
    item.show = () => ((item.visible = true), show());
    item.hide = () => ((item.visible = false), hide());
    made.push(item);
    return item;
  };
  window.createStatusBarItem = replacement as unknown as typeof original;
  try {
    make();
  } finally {
    window.createStatusBarItem = original;
  }
  const [item] = made;
  assert.ok(item);
  return item;
}

/** Waits until something is so, looking again whenever VS Code had time to work. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`not so after 10 s: ${isSo.toString()}`);
}
