import { kinds, statuses, type Held } from '../../core/api';

export const groupings = ['folder', 'tag', 'kind', 'status', 'none'] as const;
export type Grouping = (typeof groupings)[number];

type Listed = Pick<Held, 'record' | 'status'>;

export interface Group<T> {
  /** A folder, a tag, a kind or a status; the empty folder is the root, undefined those that belong to none. */
  readonly name: string | undefined;
  readonly members: readonly T[];
}

/** The learnings of a store in the order in which a tree shows them. */
export interface Outline<T> {
  readonly groups: readonly Group<T>[];
  /** How many have what the filter asks for. */
  readonly found: number;
  readonly total: number;
  /** The learnings that one took the place of, to be shown below it. */
  before(learning: T): readonly T[];
}

interface OutlineOptions {
  readonly grouping: Grouping;
  /** Words that must all be in the summary, the id or the tags. */
  readonly filter: string;
  readonly memory?: OutlineMemory;
}

/** What was found out for the last outline and still holds for the next: most records are the same after a change. */
export class OutlineMemory {
  readonly folders = new WeakMap<Listed['record'], readonly (string | undefined)[]>();
  readonly keys = new Map<string, string>();
}

/** Groups learnings; within a group they stay in the order they come in. */
export function outlineOf<T extends Listed>(
  listed: readonly T[],
  { grouping, filter, memory = new OutlineMemory() }: OutlineOptions,
): Outline<T> {
  // By status every learning has its own place; otherwise what was superseded is found at its successor.
  const { heads, before } = grouping === 'status' ? unrelated(listed) : succession(listed);
  const words = wordsOf(filter);
  const passing = words.length === 0 ? undefined : new Set(listed.filter((one) => hasAll(one, words)));
  const shown = passing ? heads.filter((head) => isIn(passing, head, before)) : heads;
  return {
    groups: groupsOf(shown, grouping, memory),
    found: passing?.size ?? listed.length,
    total: listed.length,
    before: ({ record }) => before.get(record.id) ?? [],
  };
}

type Before<T> = ReadonlyMap<string, readonly T[]>;

interface Succession<T> {
  readonly heads: readonly T[];
  readonly before: Before<T>;
}

const unrelated = <T>(listed: readonly T[]): Succession<T> => ({ heads: listed, before: new Map() });

/** Those that nothing took the place of, and for each id the ones it took the place of. */
function succession<T extends Listed>(listed: readonly T[]): Succession<T> {
  // Most stores have few that are superseded, and need not be searched for them.
  if (!listed.some(({ status }) => status === 'superseded')) return unrelated(listed);
  const ids = new Set(listed.map(({ record }) => record.id));
  const heads: T[] = [];
  const followed: T[] = [];
  const before = new Map<string, T[]>();
  for (const one of listed) {
    const { status, record } = one;
    const successor = status === 'superseded' ? record.supersededBy : undefined;
    if (successor === undefined || !ids.has(successor)) heads.push(one);
    else {
      followed.push(one);
      addTo(before, successor, one);
    }
  }
  // A merge can leave two that name each other; below nobody, they would be shown nowhere.
  const reached = new Set<T>();
  for (const head of heads)
    if (before.has(head.record.id)) for (const one of lineOf(head, before)) reached.add(one);
  const circling = followed.filter((one) => !reached.has(one));
  if (circling.length === 0) return { heads, before };
  const still: Before<T> = new Map(
    [...before].map(([id, ones]) => [id, ones.filter((one) => reached.has(one))]),
  );
  return { heads: [...heads, ...circling], before: still };
}

/** A learning, then the ones it took the place of, and theirs. */
function* lineOf<T extends Listed>(head: T, before: Before<T>): Generator<T> {
  const waiting = [head];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    yield one;
    for (const older of before.get(one.record.id) ?? []) waiting.push(older);
  }
}

/** Whether a learning is in a set, or one that it took the place of. */
function isIn<T extends Listed>(set: ReadonlySet<T>, head: T, before: Before<T>): boolean {
  for (const one of lineOf(head, before)) if (set.has(one)) return true;
  return false;
}

function addTo<K, T>(lists: Map<K, T[]>, key: K, one: T): void {
  const list = lists.get(key);
  if (list) list.push(one);
  else lists.set(key, [one]);
}

const wordsOf = (filter: string): readonly string[] => filter.toLowerCase().split(/\s+/).filter(Boolean);

function hasAll({ record: { id, summary, scope } }: Listed, words: readonly string[]): boolean {
  const text = [summary, id, ...scope.tags].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

function groupsOf<T extends Listed>(
  listed: readonly T[],
  grouping: Grouping,
  memory: OutlineMemory,
): Group<T>[] {
  const groups = new Map<string | undefined, T[]>();
  for (const one of listed) {
    const found = namesOf(one, grouping, memory);
    for (const name of found.length > 1 ? new Set(found) : found) addTo(groups, name, one);
  }
  const order = orders[grouping] ?? [];
  return [...groups]
    .map(([name, members]) => ({ key: sortKey(name, order, memory), group: { name, members } }))
    .sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ group }) => group);
}

const orders: Partial<Record<Grouping, readonly string[]>> = { kind: kinds, status: statuses };

function namesOf(
  { record, status }: Listed,
  grouping: Grouping,
  { folders }: OutlineMemory,
): readonly (string | undefined)[] {
  switch (grouping) {
    case 'folder': {
      let found = folders.get(record);
      if (!found) {
        found = orNone(record.scope.paths.filter((path) => !path.startsWith('!')).map(leadingFolder));
        folders.set(record, found);
      }
      return found;
    }
    case 'tag':
      return orNone(record.scope.tags);
    case 'kind':
      return [record.kind];
    case 'status':
      return [status];
    case 'none':
      return [undefined];
  }
}

const orNone = (found: readonly string[]): readonly (string | undefined)[] =>
  found.length > 0 ? found : [undefined];

/**
 * What names are sorted by: the given order, then the name, and those that belong to none last. A collator would take
 * longer to make, and for a thousand folders to ask, than everything else that shows a tree.
 */
function sortKey(name: string | undefined, order: readonly string[], { keys }: OutlineMemory): string {
  if (name === undefined) return '\uffff';
  const place = order.indexOf(name);
  if (place >= 0) return String(place);
  let key = keys.get(name);
  if (key === undefined) keys.set(name, (key = nameKey(name)));
  return key;
}

const nameKey = (name: string): string =>
  name
    // Letters with marks beside those without.
    .normalize('NFD')
    .toLowerCase()
    // What is in a folder directly below it.
    .replaceAll('/', '\u0001')
    // Part 2 before part 10.
    .replaceAll(/\d+/g, (digits) => digits.padStart(9, '0'));

/** The folder that everything a pattern can match is in; empty for the root. */
export function leadingFolder(pattern: string): string {
  const magic = pattern.search(/[*?[\](){}!\\]/);
  const literal = magic < 0 ? pattern : pattern.slice(0, magic);
  const folder = literal.slice(0, Math.max(0, literal.lastIndexOf('/')));
  return folder.replace(/^(?:\.?\/)+|^\.$/, '').replaceAll(/\/{2,}/g, '/');
}
