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

/** How often each learning arrived and was used. */
export function tallyReceipts(receipts: readonly Receipt[]): ReadonlyMap<string, Tally> {
  const tallies = new Map<string, { given: number; opened: number; upvoted: number; lastGiven?: string }>();
  const counters = { gave: 'given', opened: 'opened', upvoted: 'upvoted' } as const;
  for (const { ids, did, at } of receipts) {
    for (const id of ids) {
      const tally = tallies.get(id) ?? { given: 0, opened: 0, upvoted: 0 };
      tally[counters[did]]++;
      if (did === 'gave' && at > (tally.lastGiven ?? '')) tally.lastGiven = at;
      tallies.set(id, tally);
    }
  }
  return new Map([...tallies].map(([id, tally]) => [id, { lastGiven: undefined, ...tally }]));
}
