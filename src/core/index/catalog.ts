import { LearningsError } from '../errors';
import { parseGlob } from '../match/glob';
import type { FileStat, FileSystem, FolderEntry } from '../ports';
import { parseRecord, type ParsedRecord } from '../record/parse';
import type { LearningRecord, WholeRecord } from '../record/schema';
import {
  ARCHIVE,
  CANDIDATES,
  isCandidateId,
  isFlatRecord,
  isRecordId,
  recordFile,
  STORE,
  votesFile,
} from '../store/layout';
import { parseVotes, type Vote } from '../store/votes';
import { problemAt, type Problem } from '../yaml/problem';
import { checksum } from './sections';

export type Place = 'learnings' | 'candidates' | 'archive';
export const places: readonly Place[] = ['learnings', 'candidates', 'archive'];

/** What was in one folder. */
export interface Contents {
  /** Undefined if it could not be read. */
  readonly record: LearningRecord | undefined;
  readonly votes: readonly Vote[];
  readonly problems: readonly Problem[];
}

/** One folder with a record, as it was when it was last looked into. */
export interface Entry {
  readonly place: Place;
  readonly name: string;
  readonly stamp: Stamp;
  /** Whether it takes another's place, or has been replaced: known without looking at the contents. */
  readonly linked: boolean;
  /** Whether there is a record in it that could be read. */
  readonly readable: boolean;
  readonly flawed: boolean;
  /** What its record was recognised by when it was read, where its stamp proves nothing: its time, and a sum of its text. */
  readonly fresh?: { readonly ms: number; readonly check: number } | undefined;
  /** Whether its contents are what was once read: a saved one may have been altered since. Ask before the first look. */
  intact(): boolean;
  contents(): Contents;
  /** The same, but not kept for the next time. */
  decode(): Contents;
}

/** By what a file is recognised that has not changed; times are NaN, and equal to nothing, where they prove nothing. */
export interface Stamp {
  readonly recordMs: number;
  readonly recordSize: number;
  readonly votesMs: number;
  readonly votesSize: number;
}

/** The entries of a store by their folders. */
export type Catalog = ReadonlyMap<string, Entry>;

/** By folder; gathered only for whoever wants all of them at once. */
export type Bodies = Map<string, string>;

interface Refreshed {
  readonly catalog: Catalog;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** What is wrong with the folder as a whole. */
  readonly problems: readonly Problem[];
}

const folders: Readonly<Record<Place, string>> = {
  learnings: STORE,
  candidates: CANDIDATES,
  archive: ARCHIVE,
};
const isName: Readonly<Record<Place, (name: string) => boolean>> = {
  learnings: isRecordId,
  candidates: isCandidateId,
  archive: (name) => isRecordId(name) || isCandidateId(name),
};

export const folderOfEntry = ({ place, name }: Pick<Entry, 'place' | 'name'>): string =>
  `${folders[place]}/${name}`;

/** Brings a catalog up to date: what has not changed is recognised by its stamp and not read again. */
export async function refreshCatalog(
  files: FileSystem,
  known: Catalog,
  { clock, bodies }: { clock: { now(): Date }; bodies?: Bodies | undefined },
): Promise<Refreshed> {
  const problems: Problem[] = [];
  const slots = await listSlots(files, known, problems);
  const unread = await findUnread(files, slots, clock.now().getTime());
  if (unread.length === 0 && slots.length === known.size)
    return { catalog: known, added: [], changed: [], removed: [], problems };

  const read = await readAll(files, unread, bodies);
  const catalog = new Map<string, Entry>();
  for (const { folder, before } of slots) {
    const entry = read.get(folder) ?? before;
    if (entry) catalog.set(folder, entry);
  }
  const folders = (wanted: boolean): string[] =>
    unread.flatMap(({ slot }) => ((slot.before !== undefined) === wanted ? [slot.folder] : []));
  return {
    catalog,
    added: folders(false),
    changed: folders(true),
    removed: [...known.keys()].filter((folder) => !catalog.has(folder)),
    problems,
  };
}

/** The folders whose files are not as they were. Looked at in portions: what is dropped at once costs no memory. */
async function findUnread(files: FileSystem, slots: readonly Slot[], nowMs: number): Promise<Unread[]> {
  const unread: Unread[] = [];
  for (let start = 0; start < slots.length; start += PORTION) {
    const portion = slots.slice(start, start + PORTION);
    const paths: string[] = [];
    for (const { folder } of portion) paths.push(recordFile(folder), votesFile(folder));
    const stats = await files.statAll(paths);
    portion.forEach((slot, index) => {
      const record = stats[index * 2];
      const votes = stats[index * 2 + 1];
      const before = slot.kind === 'folder' ? slot.before : undefined;
      if (!before || !isUnchanged(before, record, votes, nowMs))
        unread.push({ slot, stamp: stampOf(record, votes, nowMs), record, votes });
    });
  }
  return unread;
}

/** The folders that may hold a record. A listing is nearly always the last one again, in the same order. */
async function listSlots(files: FileSystem, known: Catalog, problems: Problem[]): Promise<Slot[]> {
  const slots: Slot[] = [];
  const last = known.entries();
  let next = last.next().value;
  const slotFor = (place: Place, { name, kind }: FolderEntry): Slot => {
    const length = folders[place].length + 1 + name.length;
    if (next?.[0].length === length && next[0].endsWith(name) && next[0].startsWith(folders[place])) {
      const [folder, before] = next;
      next = last.next().value;
      return { place, name, kind, folder, before };
    }
    const folder = `${folders[place]}/${name}`;
    return { place, name, kind, folder, before: known.get(folder) };
  };
  const stats = await files.statAll(places.map((place) => folders[place]));
  for (const [index, place] of places.entries()) {
    const stat = stats[index];
    if (kindOf(stat) === 'link') problems.push(problemAt('', folders[place])(0, linkProblem));
    const isThere = stat !== undefined && kindOf(stat) !== 'link';
    const entries = isThere ? await files.list(folders[place]) : [];
    const [found, others]: [FolderEntry[], FolderEntry[]] = [[], []];
    for (const entry of entries) (isName[place](entry.name) ? found : others).push(entry);
    if (place === 'learnings') {
      if (entries.length === 0) break;
      problems.push(...(await strangers(files, others)));
    }
    // Most file systems list in order already.
    if (!found.every(({ name }, index) => index === 0 || (found[index - 1]?.name ?? '') < name))
      found.sort(byName);
    for (const entry of found) slots.push(slotFor(place, entry));
  }
  return slots;
}

/** What is there and is no record of ours, but was meant as one. */
async function strangers(files: FileSystem, entries: readonly FolderEntry[]): Promise<Problem[]> {
  const flat = (folder: string, list: readonly FolderEntry[]): Problem[] =>
    list.filter(({ name }) => isFlatRecord(name)).map(({ name }) => flatProblem(folder, name));
  const old = entries.find(({ name, kind }) => name === 'superseded' && kind === 'folder');
  return [
    ...flat(STORE, entries),
    ...entries.filter(({ name }) => /^[LP]-\d{10,}$/.test(name)).map(numberProblem),
    ...(old ? flat(OLD_SUPERSEDED, await files.list(OLD_SUPERSEDED)) : []),
  ];
}

interface Slot {
  readonly place: Place;
  readonly name: string;
  readonly kind: FolderEntry['kind'];
  readonly folder: string;
  /** What it was when it was last looked into. */
  readonly before: Entry | undefined;
}

type Stat = FileStat | LearningsError | undefined;

interface Unread {
  readonly slot: Slot;
  readonly stamp: Stamp;
  readonly record: Stat;
  readonly votes: Stat;
}

/** Done in portions, so that what is read of a large store is never in memory all at once. */
const PORTION = 256;

async function readAll(
  files: FileSystem,
  unread: readonly Unread[],
  bodies: Bodies | undefined,
): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (let start = 0; start < unread.length; start += PORTION) {
    const portion = unread.slice(start, start + PORTION);
    const paths = portion.flatMap(({ slot, record, votes }) => [
      ...(isFile(record) && slot.kind === 'folder' ? [recordFile(slot.folder)] : []),
      ...(isFile(votes) && slot.kind === 'folder' ? [votesFile(slot.folder)] : []),
    ]);
    const read = await files.readAll(paths);
    const bytes = new Map(paths.map((path, index) => [path, read[index]]));
    for (const one of portion) {
      const contents = contentsOf(one, bytes, bodies) ?? (await withoutRecord(files, one.slot.folder));
      const fresh = freshOf(one, bytes.get(recordFile(one.slot.folder)));
      entries.set(one.slot.folder, { ...entryOf(one.slot, one.stamp, contents), fresh });
    }
  }
  return entries;
}

function freshOf({ record, stamp }: Unread, bytes: Uint8Array | LearningsError | undefined): Entry['fresh'] {
  if (!Number.isNaN(stamp.recordMs) || !isFile(record) || !(bytes instanceof Uint8Array)) return undefined;
  // 0 is kept for those whose time is enough.
  return { ms: record.modifiedMs, check: checksum(bytes) || 1 };
}

function entryOf({ place, name }: Slot, stamp: Stamp, contents: Contents): Entry {
  const { record, problems } = contents;
  return {
    place,
    name,
    stamp,
    linked: record !== undefined && (record.supersedes.length > 0 || record.status === 'superseded'),
    readable: record !== undefined,
    flawed: problems.length > 0,
    intact: () => true,
    contents: () => contents,
    decode: () => contents,
  };
}

const nothing: Contents = { record: undefined, votes: [], problems: [] };
/** What the two files hold; undefined if there is no record. */
function contentsOf(
  { slot, record, votes }: Unread,
  bytes: ReadonlyMap<string, Uint8Array | LearningsError | undefined>,
  bodies: Bodies | undefined,
): Contents | undefined {
  const file = recordFile(slot.folder);
  const broken = (problem: Pick<Problem, 'code' | 'message' | 'hint'>): Contents => ({
    ...nothing,
    problems: [problemAt('', file)(0, problem)],
  });
  if (slot.kind === 'link' || kindOf(record) === 'link') return broken(linkProblem);
  if (record === undefined) return undefined;
  const text = record instanceof LearningsError ? record : bytes.get(file);
  if (text === undefined || text instanceof LearningsError) {
    const message = text?.message ?? 'not a file';
    return broken({ code: 'unreadable', message, hint: 'Check the file and its permissions.' });
  }
  const parsed = parseRecord(text, file);
  if (!parsed.record) return { ...nothing, problems: parsed.problems };
  if (parsed.record.id !== slot.name) {
    const message = `id ${parsed.record.id} in the folder ${slot.name}`;
    const hint = `Set id: ${slot.name}, or rename the folder. learnings doctor --fix sets the id.`;
    return broken({ code: 'id-mismatch', message, hint });
  }
  const votesPath = votesFile(slot.folder);
  const cast = isFile(votes) ? bytes.get(votesPath) : undefined;
  const counted =
    cast && !(cast instanceof LearningsError) ? parseVotes(cast, votesPath) : { votes: [], problems: [] };
  // Bodies are long and seldom wanted; whoever shows one reads it then.
  bodies?.set(slot.folder, parsed.record.body ?? '');
  const problems = [...parsed.problems, ...patternProblems(parsed), ...counted.problems];
  return { record: withoutBody(parsed.record), votes: counted.votes, problems };
}

function withoutBody(record: WholeRecord): LearningRecord {
  const summary: Partial<WholeRecord> = { ...record };
  delete (summary as { body?: string }).body;
  return summary as LearningRecord;
}

/** Patterns that are out of bounds match nothing, which somebody should know. */
export function patternProblems({ record, at }: ParsedRecord): Problem[] {
  return (record?.scope.paths ?? []).flatMap((pattern, index) => {
    // A short one without choices and groups is within all bounds.
    if (pattern.length < 60 && !/[{(]/.test(pattern)) return [];
    const glob = parseGlob(pattern.replace(/^!/, ''));
    if (!('refused' in glob) || !at) return [];
    const message = `the pattern ${glob.refused}`;
    const hint = 'Write it as several patterns. It matches nothing until then.';
    return [at(['scope', 'paths', index], { code: 'pattern', severity: 'warning', message, hint })];
  });
}

/** A folder without a record is an id that was taken by a writer that died; it holds nothing. */
async function withoutRecord(files: FileSystem, folder: string): Promise<Contents> {
  if ((await files.list(folder)).length === 0) return nothing;
  const problem = problemAt('', recordFile(folder))(0, {
    code: 'missing-record',
    message: 'there is no record in this folder',
    hint: 'Get learning.yaml back from git.',
  });
  return { ...nothing, problems: [problem] };
}

/** A file that was changed so lately may be changed again without its time telling. */
const SETTLED_MS = 2000;

function stampOf(record: Stat, votes: Stat, nowMs: number): Stamp {
  return {
    recordMs: settledMs(record, nowMs),
    recordSize: sizeOf(record),
    votesMs: settledMs(votes, nowMs),
    votesSize: sizeOf(votes),
  };
}

function isUnchanged(before: Entry, record: Stat, votes: Stat, nowMs: number): boolean {
  const { recordMs, recordSize, votesMs, votesSize } = before.stamp;
  return (
    recordMs === settledMs(record, nowMs) &&
    votesMs === settledMs(votes, nowMs) &&
    recordSize === sizeOf(record) &&
    votesSize === sizeOf(votes) &&
    before.intact()
  );
}

function settledMs(stat: Stat, nowMs: number): number {
  if (stat === undefined) return 0;
  if (stat instanceof LearningsError || stat.kind !== 'file') return NaN;
  return nowMs - stat.modifiedMs < SETTLED_MS ? NaN : stat.modifiedMs;
}

const sizeOf = (stat: Stat): number => (stat === undefined || stat instanceof LearningsError ? 0 : stat.size);

const kindOf = (stat: Stat): FileStat['kind'] | undefined =>
  stat instanceof LearningsError ? undefined : stat?.kind;
const isFile = (stat: Stat): stat is FileStat => kindOf(stat) === 'file';
const byName = (a: FolderEntry, b: FolderEntry): number => (a.name < b.name ? -1 : 1);

const linkProblem = {
  code: 'symlink',
  message: 'a symbolic link',
  hint: 'Links are not followed: put the thing itself here.',
} as const;

/** Where the flat layout kept what was superseded. */
const OLD_SUPERSEDED = `${STORE}/superseded`;

function numberProblem({ name }: FolderEntry): Problem {
  return problemAt('', `${STORE}/${name}`)(0, {
    code: 'id-mismatch',
    message: `${name} has more digits than an id can have`,
    hint: 'Rename the folder to a number of at most nine digits, and set its id to it.',
  });
}

function flatProblem(folder: string, name: string): Problem {
  return problemAt('', `${folder}/${name}`)(0, {
    code: 'legacy-layout',
    message: 'a record in the old flat layout, which is not read',
    hint: 'Run learnings migrate-layout: it moves each record into a folder of its own.',
  });
}
