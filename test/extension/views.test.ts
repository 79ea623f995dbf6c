import assert from 'node:assert/strict';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { openLearnings, type FurtherStore, type Learnings } from '../../src/core/api';
import { nodeHash } from '../../src/node/hash';
import type { Inside } from '../../src/vscode/extension';
import { commandIds } from '../../src/vscode/ids';
import { AllLearnings } from '../../src/vscode/views/allLearnings';
import { Candidates } from '../../src/vscode/views/candidates';
import { dimming } from '../../src/vscode/views/row';
import { ThisFile } from '../../src/vscode/views/thisFile';
import type { Tree } from '../../src/vscode/views/tree';
import { memoryFileSystem, recordText } from '../unit/memoryFiles';

const DAY_MS = 86_400_000;

interface Given {
  readonly root?: string;
  readonly config?: string;
  readonly tags?: string;
  /** By folder below `.learnings`: the fields of the record, or its text. */
  readonly records: Record<string, Record<string, unknown> | string>;
  readonly personal?: FurtherStore;
}

const idOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);

function filesOf({ config = '', tags = '', records }: Given) {
  const files: Record<string, string> = { '.learnings/config.yaml': config, '.learnings/tags.yaml': tags };
  for (const [folder, given] of Object.entries(records)) {
    const text = typeof given === 'string' ? given : recordText(idOf(folder), given);
    files[`.learnings/${folder}/learning.yaml`] = text;
  }
  return memoryFileSystem(files);
}

function openMemory(given: Given): Promise<Learnings> {
  return openLearnings({
    root: given.root ?? '/repo',
    clock: { now: () => new Date(), sleep: () => Promise.resolve() },
    hash: nodeHash,
    files: filesOf(given),
    personal: given.personal,
  });
}

/** Stores in memory, as the trees see a workspace. */
class MemoryWorkspace {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private stores: readonly Learnings[]) {}

  all(): readonly Learnings[] {
    return this.stores;
  }

  change(...stores: readonly Learnings[]): void {
    this.stores = stores;
    this.changed.fire();
  }

  findForFile(uri: vscode.Uri) {
    const store = this.stores.find(({ root }) => uri.path.startsWith(`${root}/`));
    if (!store) return undefined;
    const path = uri.path.slice(store.root.length + 1);
    return { store, path, ...store.find({ paths: [path] }) };
  }

  get({ root, id }: { root: string; id: string }) {
    const store = this.stores.find((one) => one.root === root);
    const held = store?.get(id);
    return store && held && { store, held };
  }
}

class MemoryFile {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(public uri: vscode.Uri | undefined) {}

  open(path: string): void {
    this.uri = vscode.Uri.file(path);
    this.changed.fire();
  }
}

class Memory {
  private readonly values = new Map<string, unknown>();

  get<T>(key: string, otherwise?: T): T {
    return (this.values.has(key) ? this.values.get(key) : otherwise) as T;
  }

  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

const labelOf = ({ label }: vscode.TreeItem): string =>
  typeof label === 'object' ? label.label : (label ?? '');

/** A tree as text: two spaces a level, label and description of each row. */
function draw<Row>(tree: Tree<Row>, parent?: Row, indent = ''): string[] {
  return tree.getChildren(parent).flatMap((row) => {
    const item = tree.getTreeItem(row);
    const text = item.description ? `${labelOf(item)} | ${item.description}` : labelOf(item);
    return [`${indent}${text}`, ...draw(tree, row, `${indent}  `)];
  });
}

/** Every row, whatever it is below. */
function rowsOf<Row>(tree: Tree<Row>, parent?: Row): Row[] {
  return tree.getChildren(parent).flatMap((row) => [row, ...rowsOf(tree, row)]);
}

function itemOf<Row>(tree: Tree<Row>, label: string): vscode.TreeItem {
  const item = rowsOf(tree)
    .map((row) => tree.getTreeItem(row))
    .find((one) => labelOf(one).includes(label));
  assert.ok(item, `no row ${label}`);
  return item;
}

function tooltipOf<Row>(tree: Tree<Row>, label: string): vscode.MarkdownString {
  const row = rowsOf(tree).find((one) => labelOf(tree.getTreeItem(one)).includes(label));
  assert.ok(row, `no row ${label}`);
  const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(row), row);
  assert.ok(tooltip instanceof vscode.MarkdownString);
  return tooltip;
}

const fewRecords = {
  'L-0001': {
    summary: 'First.',
    scope: { paths: ['src/http/**'], tags: ['http'] },
    priority: 9,
    supersedes: 'L-0003',
  },
  'L-0002': { summary: 'Second.', scope: { paths: ['src/**', 'docs/'], tags: ['style'] }, kind: 'fact' },
  'L-0003': { summary: 'Third.', scope: { tags: ['http'] }, status: 'superseded', superseded_by: 'L-0001' },
  'archive/L-0004': { summary: 'Fourth.' },
  'candidates/C-00000001': { summary: 'Proposed.' },
};

async function allOf(given: Given, memory = new Memory()) {
  const workspace = new MemoryWorkspace([await openMemory(given)]);
  return { workspace, memory, tree: new AllLearnings(workspace, memory) };
}

describe('All Learnings', () => {
  it('groups by folder unless said otherwise, the superseded below their successors', async () => {
    const { tree } = await allOf({ records: fewRecords });
    assert.deepEqual(draw(tree), [
      'docs | 1',
      '  Second. | L-0002',
      'src | 1',
      '  Second. | L-0002',
      'src/http | 1',
      '  First. | L-0001',
      '    Third. | L-0003',
    ]);
  });

  it('groups by tag, by kind, or not at all', async () => {
    const { tree } = await allOf({ records: fewRecords });
    tree.show({ grouping: 'tag' });
    assert.deepEqual(draw(tree), [
      'http | 1',
      '  First. | L-0001',
      '    Third. | L-0003',
      'style | 1',
      '  Second. | L-0002',
    ]);
    tree.show({ grouping: 'kind' });
    assert.deepEqual(draw(tree), [
      'Rules | 1',
      '  First. | L-0001',
      '    Third. | L-0003',
      'Facts | 1',
      '  Second. | L-0002',
    ]);
    tree.show({ grouping: 'none' });
    assert.deepEqual(draw(tree), ['First. | L-0001', '  Third. | L-0003', 'Second. | L-0002']);
  });

  it('shows archived ones too when grouped by status, so that they can be restored', async () => {
    const { tree } = await allOf({ records: fewRecords });
    tree.show({ grouping: 'status' });
    assert.deepEqual(draw(tree), [
      'Active | 2',
      '  First. | L-0001',
      '  Second. | L-0002',
      'Superseded | 1',
      '  Third. | L-0003',
      'Archived | 1',
      '  Fourth. | L-0004',
    ]);
    assert.equal(itemOf(tree, 'Fourth.').contextValue, 'learning.archived');
  });

  it('dims what is superseded or archived, and nothing else', async () => {
    const { tree } = await allOf({ records: fewRecords });
    tree.show({ grouping: 'status' });
    const colorOf = (label: string): unknown => {
      const { resourceUri } = itemOf(tree, label);
      const { token } = new vscode.CancellationTokenSource();
      const decoration = resourceUri && dimming.provideFileDecoration(resourceUri, token);
      return decoration && 'color' in decoration ? decoration.color : undefined;
    };
    const dim = new vscode.ThemeColor('disabledForeground');
    assert.deepEqual(['First.', 'Third.', 'Fourth.'].map(colorOf), [undefined, dim, dim]);
    assert.deepEqual(
      ['First.', 'Third.', 'Fourth.'].map((label) => itemOf(tree, label).contextValue),
      ['learning.active', 'learning.superseded', 'learning.archived'],
    );
    const elsewhere = vscode.Uri.file('/repo/a.ts');
    const { token } = new vscode.CancellationTokenSource();
    assert.equal(dimming.provideFileDecoration(elsewhere, token), undefined);
  });

  it('filters by words of summary, id and tags, and says how many there are', async () => {
    const { tree } = await allOf({ records: fewRecords });
    assert.deepEqual(tree.heading, {});
    tree.show({ filter: 'HTTP first' });
    assert.deepEqual(draw(tree), ['src/http | 1', '  First. | L-0001', '    Third. | L-0003']);
    assert.deepEqual(tree.heading, { description: '“HTTP first”: 1 of 3' });
    tree.show({ filter: 'nobody wrote this' });
    assert.deepEqual(draw(tree), []);
  });

  it('opens every group for a filter, and closes them where there are many learnings', async () => {
    const records = Object.fromEntries(
      Array.from({ length: 61 }, (_, index) => [`L-${1000 + index}`, { scope: { paths: ['src/**'] } }]),
    );
    const { tree } = await allOf({ records });
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const closed = itemOf(tree, 'src');
    assert.equal(closed.collapsibleState, Collapsed);
    tree.show({ filter: 'L-1007' });
    assert.equal(itemOf(tree, 'src').collapsibleState, Expanded);
    assert.notEqual(itemOf(tree, 'src').id, closed.id);
  });

  it('remembers how it was looked at, and takes nonsense from the memory for nothing', async () => {
    const { tree, memory, workspace } = await allOf({ records: fewRecords });
    tree.show({ grouping: 'tag', filter: 'second' });
    await tree.remember();
    assert.deepEqual(draw(new AllLearnings(workspace, memory)), ['style | 1', '  Second. | L-0002']);
    await memory.update('views.all', { grouping: 'by the moon', filter: 7 });
    assert.deepEqual(new AllLearnings(workspace, memory).look, { grouping: 'folder', filter: '' });
  });

  it('keeps its ids when it is refreshed, and never has one twice', async () => {
    const { tree, workspace } = await allOf({ records: fewRecords });
    const ids = (): (string | undefined)[] => rowsOf(tree).map((row) => tree.getTreeItem(row).id);
    for (const grouping of ['folder', 'tag', 'kind', 'status', 'none'] as const) {
      tree.show({ grouping });
      const before = ids();
      assert.equal(new Set(before).size, before.length, grouping);
      workspace.change(await openMemory({ records: fewRecords }));
      assert.deepEqual(ids(), before);
    }
  });

  it('shows each folder of a workspace in a row of its own', async () => {
    const { tree, workspace } = await allOf({ records: fewRecords });
    tree.show({ grouping: 'none' });
    workspace.change(
      await openMemory({ root: '/work/one', records: { 'L-0001': { summary: 'Of one.' } } }),
      await openMemory({
        root: '/work/two',
        records: { 'L-0001': { summary: 'Of two.' }, 'L-0002': 'id: [' },
      }),
      await openMemory({ root: '/work/three', records: {} }),
    );
    assert.deepEqual(draw(tree), [
      'one | 1',
      '  Of one. | L-0001',
      'two | 1',
      '  Of two. | L-0001',
      '  1 problem…',
      'three | 0',
    ]);
    tree.show({ filter: 'two' });
    assert.deepEqual(draw(tree), ['two | 1', '  Of two. | L-0001']);
  });

  it('ends with the problems, which lead to the Problems panel', async () => {
    const records = { ...fewRecords, 'L-0008': 'id: [', 'L-0009': 'id: [' };
    const { tree } = await allOf({ records });
    assert.equal(draw(tree).at(-1), '2 problems…');
    assert.equal(itemOf(tree, 'problems').command?.command, 'workbench.actions.view.problems');
  });

  it('leaves it to the welcome to say that nothing can be shown', async () => {
    const { tree, workspace } = await allOf({ records: { 'L-0008': 'id: [' } });
    assert.deepEqual(draw(tree), []);
    workspace.change();
    assert.deepEqual(draw(tree), []);
  });

  it('says what a tag means when one points at it', async () => {
    const { tree } = await allOf({ records: fewRecords, tags: 'http: What goes over *the wire*.\n' });
    tree.show({ grouping: 'tag' });
    assert.equal(tooltipOf(tree, 'http').value, String.raw`What goes over \*the wire\*\.`);
  });

  it('tells a screen reader what the icons and colours say', async () => {
    const { tree } = await allOf({ records: fewRecords });
    const heard = (label: string): string | undefined => itemOf(tree, label).accessibilityInformation?.label;
    assert.equal(heard('Third.'), 'Third., Rule, Superseded, L-0003');
    assert.equal(heard('src/http'), 'src/http, 1 learning');
  });

  it('opens the record of a row on click or Enter', async () => {
    const { tree } = await allOf({ records: fewRecords });
    const { command } = itemOf(tree, 'First.');
    assert.equal(command?.command, commandIds.openRecord);
    assert.equal((command.arguments?.[0] as { held: { record: { id: string } } }).held.record.id, 'L-0001');
  });

  it('reads five thousand records once a change, and makes a tooltip only for the row that is pointed at', async () => {
    const store = await openMemory({ records: { 'L-0001': {} } });
    const [one] = store.list();
    assert.ok(one);
    const many = Array.from({ length: 5000 }, (_, index) => {
      const id = `L-${10_000 + index}`;
      const scope = { ...one.record.scope, paths: [`src/folder${index % 50}/**`] };
      const file = `.learnings/${id}/learning.yaml`;
      return { ...one, file, record: { ...one.record, id, scope, summary: `About ${id}.` } };
    });
    let lists = 0;
    const counted: Learnings = { ...store, list: () => (lists++, many) };
    const workspace = new MemoryWorkspace([counted]);
    const tree = new AllLearnings(workspace, new Memory());
    const groups = tree.getChildren();
    assert.equal(groups.length, 50);
    for (const grouping of ['folder', 'none'] as const) {
      tree.show({ grouping });
      lists = 0;
      const learnings = rowsOf(tree).filter(({ type }) => type === 'learning');
      assert.equal(learnings.length, 5000);
      for (const row of learnings) assert.equal(tree.getTreeItem(row).tooltip, undefined);
      assert.equal(lists, 1);
    }
    assert.match(tooltipOf(tree, 'About L-10000').value, /10000/);
    workspace.change(counted);
    assert.equal(lists, 1, 'a change is not read until somebody looks');
  });
});

describe('This File', () => {
  async function thisFile(given: Given, path = '/repo/src/http/server.ts') {
    const workspace = new MemoryWorkspace([await openMemory(given)]);
    const file = new MemoryFile(vscode.Uri.file(path));
    return { workspace, file, tree: new ThisFile(workspace, file) };
  }

  it('shows what is about the file, best first, and by which pattern', async () => {
    const { tree } = await thisFile({ records: fewRecords });
    assert.deepEqual(draw(tree), ['First. | L-0001 · src/http/**', 'Second. | L-0002 · src/**']);
    assert.deepEqual(tree.heading, {
      description: 'server.ts',
      badge: { value: 2, tooltip: '2 learnings are about server.ts' },
    });
    assert.match(tooltipOf(tree, 'First.').value, /Matched by path&#58;src\/http\/server\\\.ts/);
  });

  it('follows the editor and the learnings', async () => {
    const { tree, file, workspace } = await thisFile({ records: fewRecords });
    let fired = 0;
    tree.onDidChangeTreeData(() => fired++);
    file.open('/repo/docs/a.md');
    assert.deepEqual(draw(tree), ['Second. | L-0002 · docs/']);
    file.open('/repo/other.txt');
    assert.deepEqual(draw(tree), []);
    assert.deepEqual(tree.heading, { description: 'other.txt' });
    workspace.change(await openMemory({ records: { 'L-0007': { summary: 'New.' } } }));
    assert.deepEqual(draw(tree), ['New. | L-0007 · **']);
    file.open('/elsewhere/a.ts');
    assert.deepEqual(tree.heading, {});
    assert.equal(fired, 4);
  });

  it('stays as it is while one reads the learnings it lists', async () => {
    const { tree, file } = await thisFile({ records: fewRecords });
    const before = draw(tree);
    file.open('/repo/.learnings/L-0001/learning.yaml');
    assert.deepEqual(draw(tree), before);
    file.open('/home/me/.learnings/P-0001/learning.yaml');
    assert.deepEqual(draw(tree), before);
  });

  it('names the store of a learning that is not of this repository, and offers no change of it', async () => {
    const origin = { kind: 'personal', name: 'personal', root: '/home/me' } as const;
    const files = filesOf({ records: { 'P-0001': { summary: 'Mine.' } } });
    const { tree } = await thisFile({ records: {}, personal: { origin, files } });
    assert.deepEqual(draw(tree), ['Mine. | P-0001 · personal · **']);
    assert.equal(itemOf(tree, 'Mine.').contextValue, 'learning.foreign');
  });

  it('says that learnings are switched off, where they are', async () => {
    const { tree } = await thisFile({ config: 'enabled: false', records: fewRecords });
    assert.deepEqual(draw(tree), []);
    assert.match(tree.heading.message ?? '', /switched off/);
  });
});

describe('Candidates', () => {
  const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
  const records = {
    'candidates/C-00000001': { summary: 'Young.', created_by: 'codex', created_at: daysAgo(1.5) },
    'candidates/C-00000002': { summary: 'Old.', created_by: 'claude', created_at: daysAgo(6.5) },
    'candidates/C-00000003': { summary: 'Ancient.', created_at: daysAgo(30) },
    'L-0001': {},
  };
  const candidatesOf = async (...given: Given[]): Promise<Candidates> =>
    new Candidates(new MemoryWorkspace(await Promise.all(given.map(openMemory))));

  it('shows what waits, by whom and since when, the oldest first', async () => {
    const tree = await candidatesOf({ records });
    assert.deepEqual(draw(tree), [
      'Ancient. | 30 days ago',
      'Old. | by claude · 6 days ago',
      'Young. | by codex · 1 day ago',
    ]);
    assert.deepEqual(tree.heading, { badge: { value: 3, tooltip: '3 candidates wait for a decision' } });
    assert.equal(itemOf(tree, 'Old.').contextValue, 'candidate');
    assert.match(
      tooltipOf(tree, 'Young.').value,
      /Proposed by codex on .*\n\nWaits until somebody promotes or rejects it\./,
    );
  });

  it('says which folder one is of where there are several, and has no badge where there is none', async () => {
    const one = { 'candidates/C-00000001': { summary: 'Here.' } };
    const tree = await candidatesOf({ root: '/a', records: one }, { root: '/b', records: {} });
    assert.deepEqual(draw(tree), ['Here. | a']);
    assert.deepEqual((await candidatesOf({ records: {} })).heading, {});
  });
});

describe('hostile text in the trees', () => {
  const long = 'ten letters'.repeat(1000);
  const hostile = [
    '[run](command:workbench.action.quit) ![x](https://example.com/x.png)',
    '<img src=x onerror=alert(1)><a href="command:x">y</a>',
    '$(flame) $(sync~spin) **bold** `code` ~~gone~~',
    'left \u202E right \u200B\u0007\u001b[31m red',
    'one\n\n# two\r\n- three',
    long,
  ];

  it('shows it as one short line of plain text', async () => {
    const store = await openMemory({
      records: Object.fromEntries(hostile.map((_, at) => [`L-000${at}`, {}])),
    });
    const list = (): ReturnType<Learnings['list']> =>
      store.list().map((held, at) => {
        const text = hostile[at] ?? '';
        const scope = { paths: [`${text}/**`], tags: [text], symbols: [] };
        return {
          ...held,
          record: { ...held.record, summary: text, rationale: text, createdBy: text, scope },
        };
      });
    const workspace = new MemoryWorkspace([{ ...store, list }]);
    const all = new AllLearnings(workspace, new Memory());
    for (const tree of [all, new Candidates(workspace)] as Tree<unknown>[]) {
      for (const grouping of ['folder', 'tag', 'none'] as const) {
        all.show({ grouping });
        const rows = rowsOf(tree);
        assert.ok(rows.length >= hostile.length);
        for (const row of rows) {
          const item = tree.getTreeItem(row);
          const texts = [labelOf(item), String(item.description), item.accessibilityInformation?.label ?? ''];
          for (const text of texts) {
            assert.doesNotMatch(text, /[\p{Cc}\u200b\u202e]/u);
            assert.ok(text.length <= 700, `${text.length} characters`);
          }
          const { tooltip } = tree.resolveTreeItem(item, row);
          if (!(tooltip instanceof vscode.MarkdownString)) continue;
          assert.notEqual(tooltip.supportHtml, true);
          assert.notEqual(tooltip.supportThemeIcons, true);
          assert.ok(!tooltip.isTrusted);
          // Every bracket of it is escaped, so nothing of it is a link or a tag.
          assert.doesNotMatch(tooltip.value, /(?<!\\)\]\(|<\w/);
          assert.ok(tooltip.value.length < 20_000);
        }
      }
    }
  });
});

describe('the sidebar, in its host', () => {
  let inside: Inside;

  before(async () => {
    const extension = vscode.extensions.getExtension<Inside>(`${manifest.publisher}.${manifest.name}`);
    assert.ok(extension);
    inside = await extension.activate();
  });

  after(async () => {
    inside.views.all.tree.show({ grouping: 'folder', filter: '' });
    await inside.views.all.tree.remember();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('puts the file into the title and the count onto the badge', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const { view, tree } = inside.views.thisFile;
    const changed = new Promise((resolve) => tree.onDidChangeTreeData(resolve));
    await vscode.window.showTextDocument(vscode.Uri.file(join(folder.uri.fsPath, 'src/http/server.ts')));
    await changed;
    assert.equal(view.description, 'server.ts');
    assert.equal(view.badge?.value, 3);
    assert.deepEqual(
      tree.getChildren().map(({ held }) => held.record.id),
      ['L-0005', 'L-0008', 'L-0002'],
    );
    assert.equal(inside.views.candidates.view.badge?.value, 1);
  });

  it('groups as one picks, by keyboard, and remembers it', async () => {
    const { tree } = inside.views.all;
    assert.equal(tree.look.grouping, 'folder');
    const picking = vscode.commands.executeCommand(commandIds.groupBy);
    await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await picking;
    assert.equal(tree.look.grouping, 'tag');
    assert.deepEqual(inside.surface.memory.get('views.all'), { grouping: 'tag', filter: '' });
  });

  it('leaves the grouping on Escape', async () => {
    const { tree } = inside.views.all;
    const { grouping } = tree.look;
    const picking = vscode.commands.executeCommand(commandIds.groupBy);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await picking;
    assert.equal(tree.look.grouping, grouping);
  });

  it('keeps the filter as it was on Escape, and clears it on request', async () => {
    const { tree, view } = inside.views.all;
    tree.show({ filter: 'datum' });
    assert.match(view.description ?? '', /^“datum”: \d+ of 13$/);
    const typing = vscode.commands.executeCommand(commandIds.filter);
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await typing;
    assert.equal(tree.look.filter, 'datum');
    await vscode.commands.executeCommand(commandIds.clearFilter);
    assert.equal(tree.look.filter, '');
    assert.equal(view.description, '');
    assert.deepEqual(inside.surface.memory.get('views.all'), { grouping: 'tag', filter: '' });
  });
});
