import type { Journal } from '../ports';

/** One line of `receipts.jsonl`: what reached whom, or what somebody then did with it. */
export interface Receipt {
  readonly at: string;
  readonly did: 'gave' | 'opened' | 'upvoted';
  /** `L-0001`, or `store/L-0001`. */
  readonly ids: readonly string[];
  readonly session?: string;
  readonly agent?: string;
  readonly event?: string;
  readonly path?: string;
  /** How many more applied. */
  readonly omitted?: number;
  readonly bytes?: number;
  readonly ms?: number;
}

export function writeReceipt(journal: Journal, receipt: Receipt): void {
  journal.append(JSON.stringify(receipt));
}

/** Every line that is a receipt, the earliest first; others are passed over. */
export function parseReceipts(text: string): Receipt[] {
  return text.split('\n').flatMap((line) => parseReceipt(line) ?? []);
}

const kinds = new Set<unknown>(['gave', 'opened', 'upvoted']);

function parseReceipt(line: string): Receipt | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const one = JSON.parse(line) as Partial<Receipt>;
    const usable =
      typeof one.at === 'string' &&
      !Number.isNaN(Date.parse(one.at)) &&
      kinds.has(one.did) &&
      Array.isArray(one.ids) &&
      one.ids.every((id) => typeof id === 'string');
    return usable ? (one as Receipt) : undefined;
  } catch {
    return undefined;
  }
}

export interface Tally {
  readonly given: number;
  readonly opened: number;
  readonly upvoted: number;
  readonly lastGiven: string | undefined;
}

const noTally: Tally = { given: 0, opened: 0, upvoted: 0, lastGiven: undefined };
const counters = { gave: 'given', opened: 'opened', upvoted: 'upvoted' } as const;

/** How often each learning arrived and was used; `before` has what was counted already. */
export function tallyReceipts(
  receipts: readonly Receipt[],
  before: ReadonlyMap<string, Tally> = new Map(),
): ReadonlyMap<string, Tally> {
  const tallies = new Map(before);
  for (const { ids, did, at } of receipts) {
    for (const id of ids) {
      const tally = tallies.get(id) ?? noTally;
      const lastGiven = did === 'gave' && at > (tally.lastGiven ?? '') ? at : tally.lastGiven;
      tallies.set(id, { ...tally, [counters[did]]: tally[counters[did]] + 1, lastGiven });
    }
  }
  return tallies;
}

interface ReceiptFilter {
  readonly sinceMs?: number | undefined;
  readonly agent?: string | undefined;
  /** By its name. */
  readonly learning?: string | undefined;
}

export const selectReceipts = (
  receipts: readonly Receipt[],
  { sinceMs = -Infinity, agent, learning }: ReceiptFilter,
): Receipt[] =>
  receipts.filter(
    (one) =>
      Date.parse(one.at) >= sinceMs &&
      (agent === undefined || one.agent === agent) &&
      (learning === undefined || one.ids.includes(learning)),
  );

/** Agents that name no session are in the same one as long as they do not pause for longer. */
const PAUSE_MS = 30 * 60_000;

/** What an agent was given in one session, the agents within it included; the latest session unless one is named. */
export function receiptsOfSession(receipts: readonly Receipt[], session?: string): Receipt[] {
  const given = receipts.filter(({ did }) => did === 'gave');
  const last = given.at(-1);
  if (!last) return [];
  if (session === undefined && last.session === undefined) {
    const unnamed = given.filter((one) => one.session === undefined);
    const isLater = (index: number): boolean => {
      const [one, next] = [unnamed[index], unnamed[index + 1]];
      return !next || !one || Date.parse(next.at) - Date.parse(one.at) < PAUSE_MS;
    };
    let start = unnamed.length - 1;
    while (start > 0 && isLater(start - 1)) start--;
    return unnamed.slice(start);
  }
  const isWithin = (inner: string | undefined, outer: string): boolean =>
    inner === outer || inner?.startsWith(`${outer}.`) === true;
  // An agent within an agent counts as the one that called it.
  const sessions = given.flatMap((one) => one.session ?? []);
  const outermost = (inner: string): string =>
    sessions.reduce((best, one) => (one.length < best.length && isWithin(inner, one) ? one : best), inner);
  const wanted = session ?? outermost(last.session ?? '');
  return given.filter((one) => isWithin(one.session, wanted));
}
