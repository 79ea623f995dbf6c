import * as vscode from 'vscode';

import type { Held } from '../core/api';
import type { Surface } from './surface';
import { plainLabel } from './text';
import type { Entry, LearningRef } from './workspace';

/** What a command can be called with: a row of a tree, a reference in a link, or nothing from the palette. */
export type Target = Entry | LearningRef | undefined;

interface PickOptions {
  readonly title: string;
  /** Which learnings can be meant. */
  readonly accept: (held: Held) => boolean;
}

/** The learning that a command is about: the one it was called with, or one that is picked now. */
export async function resolveTarget(
  surface: Surface,
  target: Target,
  options: PickOptions,
): Promise<Entry | undefined> {
  if (target === undefined) return pickEntry(surface, options);
  if ('held' in target) return surface.workspace.get(referTo(target)) ?? target;
  const entry = surface.workspace.get(target);
  if (!entry) {
    const message = vscode.l10n.t('{0} is no longer there.', target.id);
    void vscode.window.showWarningMessage(message);
  }
  return entry;
}

const referTo = ({ store, held: { record, origin } }: Entry): LearningRef => ({
  root: store.root,
  id: origin.kind === 'repository' ? record.id : `${origin.name}/${record.id}`,
});

async function pickEntry(
  { workspace, activeFile }: Surface,
  { title, accept }: PickOptions,
): Promise<Entry | undefined> {
  const uri = activeFile.uri;
  const here = uri && workspace.findForFile(uri);
  const about = new Set(here?.matches.map(({ record }) => record.id));
  const entries = workspace
    .all()
    .flatMap((store) =>
      [...store.list(), ...store.list('candidate'), ...store.list('archived')].map((held) => ({
        store,
        held,
      })),
    )
    .filter(({ held }) => accept(held));
  const toItem = (entry: Entry): vscode.QuickPickItem & { entry: Entry } => ({
    label: plainLabel(entry.held.record.summary),
    description: entry.held.record.id,
    entry,
  });
  const near = entries.filter(({ held }) => about.has(held.record.id));
  const far = entries.filter(({ held }) => !about.has(held.record.id));
  const separator = (label: string): vscode.QuickPickItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const items: (vscode.QuickPickItem & { entry?: Entry })[] =
    near.length === 0
      ? far.map(toItem)
      : [
          separator(vscode.l10n.t('about this file')),
          ...near.map(toItem),
          separator(vscode.l10n.t('others')),
          ...far.map(toItem),
        ];
  const picked = await vscode.window.showQuickPick(items, {
    title,
    matchOnDescription: true,
    placeHolder: entries.length === 0 ? vscode.l10n.t('There is none.') : vscode.l10n.t('Which learning?'),
  });
  return picked?.entry;
}
