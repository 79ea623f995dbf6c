import * as vscode from 'vscode';

import type { OpenStore } from '../../node/open';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import type { LearningRef } from '../workspace';
import type { Ask } from './ask';

interface Outcome {
  readonly message: string;
  /** What can be opened. */
  readonly open?: LearningRef;
  readonly undo?: () => Promise<unknown>;
}

/** Writes, and makes the views right before anybody is told. */
export async function write<T>(
  { workspace }: Pick<Surface, 'workspace'>,
  work: () => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Writing the learning') };
  return vscode.window.withProgress(options, async () => {
    const result = await work();
    await workspace.refresh();
    return result;
  });
}

/** Tells what was done and offers to open it or take it back, without keeping the command waiting for an answer. */
export function announce(surface: Surface, ask: Ask, { message, open, undo }: Outcome): void {
  const openIt = vscode.l10n.t('Open');
  const undoIt = vscode.l10n.t('Undo');
  const follow = async (): Promise<void> => {
    const chosen = await ask.tell(message, ...(open ? [openIt] : []), ...(undo ? [undoIt] : []));
    if (open && chosen === openIt) await vscode.commands.executeCommand(commandIds.openRecord, open);
    if (undo && chosen === undoIt) await write(surface, undo);
  };
  follow().catch((error: unknown) => ask.fail(error));
}

/** The text of a record as it is now, to know later whether somebody has changed it. */
export async function textOf(store: OpenStore, file: string): Promise<string> {
  return new TextDecoder('utf-8').decode(await store.ports.files.read(file));
}
