import { parseDocument } from 'yaml';

import { parseRecord } from '../record/parse';
import type { LearningRecord } from '../record/schema';
import { editYaml, type Change } from '../yaml/edit';
import { asValue, listOf, mergeList } from './lists';

/** Of a merge: the branch that one is on, or the one that comes in. */
export type Side = 'ours' | 'theirs';

type Sides<T> = Readonly<Record<Side, T>>;
type Fields = Readonly<Record<string, unknown>>;

interface Version {
  readonly text: string;
  readonly record: LearningRecord;
}

/** What can be made of a record that git left in conflict. */
export type Resolution =
  /** One record that both sides changed. */
  | { readonly kind: 'one'; readonly text: string; readonly notes: readonly string[] }
  /** Two records that took the same id. */
  | ({ readonly kind: 'two' } & Sides<Version>)
  /** Somebody has to look. */
  | { readonly kind: 'unclear'; readonly why: string };

interface Options {
  /** Whose text stands where both changed the same; the newer one unless given. */
  readonly keep?: Side | undefined;
  /** True where it is known that both sides come from one record. */
  readonly sameRecord?: true | undefined;
  /** What both sides began with, where git knows. */
  readonly base?: string | undefined;
  /** Ids that their side used and that have changed since. */
  readonly moved?: ReadonlyMap<string, string> | undefined;
}

const BY_HAND = 'Put the two sides together by hand and remove the marker lines';

export function resolveConflict(text: string, file: string, options: Options): Resolution {
  const sides = splitSides(text);
  if (!sides) return { kind: 'unclear', why: `the markers do not pair up. ${BY_HAND}` };
  const ours = readVersion(sides.ours, file);
  const theirs = readVersion(sides.theirs, file);
  if (!ours || !theirs) {
    const which = ours ? 'their side is not' : theirs ? 'our side is not' : 'neither side is';
    return { kind: 'unclear', why: `${which} a whole record. ${BY_HAND}` };
  }
  const base = readVersion(options.base ?? sides.base ?? '', file);
  const one = options.sameRecord ?? (base !== undefined || haveOneOrigin(ours.record, theirs.record));
  if (!one) return { kind: 'two', ours, theirs };
  const merged = mergeSides({ ours, theirs }, { ...options, base });
  return merged.kind === 'unclear' || readVersion(merged.text, file)
    ? merged
    : { kind: 'unclear', why: `put together, the two sides are no record. ${BY_HAND}` };
}

/** The texts that git put into one; the base where every conflict in the file shows it. */
function splitSides(text: string): (Sides<string> & { base: string | undefined }) | undefined {
  const sides = { ours: '', base: '', theirs: '' };
  let at: 'all' | 'ours' | 'base' | 'theirs' = 'all';
  let baseShown = true;
  for (const line of text.split(/(?<=\n)/)) {
    const marker = /^(<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/.exec(line)?.[0]?.[0];
    if (marker === '<' && at === 'all') at = 'ours';
    else if (marker === '|' && at === 'ours') at = 'base';
    else if (marker === '=' && (at === 'ours' || at === 'base')) {
      if (at === 'ours') baseShown = false;
      at = 'theirs';
    } else if (marker === '>' && at === 'theirs') at = 'all';
    else if (marker === '<' || marker === '>') return undefined;
    else for (const side of at === 'all' ? (['ours', 'base', 'theirs'] as const) : [at]) sides[side] += line;
  }
  return at === 'all' ? { ...sides, base: baseShown ? sides.base : undefined } : undefined;
}

function readVersion(text: string, file: string): Version | undefined {
  const { record } = parseRecord(new TextEncoder().encode(text), file);
  return record && { text, record };
}

/** Two people do not begin a record at the same second; one who edits it leaves that time alone. */
function haveOneOrigin(a: LearningRecord, b: LearningRecord): boolean {
  if (a.summary === b.summary) return true;
  return a.createdAt !== undefined && a.createdAt === b.createdAt && a.createdBy === b.createdBy;
}

function mergeSides(
  versions: Sides<Version>,
  { base, keep, moved = new Map() }: Omit<Options, 'base'> & { base: Version | undefined },
): Exclude<Resolution, { kind: 'two' }> {
  const age = (side: Side): number => Date.parse(versions[side].record.updatedAt ?? '') || 0;
  const newer = age('ours') === age('theirs') ? undefined : age('theirs') > age('ours') ? 'theirs' : 'ours';
  const chosen = keep ?? newer;
  const fields: Sides<Fields> = {
    ours: toMap(versions.ours.text),
    theirs: followed(toMap(versions.theirs.text), moved),
  };
  const before = base && toMap(base.text);
  const side = chosen ?? 'ours';
  const own = toMap(versions[side].text);
  const notes: string[] = [];
  const changes: Change[] = [];
  const contested: string[] = [];
  for (const key of new Set([...Object.keys(fields.ours), ...Object.keys(fields.theirs)])) {
    const { value, from } = mergeField(key, { ours: fields.ours[key], theirs: fields.theirs[key] }, before);
    const merged = from === 'contested' ? fields[side][key] : value;
    if (!same(merged, own[key])) changes.push([[key], merged]);
    if (from === 'contested') contested.push(key);
    if (from !== undefined && !quiet.has(key)) {
      notes.push(
        from === 'contested' ? `${key}: ${side}, ${keep ? 'as asked' : 'the newer one'}` : `${key}: ${from}`,
      );
    }
  }
  if (contested.length > 0 && chosen === undefined) {
    const why = `both sides changed ${contested.join(' and ')} and neither is newer: give --keep ours or --keep theirs`;
    return { kind: 'unclear', why };
  }
  return { kind: 'one', text: editYaml(versions[side].text, changes), notes };
}

/** Their fields, with the ids that have changed since. */
function followed(fields: Fields, moved: ReadonlyMap<string, string>): Fields {
  const follow = (id: unknown): unknown => moved.get(asText(id)) ?? id;
  const { supersedes, superseded_by: by } = fields;
  return {
    ...fields,
    ...(by !== undefined && { superseded_by: follow(by) }),
    ...(supersedes !== undefined && { supersedes: asValue(listOf(supersedes).map(follow)) }),
  };
}

/** Keys whose outcome needs no mention. */
const quiet = new Set(['updated_at', 'status', 'superseded_by', 'supersedes', 'archived']);

interface Merged {
  readonly value?: unknown;
  /** What to tell of it: nothing, where the sides agree. */
  readonly from?: 'contested' | 'ours' | 'theirs' | 'both sides put together';
}

/** The side that changed a field wins; where both did, what the field means decides, if it can. */
function mergeField(key: string, { ours, theirs }: Sides<unknown>, before: Fields | undefined): Merged {
  if (same(ours, theirs)) return { value: ours };
  if (before && same(ours, before[key])) return { value: theirs, from: 'theirs' };
  if (before && same(theirs, before[key])) return { value: ours, from: 'ours' };
  const together = (value: unknown): Merged => ({ value, from: 'both sides put together' });
  const base = before?.[key];
  switch (key) {
    case 'updated_at':
      return together(Date.parse(asText(theirs)) > Date.parse(asText(ours)) ? theirs : (ours ?? theirs));
    case 'status':
      return together([ours, theirs].includes('superseded') ? 'superseded' : 'active');
    // Both branches replaced it, or both put it away. The same one on every machine.
    case 'superseded_by':
    case 'archived':
      return together(
        [ours, theirs]
          .filter(isThere)
          .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))[0],
      );
    case 'supersedes':
      return together(asValue(mergeList(base, ours, theirs)));
    case 'evidence':
    case 'legacy_ids':
      return together(mergeList(base, ours, theirs));
    case 'scope':
      return together(mergeScope(asMap(ours), asMap(theirs), base === undefined ? undefined : asMap(base)));
  }
  // Without the base nobody can tell what one side took away from what the other put there: what is there stays.
  if (!before && isThere(ours) !== isThere(theirs))
    return { value: ours ?? theirs, from: isThere(ours) ? 'ours' : 'theirs' };
  return { from: 'contested' };
}

function mergeScope(ours: Fields, theirs: Fields, base: Fields | undefined): Fields {
  const merge = (name: string): unknown =>
    Array.isArray(ours[name] ?? theirs[name])
      ? mergeList(base?.[name], ours[name], theirs[name])
      : (ours[name] ?? theirs[name]);
  const names = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
  return Object.fromEntries([...names].map((name) => [name, merge(name)]));
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const asMap = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const isThere = (value: unknown): boolean => value !== undefined && value !== null;
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function toMap(text: string): Fields {
  return parseDocument(text).toJS() as Fields;
}
