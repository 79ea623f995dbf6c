import * as vscode from 'vscode';

import { LearningsError, type Learnings } from '../../core/api';
import type { Surface } from '../surface';

/** The stores that a command is to look after. Where nobody trusts the workspace, it is refused. */
export function storesToCareFor({ workspace }: Surface): readonly Learnings[] {
  const stores = workspace.all();
  if (stores.length === 0) {
    const message = vscode.l10n.t('No open folder keeps learnings yet. Add one first.');
    throw new LearningsError('no-store', message);
  }
  for (const { root } of stores) workspace.writer(root);
  return stores;
}

/** Works on one after the other and shows that. Undefined if it was cancelled: what is under way is not waited for. */
export async function withProgress<S, T>(
  title: string,
  items: readonly S[],
  work: (item: S, token: vscode.CancellationToken) => Promise<T>,
): Promise<readonly T[] | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_, token) => {
    const cancelled = new Promise<undefined>((resolve) =>
      token.onCancellationRequested(() => resolve(undefined)),
    );
    const done: T[] = [];
    for (const item of items) {
      const result = await Promise.race([work(item, token).then((value) => ({ value })), cancelled]);
      if (!result || token.isCancellationRequested) return undefined;
      done.push(result.value);
    }
    return done;
  });
}
