import * as vscode from 'vscode';

import {
  agentTitle,
  LearningsError,
  namesIn,
  oneLine,
  parseReceipts,
  receiptsOfSession,
  renderFooter,
  type Learnings,
  type Receipt,
} from '../../core/api';
import { receiptsJournal } from '../../node/journal';
import type { Surface } from '../surface';

/** What one session of an agent was given. */
interface UsedIn {
  readonly store: Learnings;
  readonly receipts: readonly Receipt[];
}

/** Whoever looks for an older one knows its name, and has the command line. */
const MAX_SESSIONS = 30;

/** The sessions that were given something, the latest first. */
export function sessionsOf(stores: readonly Learnings[]): UsedIn[] {
  const lastOf = ({ receipts }: UsedIn): string => receipts.at(-1)?.at ?? '';
  return stores
    .flatMap((store) => {
      const all = parseReceipts(receiptsJournal(store.root).read());
      const found: UsedIn[] = [];
      let rest = all;
      while (found.length < MAX_SESSIONS) {
        const receipts = receiptsOfSession(rest);
        if (receipts.length === 0) break;
        const taken = new Set(receipts);
        rest = rest.filter((one) => !taken.has(one));
        found.push({ store, receipts });
      }
      return found;
    })
    .toSorted((a, b) => (lastOf(a) < lastOf(b) ? 1 : -1));
}

export function footerOf({ store, receipts }: UsedIn): string {
  const used = namesIn(receipts).map((name) => ({ name, held: store.get(name) }));
  return renderFooter(used, agentsIn(receipts));
}

const agentsIn = (receipts: readonly Receipt[]): string[] => [
  ...new Set(receipts.flatMap(({ agent }) => agent ?? [])),
];

/** Copies “Learnings used” of a session, for the description of a pull request. */
export async function copyUsed({ workspace }: Surface): Promise<void> {
  const sessions = sessionsOf(workspace.all());
  if (sessions.length === 0) {
    const message = vscode.l10n.t('No agent has been given learnings in this checkout yet.');
    throw new LearningsError('not-found', message);
  }
  const items = sessions.slice(0, 30).map((used) => ({
    label: oneLine(agentsIn(used.receipts).map(agentTitle).join(', ') || vscode.l10n.t('An agent'), 60),
    description: new Date(used.receipts.at(-1)?.at ?? '').toLocaleString(vscode.env.language, {
      dateStyle: 'medium',
      timeStyle: 'short',
    }),
    detail: oneLine(namesIn(used.receipts).join(', '), 200),
    used,
  }));
  const picked =
    items.length === 1
      ? items[0]
      : await vscode.window.showQuickPick(items, {
          title: vscode.l10n.t('Copy Learnings Used'),
          placeHolder: vscode.l10n.t('By which session of an agent?'),
          matchOnDetail: true,
        });
  if (!picked) return;
  await vscode.env.clipboard.writeText(footerOf(picked.used));
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied, to paste into a pull request'), 5000);
}
