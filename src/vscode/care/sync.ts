import * as vscode from 'vscode';

import type { Learnings } from '../../core/api';
import { rebuildIndex } from '../../node/open';
import type { Surface } from '../surface';
import { storesToCareFor, withProgress } from './stores';

/** Reads every record again and rebuilds the index of each root. */
export async function rebuildIndexes(surface: Surface): Promise<void> {
  const stores = storesToCareFor(surface);
  const title = vscode.l10n.t('Rebuilding the index of learnings');
  const rebuilt = await withProgress(title, stores, ({ root }) => rebuildIndex(root));
  if (!rebuilt) return;
  await surface.workspace.refresh();
  await report(rebuilt);
}

async function report(stores: readonly Learnings[]): Promise<void> {
  const count = (of: (store: Learnings) => readonly unknown[]): number =>
    stores.reduce((sum, store) => sum + of(store).length, 0);
  const read = vscode.l10n.t(
    'Index rebuilt. Learnings: {0}, candidates: {1}, archived: {2}.',
    count((store) => store.list()),
    count((store) => store.list('candidate')),
    count((store) => store.list('archived')),
  );
  const problems = count((store) => store.problems());
  if (problems === 0) {
    void vscode.window.showInformationMessage(`${read} ${vscode.l10n.t('No problems.')}`);
    return;
  }
  const show = vscode.l10n.t('Show Problems');
  const found = vscode.l10n.t('Problems: {0}.', problems);
  if ((await vscode.window.showWarningMessage(`${read} ${found}`, show)) === show)
    await vscode.commands.executeCommand('workbench.actions.view.problems');
}
