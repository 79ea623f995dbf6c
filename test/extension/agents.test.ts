import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { ActiveFile } from '../../src/vscode/activeFile';
import { AgentSetUp } from '../../src/vscode/agents/setUp';
import { commandIds } from '../../src/vscode/ids';
import type { Surface } from '../../src/vscode/surface';
import { Workspace } from '../../src/vscode/workspace';
import { accept, esc, Person, tick } from './person';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const at = (path: string): string => join(root, path);

/** Presses these buttons, one for each notification, and looks at what is shown meanwhile. */
class Presser extends Person {
  readonly tabs: (string | undefined)[] = [];
  presses: (string | undefined)[] = [];

  override tell(message: string): Promise<string | undefined> {
    this.told.push(message);
    this.tabs.push(vscode.window.tabGroups.activeTabGroup.activeTab?.label);
    return Promise.resolve(this.presses.shift());
  }
}

describe('Set Up Agents', () => {
  const log = vscode.window.createOutputChannel('agents', { log: true });
  const workspace = new Workspace(log);
  const activeFile = new ActiveFile();
  const memory = {} as vscode.Memento;
  const surface: Surface = { workspace, activeFile, log, memory, ownMemory: memory };
  const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
  const agents = new AgentSetUp(surface, extension?.extensionPath ?? '');

  before(() => workspace.refresh());
  afterEach(async () => {
    for (const path of ['.claude', '.github', '.mcp.json', '.cursor', '.learnings/agents'])
      rmSync(at(path), { recursive: true, force: true });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => {
    agents.dispose();
    workspace.dispose();
    activeFile.dispose();
    log.dispose();
  });

  const settled = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));

  it('shows the changes in the comparison of several files, writes them, and takes them back', async () => {
    const person = new Presser([tick('claude', 'mcp')]);
    person.presses = ['Write', undefined];
    await agents.start(person);
    assert.match(
      person.told[0] ?? '',
      /^Change these 4 files of [\w-]+ as shown, and 4 programs in .*KB\)\?$/,
    );
    assert.match(person.tabs[0] ?? '', /^Files for Agents/);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined, 'it stays open');
    assert.match(readFileSync(at('.claude/settings.json'), 'utf8'), /agents\/hook\.js/);
    assert.match(readFileSync(at('.learnings/agents/hook.js'), 'utf8'), /^#!\/usr\/bin\/env node/);
    assert.ok(!existsSync(at('.github')));

    const again = new Presser([accept]);
    await agents.start(again);
    assert.deepEqual(again.told, ['Nothing has to change.']);
    const [question] = again.asked;
    assert.ok(question && 'chosen' in question);
    assert.deepEqual(question.chosen, ['claude', 'mcp']);
    const described = question.rows([]).map(({ value, description }) => [value, description]);
    assert.deepEqual(described, [
      ['copilot', ''],
      ['claude', 'set up'],
      ['mcp', 'set up'],
      ['cursor', ''],
    ]);

    const remover = new Presser([tick()]);
    remover.presses = ['Remove', 'Undo'];
    await agents.start(remover);
    await settled();
    assert.match(readFileSync(at('.mcp.json'), 'utf8'), /agents\/mcp\.js/);

    const last = new Presser([tick()]);
    last.presses = ['Remove', undefined];
    await agents.start(last);
    for (const path of ['.claude', '.mcp.json', '.learnings/agents']) assert.ok(!existsSync(at(path)), path);
  });

  it('writes nothing unless it is told to', async () => {
    for (const person of [new Presser([esc]), new Presser([tick('copilot')])]) {
      await agents.start(person);
      assert.deepEqual(person.failures, []);
      assert.ok(!existsSync(at('.github')));
      assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab, undefined, 'the comparison stays open');
    }
  });

  it('says which line keeps it from a file', async () => {
    mkdirSync(at('.claude'));
    writeFileSync(at('.claude/settings.json'), '{\n  "model": \n}\n');
    const person = new Presser([tick('claude')]);
    await agents.start(person);
    assert.match(String(person.failures[0]), /\.claude\/settings\.json:3:1 is not valid JSON/);
    assert.deepEqual(person.told, []);
  });

  it('replaces no file that somebody is writing in', async () => {
    writeFileSync(at('.mcp.json'), '{}\n');
    const document = await vscode.workspace.openTextDocument(at('.mcp.json'));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), ' ');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(agents.start(new Presser([tick('mcp')])), /\.mcp\.json has unsaved changes/);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('is a command', async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes(commandIds.setUpAgents));
  });
});
