import * as vscode from 'vscode';

import { nameOf, type Tally } from '../core/api';
import { deliveryCounter } from '../node/deliveryCounts';
import type { Entry, Workspace } from './workspace';

/** One agent's calls come one upon the other. */
const SETTLE_MS = 1000;
/** When a window opens there are better things to do. */
const START_MS = 2000;

/** How often each learning was given to agents and used by them, as the receipts say. */
export class Deliveries implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private readonly counters = new Map<string, ReturnType<typeof deliveryCounter>>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly tallies = new Map<string, ReadonlyMap<string, Tally>>();

  readonly onDidChange = this.changed.event;

  constructor(workspace: Pick<Workspace, 'onDidDeliver' | 'onDidRead'>) {
    this.subscriptions = [
      this.changed,
      workspace.onDidDeliver((root) => this.countIn(root, SETTLE_MS)),
      workspace.onDidRead(({ learnings: { root } }) => {
        if (!this.counters.has(root)) this.countIn(root, START_MS);
      }),
    ];
  }

  /** Those of one learning; undefined as long as they are not known, or if nothing was given here at all. */
  of({ store: { root }, held: { origin, record } }: Entry): Tally | undefined {
    const tallies = this.tallies.get(root);
    if (!tallies || tallies.size === 0) return undefined;
    return tallies.get(nameOf(origin, record)) ?? { given: 0, opened: 0, upvoted: 0, lastGiven: undefined };
  }

  /** Nobody waits for it: what is shown is made anew when it is known. */
  private countIn(root: string, ms: number): void {
    const count = this.counters.get(root) ?? deliveryCounter(root);
    this.counters.set(root, count);
    clearTimeout(this.timers.get(root));
    const work = (): void => {
      const tallies = count();
      const isOther = tallies !== this.tallies.get(root) && tallies.size > 0;
      this.tallies.set(root, tallies);
      if (isOther) this.changed.fire();
    };
    this.timers.set(root, setTimeout(work, ms));
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Such as `given 12 times, last yesterday`; undefined where there is nothing to say. */
export function deliveryText(tally: Tally | undefined): string | undefined {
  if (!tally) return undefined;
  const { given, opened, lastGiven } = tally;
  if (given === 0) return vscode.l10n.t('never given to an agent');
  const when = lastGiven === undefined ? '' : dayText(lastGiven, Date.now());
  const times =
    given === 1
      ? vscode.l10n.t('given once, {0}', when)
      : vscode.l10n.t('given {0} times, last {1}', given, when);
  if (opened === 0) return times;
  return opened === 1
    ? vscode.l10n.t('{0}; opened once', times)
    : vscode.l10n.t('{0}; opened {1} times', times, opened);
}

const DAY_MS = 86_400_000;

function dayText(at: string, nowMs: number): string {
  const midnight = (ms: number): number => new Date(ms).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(nowMs) - midnight(Date.parse(at))) / DAY_MS);
  if (days <= 0) return vscode.l10n.t('today');
  if (days === 1) return vscode.l10n.t('yesterday');
  if (days < 14) return vscode.l10n.t('{0} days ago', days);
  return new Date(at).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}
