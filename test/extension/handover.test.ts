import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { receiptsJournal } from '../../src/node/journal';
import { isUpToDate, loadSnapshot } from '../../src/node/savedSnapshot';
import { openStoreAt } from '../../src/node/open';
import type { Inside } from '../../src/vscode/extension';
import { commandIds } from '../../src/vscode/ids';

const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const left = (): string => join(root(), '.learnings', '.cache', 'editor.json');

async function activated(): Promise<Inside> {
  const extension = vscode.extensions.getExtension<Inside>(`${manifest.publisher}.${manifest.name}`);
  assert.ok(extension);
  return extension.activate();
}

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

describe('deliveries', () => {
  it('are told in the tooltip and in the record, once they are counted', async () => {
    const journal = receiptsJournal(root());
    const { views, surface } = await activated();
    const at = new Date().toISOString();
    journal.append(JSON.stringify({ at, did: 'gave', ids: ['L-0001'], agent: 'claude-code' }));
    const entry = surface.workspace.get({ root: root(), id: 'L-0001' });
    assert.ok(entry);
    await eventually(() => (surface.deliveries.of(entry)?.given ?? 0) > 0, 'not counted');
    const { tree } = views.all;
    tree.show({ grouping: 'none', filter: '' });
    const row = tree.getChildren().find((one) => one.type === 'learning' && one.held.record.id === 'L-0001');
    assert.ok(row);
    const { tooltip } = tree.resolveTreeItem(tree.getTreeItem(row), row);
    assert.match(
      tooltip instanceof vscode.MarkdownString ? tooltip.value : '',
      /· given (?:once|\d+ times), (?:last )?today/,
    );
    tree.show({ grouping: 'folder' });

    const uri = vscode.Uri.file(join(root(), '.learnings', 'L-0001', 'learning.yaml'));
    await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      uri,
    );
    const titles = lenses.flatMap(({ command }) => command?.title ?? []);
    assert.ok(
      titles.some((title) => title.startsWith('Given ')),
      titles.join('\n'),
    );
  });
});
