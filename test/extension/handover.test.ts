import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import { isUpToDate, loadSnapshot } from '../../src/node/savedSnapshot';
import { commandIds } from '../../src/vscode/ids';
import { openStoreAt } from '../../src/node/open';

const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const left = (): string => join(root(), '.learnings', '.cache', 'editor.json');

async function eventually(isSo: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 10_000;
  while (!isSo()) {
    assert.ok(Date.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('what the extension leaves for the programs beside it', () => {
  const set = (key: string, value: unknown): Thenable<void> =>
    vscode.workspace.getConfiguration('learnings').update(key, value, vscode.ConfigurationTarget.Workspace);

  it('is what was set in the editor, as long as it is set', async () => {
    try {
      await set('enabled', false);
      await set('caps', { perCall: 3 });
      await eventually(
        () => existsSync(left()) && readFileSync(left(), 'utf8').includes('per_call'),
        'not left',
      );
      assert.deepEqual(JSON.parse(readFileSync(left(), 'utf8')), { enabled: false, 'caps.per_call': 3 });
    } finally {
      await set('enabled', undefined);
      await set('caps', undefined);
    }
    await eventually(() => !existsSync(left()), 'not removed');
  });

  it('is a snapshot that has what was just written', async () => {
    const store = openStoreAt(root());
    const id = await store.add({ summary: 'Only for a moment here.', scope: { paths: ['src/moment.ts'] } });
    try {
      await vscode.commands.executeCommand(commandIds.refresh);
      const names = (): string[] | undefined => {
        const saved = loadSnapshot(root());
        const found = saved?.find({ paths: ['src/moment.ts'] }, { limit: 9, sinceMs: 0, accept: () => true });
        return saved && isUpToDate(saved) ? found?.matches.map(({ name }) => name) : undefined;
      };
      await eventually(() => names()?.includes(id) === true, 'the snapshot does not have it');
    } finally {
      await store.withdraw(id);
      await vscode.commands.executeCommand(commandIds.refresh);
    }
  });
});
