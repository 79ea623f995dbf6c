import * as vscode from 'vscode';

import type { Surface } from '../surface';
import { resolveTarget, type Target } from '../target';
import { refOf, type Entry } from '../workspace';
import { announce, write } from './after';
import { windowAsk, type Ask } from './ask';
import { writerOf } from './place';

/** Commands that take a record from one place of the store to another. */

export async function archiveLearning(surface: Surface, target: Target, ask: Ask = windowAsk): Promise<void> {
  const title = vscode.l10n.t('Archive Learning');
  const entry = await resolveTarget(surface, target, {
    title,
    accept: ({ status }) => status === 'active' || status === 'superseded',
  });
  if (!entry) return;
  const { id } = entry.held.record;
  const reason = await askForReason(ask, vscode.l10n.t('Archive {0}', id));
  if (reason === undefined) return;
  const store = await writerOf(surface, entry, ask);
  if (!store) return;
  await write(surface, () => store.archive(id, reason));
  announce(surface, ask, {
    message: vscode.l10n.t('Archived {0}.', id),
    undo: () => store.restore(id),
  });
}

export async function restoreLearning(surface: Surface, target: Target, ask: Ask = windowAsk): Promise<void> {
  const title = vscode.l10n.t('Restore Learning');
  const entry = await resolveTarget(surface, target, {
    title,
    accept: ({ status }) => status === 'archived',
  });
  const store = entry && (await writerOf(surface, entry, ask));
  if (!store) return;
  const { id } = entry.held.record;
  await write(surface, () => store.restore(id));
  announce(surface, ask, {
    message: vscode.l10n.t('Restored {0}.', id),
    open: refOf(entry.store.root, entry.held),
  });
}

export async function promoteCandidate(
  surface: Surface,
  target: Target,
  ask: Ask = windowAsk,
): Promise<void> {
  const entry = await candidate(surface, target, vscode.l10n.t('Promote Candidate'));
  const store = entry && (await writerOf(surface, entry, ask));
  if (!store) return;
  const id = await write(surface, () => store.promote(entry.held.record.id));
  announce(surface, ask, {
    message: vscode.l10n.t('{0} is now the learning {1}.', entry.held.record.id, id),
    open: { root: entry.store.root, id },
  });
}

export async function rejectCandidate(surface: Surface, target: Target, ask: Ask = windowAsk): Promise<void> {
  const entry = await candidate(surface, target, vscode.l10n.t('Reject Candidate'));
  if (!entry) return;
  const { id } = entry.held.record;
  const reason = await askForReason(ask, vscode.l10n.t('Reject {0}', id));
  if (reason === undefined) return;
  const store = await writerOf(surface, entry, ask);
  if (!store) return;
  await write(surface, () => store.reject(id, reason));
  announce(surface, ask, {
    message: vscode.l10n.t('Rejected {0}. It is kept in the archive.', id),
    undo: () => store.restore(id),
  });
}

const candidate = (surface: Surface, target: Target, title: string): Promise<Entry | undefined> =>
  resolveTarget(surface, target, { title, accept: ({ status }) => status === 'candidate' });

/** Empty if there is none to give; undefined if the question was dismissed. */
async function askForReason(ask: Ask, title: string): Promise<string | undefined> {
  const prompt = vscode.l10n.t('Why? For whoever looks at it later; may be left empty.');
  const answer = await ask.write({ title, prompt });
  return typeof answer === 'object' ? answer.value : undefined;
}
