import type { LearningRecord } from '../record/schema';

/** How two records can disagree about who took whose place. */
export type Disorder =
  /** The successor names it, its own text does not say so: a writer died, or one side of a merge did not know. */
  | { readonly kind: 'unfinished'; readonly id: string; readonly by: string }
  /** It names a successor that does not name it. */
  | { readonly kind: 'one-sided'; readonly id: string; readonly by: string }
  /** It names a successor that is nowhere. */
  | { readonly kind: 'lost'; readonly id: string; readonly by: string }
  /**
   * Each took the next one's place, or one its own: none is left. `id` is the one to keep, the last that was changed;
   * `tied` if several were changed last, so that only a person can tell.
   */
  | { readonly kind: 'circle'; readonly id: string; readonly ids: readonly string[]; readonly tied: boolean };

/**
 * Who is superseded, and by whom as far as that is known. A record is from the moment its successor is on disk, whatever
 * its own text still says.
 */
export function successions(records: Iterable<LearningRecord>): Map<string, string | undefined> {
  const by = new Map<string, string | undefined>();
  const said = new Map<string, string | undefined>();
  for (const { id, status, supersedes, supersededBy } of records) {
    for (const old of supersedes) if (old !== id && !by.has(old)) by.set(old, id);
    if (status === 'superseded') said.set(id, supersededBy);
  }
  for (const [id, successor] of said) by.set(id, successor ?? by.get(id));
  return by;
}

/** A record as it is to be read beside the others. */
export function asSuperseded(
  record: LearningRecord,
  superseded: ReadonlyMap<string, string | undefined>,
): LearningRecord {
  if (!superseded.has(record.id)) return record;
  return { ...record, status: 'superseded', supersededBy: record.supersededBy ?? superseded.get(record.id) };
}

/** What is out of order among the records as they stand on disk. `known` are all ids that have a folder anywhere. */
export function findDisorders(records: readonly LearningRecord[], known: ReadonlySet<string>): Disorder[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const successors = successorsOf(records);
  const circles = findCircles(records, successors);
  const inCircle = new Set(circles.flatMap(({ ids }) => ids));
  return records.flatMap((record): Disorder[] => {
    const { id } = record;
    const circle = circles.find((one) => one.id === id);
    if (circle) return [{ kind: 'circle', ...circle }];
    if (inCircle.has(id)) return [];
    const [successor] = successors.get(id) ?? [];
    const by = record.supersededBy;
    if (successor !== undefined && (record.status !== 'superseded' || by === undefined || by === id))
      return [{ kind: 'unfinished', id, by: successor }];
    if (by === undefined || record.status !== 'superseded') return [];
    if (by === id) return [{ kind: 'circle', id, ids: [id], tied: false }];
    if (!known.has(by)) return [{ kind: 'lost', id, by }];
    return byId.get(by)?.supersedes.includes(id) === false ? [{ kind: 'one-sided', id, by }] : [];
  });
}

function successorsOf(records: readonly LearningRecord[]): Map<string, string[]> {
  const successors = new Map<string, string[]>();
  for (const { id, supersedes } of records)
    for (const old of supersedes) if (old !== id) successors.set(old, [...(successors.get(old) ?? []), id]);
  return successors;
}

function findCircles(
  records: readonly LearningRecord[],
  successors: ReadonlyMap<string, readonly string[]>,
): { id: string; ids: readonly string[]; tied: boolean }[] {
  const byId = new Map(records.map((record) => [record.id, record]));
  const done = new Set<string>();
  const circles: { id: string; ids: readonly string[]; tied: boolean }[] = [];
  for (const { id } of records) {
    const trail: string[] = [];
    for (let next: string | undefined = id; next !== undefined && !done.has(next);) {
      const start = trail.indexOf(next);
      if (start >= 0) {
        const ids = trail.slice(start);
        const age = (one: string): number => Date.parse(byId.get(one)?.updatedAt ?? '') || 0;
        const [latest = next, second = next] = ids.toSorted((a, b) => age(b) - age(a) || (a < b ? -1 : 1));
        circles.push({ id: latest, ids, tied: age(latest) === age(second) });
        break;
      }
      trail.push(next);
      next = successors.get(next)?.find((one) => byId.has(one));
    }
    for (const one of trail) done.add(one);
  }
  return circles;
}
