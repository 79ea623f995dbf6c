import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import { commandIds } from '../../src/vscode/ids';

/** The copy of the sample project; whatever a test changes there it takes back. */
const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const uriOf = (path: string): vscode.Uri => vscode.Uri.file(join(root(), path));
const recordOf = (id: string): string => join(root(), '.learnings', id, 'learning.yaml');

const refresh = (): Thenable<unknown> => vscode.commands.executeCommand(commandIds.refresh);

async function withRecord(id: string, text: string, work: () => Promise<void>): Promise<void> {
  mkdirSync(join(root(), '.learnings', id));
  try {
    writeFileSync(recordOf(id), text);
    await refresh();
    await work();
  } finally {
    for (const folder of [id, `archive/${id}`])
      rmSync(join(root(), '.learnings', folder), { recursive: true, force: true });
    await refresh();
  }
}

const dialogs = [
  'showInformationMessage',
  'showWarningMessage',
  'showErrorMessage',
  'showQuickPick',
  'createQuickPick',
] as const;

/** What the extension says and asks, answered as a person would. Nothing else of VS Code is replaced. */
class Person {
  readonly said: string[] = [];
  private readonly window = vscode.window as unknown as Record<string, unknown>;
  private readonly real = dialogs.map((name) => [name, this.window[name]] as const);

  /** The buttons to press, one for each message that has them; undefined closes it. */
  constructor(private readonly presses: (string | undefined)[] = []) {
    const say = (message: string, ...buttons: string[]): Promise<string | undefined> => {
      this.said.push(message);
      const press = buttons.length > 0 ? this.presses.shift() : undefined;
      assert.ok(press === undefined || buttons.includes(press), `${press ?? ''} of ${buttons.join()}`);
      return Promise.resolve(press);
    };
    for (const name of dialogs.slice(0, 3)) this.window[name] = say;
  }

  picks(choose: (items: readonly vscode.QuickPickItem[]) => vscode.QuickPickItem | undefined): void {
    this.window['showQuickPick'] = (items: readonly vscode.QuickPickItem[]) => Promise.resolve(choose(items));
  }

  leave(): void {
    for (const [name, value] of this.real) this.window[name] = value;
  }
}

async function eventually(isSo: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('care', () => {
  let person: Person | undefined;
  const meet = (...presses: (string | undefined)[]): Person => (person = new Person(presses));
  afterEach(() => {
    person?.leave();
    person = undefined;
  });
  before(refresh);

  const tab = (): vscode.Tab | undefined => vscode.window.tabGroups.activeTabGroup.activeTab;

  it('explains a file on a page of its own, once however often it is asked', async () => {
    for (let times = 0; times < 2; times++)
      await vscode.commands.executeCommand(commandIds.explain, uriOf('src/http/server.ts'));
    await eventually(() => tab()?.label === 'Learnings for server.ts', 'no page');
    assert.ok(tab()?.input instanceof vscode.TabInputWebview);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('has the same page as Markdown, which follows the store', async () => {
    const query = uriOf('src/http/server.ts').toString();
    const page = await vscode.workspace.openTextDocument(
      vscode.Uri.from({ scheme: 'learnings-explain', path: '/page.md', query }),
    );
    assert.match(page.getText(), /3 learnings are about this file\./);
    assert.match(page.getText(), /\| 1 \| \[\*\*L\\-0005.*`src\/http\/server\.ts`.*exact/);
    await withRecord(
      'L-0900',
      'id: L-0900\nschemaVersion: 1\nsummary: Fresh.\nscope: {paths: [src/http/server.ts]}\n',
      () => eventually(() => page.getText().includes('Fresh'), 'the page did not follow'),
    );
  });

  it('says what to do where there is nothing to explain', async () => {
    const { said } = meet();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand(commandIds.explain);
    await vscode.commands.executeCommand(commandIds.explain, uriOf('.learnings/L-0001/learning.yaml'));
    assert.match(said[0] ?? '', /^Open the file/);
    assert.match(said[1] ?? '', /^A record is about other files/);
  });

  it('rebuilds the index and says what is in it', async () => {
    const { said } = meet();
    const index = join(root(), '.learnings', '.cache', 'index.bin');
    rmSync(index, { force: true });
    await vscode.commands.executeCommand(commandIds.sync);
    assert.ok(existsSync(index));
    assert.match(
      said[0] ?? '',
      /^Index rebuilt\. Learnings: 13, candidates: 1, archived: 0\. No problems\.$/,
    );
  });

  it('says plainly that nothing is stale', async () => {
    const { said } = meet();
    await vscode.commands.executeCommand(commandIds.checkStaleness);
    assert.match(said[0] ?? '', /^Nothing is stale/);
  });

  it('lists what is stale with its reason, and opens it', async () => {
    const text = 'id: L-0901\nschemaVersion: 1\nsummary: Left $(behind).\nscope: {paths: ["gone/**"]}\n';
    await withRecord('L-0901', text, async () => {
      const real = vscode.window.createQuickPick.bind(vscode.window);
      let shown: vscode.QuickPick<vscode.QuickPickItem> | undefined;
      meet();
      Object.assign(vscode.window, { createQuickPick: () => (shown = real()) });
      await vscode.commands.executeCommand(commandIds.checkStaleness);
      const [item] = shown?.items ?? [];
      assert.equal(item?.label, 'Left \\$(behind).');
      assert.match(item.detail ?? '', /^No file matches gone\/\*\* any more\.$/);
      assert.equal(item.buttons?.length, 3);
      await eventually(() => shown?.activeItems.length === 1, 'nothing is chosen');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      const record = vscode.Uri.file(recordOf('L-0901')).toString();
      await eventually(
        () => vscode.window.activeTextEditor?.document.uri.toString() === record,
        'not opened',
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  it('repairs after showing what it would do, and says what it did', async () => {
    const text = 'id: L-0999\nschemaVersion: 1\nsummary: Misnamed.\nscope: {paths: ["src/**"]}\n';
    await withRecord('L-0902', text, async () => {
      const first = meet();
      first.picks((items) => {
        assert.match(items[0]?.label ?? '', /Repair 1 problem/);
        assert.match(items[2]?.detail ?? '', /set id: L-0902/);
        return undefined;
      });
      await vscode.commands.executeCommand(commandIds.repair);
      assert.equal(readFileSync(recordOf('L-0902'), 'utf8'), text, 'nothing may change before it is told to');
      first.leave();

      const second = meet();
      second.picks(([repair]) => repair);
      await vscode.commands.executeCommand(commandIds.repair);
      assert.match(readFileSync(recordOf('L-0902'), 'utf8'), /^id: L-0902$/m);
      assert.deepEqual(second.said, ['1 repair done. Nothing is left.']);
    });
  });

  it('has nothing to repair in a store that is well', async () => {
    const { said } = meet();
    await vscode.commands.executeCommand(commandIds.repair);
    assert.deepEqual(said, ['All is well: there is nothing to repair.']);
  });

  describe('when a file is renamed in the editor', () => {
    const [old, moved] = ['src/http/server.ts', 'src/http/listen.ts'];
    const rename = async (from: string, to: string): Promise<void> => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(uriOf(from), uriOf(to));
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    const record = (): string => readFileSync(recordOf('L-0005'), 'utf8');

    it('offers to rewrite the patterns that meant it, keeps everything else, and undoes it at once', async () => {
      const before = record();
      const { said } = meet('Update', 'Undo');
      try {
        await rename(old, moved);
        await eventually(() => said.length > 1, 'nothing was offered');
        assert.match(said[0] ?? '', /^L-0005 means files that moved\./);
        assert.match(said[1] ?? '', /^The patterns of 1 learning follow/);
        await eventually(() => record() === before, 'not undone');
      } finally {
        person?.leave();
        meet('Not Now');
        await rename(moved, old);
        writeFileSync(recordOf('L-0005'), before);
        await refresh();
      }
    });

    it('writes nothing when it is told not now, and does not ask while switched off', async () => {
      const before = record();
      const { said } = meet('Not Now', 'Not Now');
      await rename(old, moved);
      await eventually(() => said.length === 1, 'nothing was offered');
      await rename(moved, old);
      assert.equal(record(), before);
      const settings = vscode.workspace.getConfiguration('learnings');
      await settings.update('offerRenames', false, vscode.ConfigurationTarget.Global);
      try {
        const count = said.length;
        await rename(old, moved);
        await rename(moved, old);
        assert.equal(said.length, count);
      } finally {
        await settings.update('offerRenames', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('rewrites the pattern in place and saves it', async () => {
      const before = record();
      const { said } = meet('Update', undefined);
      try {
        await rename(old, moved);
        await eventually(() => said.length > 1, 'nothing was offered');
        assert.match(record(), /^ {2}paths: \["src\/http\/listen\.ts"\]$/m);
        const unchanged = (text: string): string[] =>
          text.split('\n').filter((line) => !/updated_at|src\/http\/(server|listen)\.ts/.test(line));
        assert.deepEqual(unchanged(record()), unchanged(before));
      } finally {
        person?.leave();
        meet('Not Now');
        await rename(moved, old);
        writeFileSync(recordOf('L-0005'), before);
        await refresh();
      }
    });
  });
});
