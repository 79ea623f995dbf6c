import type { LearningRecord } from '../record/schema';
import type { Vote } from '../store/votes';

const DAY_MS = 86_400_000;

/** What a learning's place among others depends on, apart from what it was matched by. */
export interface Standing {
  /** Votes, each worth less the older it is. */
  readonly votes: number;
  readonly priority: number;
  readonly weight: number;
  readonly updatedMs: number;
  readonly id: string;
}

/** What counts for more among learnings that are equal in votes and priority. */
export const kindWeights: Readonly<Record<LearningRecord['kind'], number>> = {
  rule: 5,
  decision: 5,
  validation: 4,
  summary: 4,
  evidence: 3,
  fact: 3,
};

export interface Decay {
  /** 0: votes do not age. */
  readonly halfLifeDays: number;
  /** The moment at which votes are weighed. All scores shrink alike with time, so any one moment gives the same order. */
  readonly atMs: number;
}

export function standingOf(
  record: Pick<LearningRecord, 'id' | 'priority' | 'kind' | 'updatedAt'>,
  votes: readonly Vote[],
  decay: Decay,
): Standing {
  return {
    votes: voteScore(votes, decay),
    priority: record.priority,
    weight: kindWeights[record.kind],
    updatedMs: (record.updatedAt === undefined ? NaN : Date.parse(record.updatedAt)) || 0,
    id: record.id,
  };
}

export function voteScore(votes: readonly Vote[], { halfLifeDays, atMs }: Decay): number {
  if (halfLifeDays === 0) return votes.length;
  // Oldest first, so that the same votes in another order add up to exactly the same.
  return votes
    .map(({ at }) => Math.pow(0.5, (atMs - Date.parse(at)) / DAY_MS / halfLifeDays))
    .toSorted((a, b) => a - b)
    .reduce((sum, one) => sum + one, 0);
}

/** The order of matched learnings: negative if `a` comes first. Total, since ids differ. */
export function compareRanked(
  a: { readonly standing: Standing; readonly specificity: number },
  b: { readonly standing: Standing; readonly specificity: number },
): number {
  return (
    compareWorth(a.standing, b.standing) ||
    b.specificity - a.specificity ||
    compareAge(a.standing, b.standing)
  );
}

/** What comes before specificity in the order, and what comes after it: the parts that no query changes. */
export function compareWorth(a: Standing, b: Standing): number {
  return b.votes - a.votes || b.priority - a.priority || b.weight - a.weight;
}

export function compareAge(a: Standing, b: Standing): number {
  return b.updatedMs - a.updatedMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The place of each in the order; equals share one. */
export function ranksIn(
  standings: readonly Standing[],
  compare: (a: Standing, b: Standing) => number,
): Uint32Array {
  const order = standings.map((standing, document) => ({ standing, document }));
  order.sort((a, b) => compare(a.standing, b.standing));
  const ranks = new Uint32Array(standings.length);
  for (const [index, { standing, document }] of order.entries()) {
    const before = order[index - 1];
    ranks[document] =
      before && compare(before.standing, standing) === 0 ? (ranks[before.document] ?? 0) : index;
  }
  return ranks;
}
