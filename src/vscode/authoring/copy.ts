import * as vscode from 'vscode';

import { renderMarkdown } from '../../core/api';
import type { Surface } from '../surface';
import { resolveTarget, type Target } from '../target';
import { refOf } from '../workspace';

export async function copyAsMarkdown(surface: Surface, target: Target): Promise<void> {
  const title = vscode.l10n.t('Copy Learning as Markdown');
  const entry = await resolveTarget(surface, target, { title, accept: () => true });
  if (!entry) return;
  const { store, held } = entry;
  const whole = await store.read(refOf(store.root, held).id);
  const { record } = whole ?? { record: { ...held.record, body: undefined } };
  await vscode.env.clipboard.writeText(renderMarkdown(record, held.votes.length));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', record.id), 3000);
}
