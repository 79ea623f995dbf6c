import * as vscode from 'vscode';

import { findStale, oneLine, type Learnings, type Stale } from '../../core/api';
import { nodePorts } from '../../node/open';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { recordUri, type LearningRef } from '../workspace';
import { storesToCareFor, withProgress } from './stores';

interface StaleItem extends vscode.QuickPickItem {
  readonly ref: LearningRef;
  readonly reason: string;
}

/** Shows which learnings what they are about has left behind, and what can be done about each. */
export async function showStale(surface: Surface): Promise<void> {
  const stores = storesToCareFor(surface);
  const title = vscode.l10n.t('Checking which learnings are stale');
  const found = await withProgress(title, stores, async (store, token) => {
    const records = store.list('active').map(({ record }) => record);
    const stale = await findStale(nodePorts(store.root), records, {
      goOn: () => !token.isCancellationRequested,
    });
    return { store, stale };
  });
  if (!found) return;
  const items = found.flatMap(({ store, stale }) => stale.map((one) => toItem(store, one)));
  if (items.length === 0) {
    const message = vscode.l10n.t('Nothing is stale: every active learning still has what it is about.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  pickStale(surface, items);
}

const buttons = {
  open: {
    iconPath: new vscode.ThemeIcon('go-to-file'),
    tooltip: vscode.l10n.t('Open'),
  },
  supersede: {
    iconPath: new vscode.ThemeIcon('replace'),
    tooltip: vscode.l10n.t('Supersede…'),
  },
  archive: {
    iconPath: new vscode.ThemeIcon('archive'),
    tooltip: vscode.l10n.t('Archive for This Reason'),
  },
};

function toItem({ root }: Learnings, { record, reasons }: Stale): StaleItem {
  const reason = reasons.map(({ text }) => text).join(' ');
  // Commits alone prove little.
  const doubtful = reasons.every(({ kind }) => kind === 'commits');
  const shown = doubtful ? vscode.l10n.t('Perhaps just a squash merge. {0}', reason) : reason;
  return {
    label: plainLabel(record.summary),
    description: record.id,
    detail: plainLabel(shown, 400),
    buttons: [buttons.open, buttons.supersede, buttons.archive],
    ref: { root, id: record.id },
    reason,
  };
}

function pickStale(surface: Surface, items: readonly StaleItem[]): void {
  const pick = vscode.window.createQuickPick<StaleItem>();
  pick.title =
    items.length === 1
      ? vscode.l10n.t('1 learning looks stale')
      : vscode.l10n.t('{0} learnings look stale', items.length);
  pick.placeholder = vscode.l10n.t('Enter opens it; the buttons supersede or archive it');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  pick.items = items;
  pick.onDidAccept(() => {
    const [item] = pick.selectedItems;
    pick.hide();
    if (item) void openRecord(surface, item.ref);
  });
  pick.onDidTriggerItemButton(({ item, button }) => {
    if (button !== buttons.archive) pick.hide();
    if (button === buttons.open) void openRecord(surface, item.ref);
    else if (button === buttons.supersede)
      void vscode.commands.executeCommand(commandIds.supersede, item.ref);
    else void putAway(pick, item);
  });
  /** Several can be archived one after the other without asking anew. */
  const putAway = async (list: vscode.QuickPick<StaleItem>, item: StaleItem): Promise<void> => {
    list.busy = true;
    const archived = await archive(surface, item);
    list.busy = false;
    if (!archived) return;
    list.items = list.items.filter((one) => one !== item);
    if (list.items.length === 0) list.hide();
  };
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

async function openRecord({ workspace }: Surface, ref: LearningRef): Promise<void> {
  const entry = workspace.get(ref);
  if (entry) await vscode.window.showTextDocument(recordUri(entry));
}

/** Archives a learning because it is stale; one click brings it back. */
async function archive(
  { workspace, log }: Surface,
  { ref, reason }: Pick<StaleItem, 'ref' | 'reason'>,
): Promise<boolean> {
  try {
    const store = workspace.writer(ref.root);
    await store.archive(ref.id, oneLine(reason, 1000));
    await workspace.refresh();
    const undo = vscode.l10n.t('Undo');
    void vscode.window
      .showInformationMessage(vscode.l10n.t('{0} is in the archive now.', ref.id), undo)
      .then(async (answer) => {
        if (answer !== undo) return;
        await store.restore(ref.id);
        await workspace.refresh();
      })
      .then(undefined, (error: unknown) => log.error(error instanceof Error ? error : String(error)));
    return true;
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return false;
  }
}
