import { basename } from 'node:path';

import * as vscode from 'vscode';

import type { Status } from '../../core/api';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { refOf, type Entry, type LearningRef, type Workspace } from '../workspace';

const DELAY_MS = 80;
const MAX_ROWS = 50;
/** So that the id, which stands behind, is seen too. */
const SUMMARY_CHARS = 72;

interface HitRow extends vscode.QuickPickItem {
  readonly ref?: LearningRef;
}

interface StatusButton extends vscode.QuickInputButton {
  readonly status: Status;
}

export function searchLearnings({ workspace, log }: Surface): Promise<void> {
  const box = vscode.window.createQuickPick<HitRow>();
  // They come in the order of their worth. VS Code's typings do not have this yet; without it only that suffers.
  Object.assign(box, { sortByLabel: false });
  const buttons = statusButtons();
  let status: Status = 'active';
  let asked = 0;
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const question = ++asked;
    box.busy = true;
    const rows = await searchRows(workspace, box.value, status);
    // Somebody has typed on meanwhile: the answer to that is on its way.
    if (question !== asked) return;
    box.items = rows;
    box.busy = false;
  };
  const lookSoon = (delayMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      look().catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
    }, delayMs);
  };
  const showStatus = (next: Status): void => {
    status = next;
    box.title = vscode.l10n.t('Search Learnings: {0}', nameOf(status));
    box.buttons = buttons.filter((button) => button.status !== status);
    lookSoon(0);
  };

  box.placeholder = vscode.l10n.t('Words of what you are looking for');
  box.onDidChangeValue(() => lookSoon(DELAY_MS));
  box.onDidTriggerButton((button) => showStatus((button as StatusButton).status));
  showStatus('active');
  return new Promise((resolve) => {
    box.onDidAccept(() => {
      const [row] = box.selectedItems;
      if (!row?.ref) return;
      void vscode.commands.executeCommand(commandIds.openRecord, row.ref);
      box.hide();
    });
    box.onDidHide(() => {
      asked = Infinity;
      clearTimeout(timer);
      box.dispose();
      resolve();
    });
    box.show();
  });
}

/** The hits in all folders, or with nothing typed what there is, the latest first. */
export async function searchRows(workspace: Workspace, query: string, status: Status): Promise<HitRow[]> {
  const text = query.trim();
  const stores = workspace.all();
  const found: { entry: Entry; score: number; snippet: string }[] = [];
  for (const store of stores) {
    if (text === '') {
      for (const held of store.list(status)) found.push({ entry: { store, held }, score: 0, snippet: '' });
    } else {
      const { hits } = await store.search(text, { status, limit: MAX_ROWS });
      for (const { held, score, snippet } of hits)
        found.push({ entry: { store, held }, score, snippet: snippet.text });
    }
  }
  const rows = found
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_ROWS)
    .map(({ entry: { store, held }, snippet }): HitRow => {
      const { record, origin } = held;
      const where =
        origin.kind === 'repository' ? (stores.length > 1 ? basename(store.root) : '') : origin.name;
      const news = beyond(record.summary, snippet);
      return {
        label: plainLabel(record.summary, SUMMARY_CHARS),
        description: where === '' ? record.id : `${record.id} · ${plainLabel(where)}`,
        ...(news !== '' && { detail: plainLabel(news) }),
        alwaysShow: true,
        ref: refOf(store.root, held),
      };
    });
  if (rows.length > 0) return rows;
  const nothing =
    text === ''
      ? vscode.l10n.t('There are none: {0}.', nameOf(status))
      : vscode.l10n.t('Nothing found among these: {0}.', nameOf(status));
  return [{ label: `$(info) ${nothing}`, alwaysShow: true }];
}

/** What a snippet says that the summary does not. */
function beyond(summary: string, snippet: string): string {
  const plain = snippet.replaceAll(/^…|…$/g, '');
  if (summary.includes(plain)) return '';
  return plain.startsWith(summary) ? `…${plain.slice(summary.length)}` : snippet;
}

function statusButtons(): readonly StatusButton[] {
  const icons: Record<Status, string> = {
    active: 'lightbulb',
    superseded: 'replace',
    archived: 'archive',
    candidate: 'inbox',
  };
  return (Object.keys(icons) as Status[]).map((status) => ({
    status,
    iconPath: new vscode.ThemeIcon(icons[status]),
    tooltip: vscode.l10n.t('Search among these: {0}', nameOf(status)),
  }));
}

function nameOf(status: Status): string {
  switch (status) {
    case 'active':
      return vscode.l10n.t('active');
    case 'superseded':
      return vscode.l10n.t('superseded');
    case 'archived':
      return vscode.l10n.t('archived');
    case 'candidate':
      return vscode.l10n.t('candidates');
  }
}
