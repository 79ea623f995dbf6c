import { LearningsError } from '../errors';
import { buildMatcher, openMatcher, type Matcher } from '../match/matcher';
import {
  compareAge,
  compareRanked,
  compareWorth,
  ranksIn,
  standingOf,
  type Decay,
  type Standing,
} from '../match/rank';
import type { Target } from '../match/scope';
import type { Clock, FileSystem, Hash } from '../ports';
import type { LearningRecord } from '../record/schema';
import { recordFile } from '../store/layout';
import { problemsOf, type Learning } from '../store/scan';
import { asSuperseded, successions } from '../store/succession';
import type { Problem } from '../yaml/problem';
import {
  folderOfEntry,
  places,
  refreshCatalog,
  type Bodies,
  type Catalog,
  type Contents,
  type Entry,
  type Stamp,
} from './catalog';
import { openIndex, packIndex, type PackedIndex, type SavedFiles } from './saved';

export const statuses = ['active', 'superseded', 'archived', 'candidate'] as const;
/** What has become of a record. Only active ones are ever delivered. */
export type Status = (typeof statuses)[number];

/** A record with its votes and file, and what has become of it. */
export interface Shelved extends Learning {
  readonly status: Status;
}

export interface Ranked {
  readonly learning: Shelved;
  readonly matchedBy: readonly string[];
  readonly standing: Standing;
  readonly specificity: number;
}

/** A learning with what it was read from: the same `entry` as long as its files have not changed. */
export interface Source {
  readonly entry: object;
  readonly folder: string;
  /** Equal if the files are; empty where that is not sure. */
  readonly stamp: string;
  readonly file: string;
  readonly status: Status;
  /** Decodes it now and keeps nothing: there may be a hundred thousand. */
  learning(): Shelved;
}

/** What a refresh brought, by the folders of records. */
export interface Change {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Among those, the ones that cannot be read now. */
  readonly broken: readonly string[];
}

interface FindOptions {
  readonly limit?: number | undefined;
  readonly status?: Status | undefined;
  /** Leaves out learnings that were last changed before this time. */
  readonly sinceMs?: number | undefined;
}

/** One store, read once and then kept up to date. */
export interface Shelf {
  problems(): readonly Problem[];
  list(status?: Status): readonly Shelved[];
  /** How many are active or superseded. */
  count(): number;
  /** Every record that can be read, wherever it is. */
  sources(): readonly Source[];
  /** The files of everything that is or could be active, those that cannot be read too. */
  files(): readonly {
    readonly path: string;
    readonly ms: number;
    readonly size: number;
    readonly check: number;
  }[];
  get(id: string): Shelved | undefined;
  /** The symbols that active records name; it may still have some that they no longer do. */
  symbols(): readonly string[];
  find(target: Target, options?: FindOptions): { readonly ranked: readonly Ranked[]; readonly total: number };
  /** Reads what has changed since the last time. */
  refresh(decay: Decay): Promise<Change>;
  /** The index as bytes, for the next process. */
  pack(): PackedIndex;
  /** Whether so much has changed since it was opened that it is worth saving. */
  readonly outgrown: boolean;
}

/** Documents of a matcher, with the entries that they stand for. */
interface Filed {
  readonly matcher: Matcher;
  readonly documents: readonly Entry[];
  /** What was made of a document when it was first found. */
  readonly met: (Pick<Ranked, 'learning' | 'standing'> | undefined)[];
}

/** So many changed records are matched beside the others before everything is filed anew. */
const MAX_ASIDE = 64;

interface ShelfPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly hash: Hash;
  /** Where the bodies go that are read. */
  readonly bodies?: Bodies | undefined;
}

/** Opens a store. `saved` is what an earlier process packed; whatever of it is out of date is read again. */
export function openShelf(ports: ShelfPorts, saved?: SavedFiles): Shelf {
  const index = saved && openIndex(saved, ports.hash);
  let catalog: Catalog = new Map(index?.entries().map((entry) => [folderOfEntry(entry), entry]));
  let main: Filed = index
    ? {
        matcher: openMatcher(index.matcher),
        documents: Array.from(index.matcher.worth, (_, document) => index.entryOf(document)),
        met: new Array<undefined>(index.matcher.worth.length),
      }
    : fileEntries([], { halfLifeDays: 0, atMs: 0 });
  let aside = fileEntries([], { halfLifeDays: 0, atMs: 0 });
  let current = new Uint8Array(main.documents.length).fill(1);
  let decay: Decay = index?.decay ?? { halfLifeDays: NaN, atMs: 0 };
  let superseded: ReadonlyMap<string, string | undefined> = new Map();
  /** What is wrong with the folder as a whole, and with its records. */
  let problems: { folder: readonly Problem[]; records: readonly Problem[] } = { folder: [], records: [] };
  let loaded = false;
  let outgrown = false;

  const statusOf = (entry: Entry): Status => {
    if (entry.place === 'candidates') return 'candidate';
    if (entry.place === 'archive') return 'archived';
    // A name is decoded anew each time that it is asked for.
    return superseded.size > 0 && superseded.has(entry.name) ? 'superseded' : 'active';
  };
  const shelve = (
    entry: Entry,
    { record, votes } = entry.contents(),
    status = statusOf(entry),
  ): Shelved | undefined => {
    if (!record) return undefined;
    const known = status === 'superseded' ? asSuperseded(record, superseded) : record;
    // A record that can be read has the name of its folder.
    return {
      record: known,
      votes,
      file: recordFile(folderOfEntry({ place: entry.place, name: record.id })),
      status,
    };
  };
  const withStatus = (wanted: (status: Status) => boolean): Entry[] =>
    [...catalog.values()].filter((entry) => entry.readable && wanted(statusOf(entry)));

  const fileAll = (served: readonly Entry[]): void => {
    main = fileEntries(served, decay);
    aside = fileEntries([], decay);
    current = new Uint8Array(main.documents.length).fill(1);
  };

  /** Files the served entries anew, or only those that changed. */
  const refile = (next: Decay): void => {
    const served = withStatus((status) => status === 'active');
    const filed = new Set(main.documents);
    const others = served.filter((entry) => !filed.has(entry));
    const reweighed = next.halfLifeDays !== decay.halfLifeDays;
    if (reweighed || others.length > MAX_ASIDE + main.documents.length / 8) {
      decay = next;
      fileAll(served);
      outgrown = true;
      return;
    }
    aside = fileEntries(others, decay);
    const still = new Set(served);
    current = Uint8Array.from(main.documents, (entry) => (still.has(entry) ? 1 : 0));
  };

  const meet = (entry: Entry | undefined): Filed['met'][number] => {
    const learning = entry && shelve(entry);
    return learning && { learning, standing: standingOf(learning.record, learning.votes, decay) };
  };

  const rank = (
    { matcher, documents, met }: Filed,
    target: Target,
    { limit, sinceMs = 0 }: FindOptions,
    isCurrent: (document: number) => boolean = () => true,
  ): { found: Ranked[]; total: number } => {
    const recent = (document: number): boolean =>
      sinceMs === 0 || lastChange(documents[document]?.contents().record) >= sinceMs;
    const { hits, total } = matcher.find(target, {
      ...(limit !== undefined && { limit }),
      accept: (document) => isCurrent(document) && recent(document),
    });
    const found: Ranked[] = [];
    for (const { document, specificity, reasons } of hits) {
      const known = (met[document] ??= meet(documents[document]));
      if (!known) continue;
      const { learning, standing } = known;
      found.push({ learning, standing, matchedBy: reasons, specificity });
    }
    return { found, total };
  };

  return {
    problems: () => [...problems.folder, ...problems.records],
    list(wanted) {
      const listed: Shelved[] = [];
      for (const entry of catalog.values()) {
        if (!entry.readable) continue;
        const status = statusOf(entry);
        if (wanted ? status !== wanted : status !== 'active' && status !== 'superseded') continue;
        const shelved = shelve(entry, entry.contents(), status);
        if (shelved) listed.push(shelved);
      }
      return listed;
    },
    count: () =>
      [...catalog.values()].filter(({ place, readable }) => readable && place === 'learnings').length,
    sources: () => withStatus(() => true).map((entry) => new EntrySource(entry, statusOf(entry), shelve)),
    files: () =>
      [...catalog.values()]
        .filter(({ place }) => place === 'learnings')
        .map((entry) => ({
          path: recordFile(folderOfEntry(entry)),
          ms: entry.fresh?.ms ?? entry.stamp.recordMs,
          size: entry.stamp.recordSize,
          check: entry.fresh?.check ?? 0,
        })),
    get(id) {
      for (const place of places) {
        const entry = catalog.get(folderOfEntry({ place, name: id }));
        if (entry?.readable) return shelve(entry);
      }
      return undefined;
    },
    symbols: () => [...main.matcher.symbols(), ...aside.matcher.symbols()],
    find(target, options = {}) {
      const { status = 'active', limit = Infinity } = options;
      if (status !== 'active') {
        const filed = fileEntries(
          withStatus((one) => one === status),
          decay,
        );
        const { found, total } = rank(filed, target, options);
        return { ranked: found, total };
      }
      const old = rank(main, target, options, (document) => current[document] === 1);
      if (aside.documents.length === 0) return { ranked: old.found, total: old.total };
      const fresh = rank(aside, target, options);
      const merged = [...old.found, ...fresh.found].sort(compareRanked);
      return { ranked: merged.slice(0, limit), total: old.total + fresh.total };
    },
    async refresh(next) {
      const refreshed = await refreshCatalog(ports.files, catalog, ports);
      const { added, changed, removed } = refreshed;
      problems = { ...problems, folder: refreshed.problems };
      const unchanged = added.length + changed.length + removed.length === 0;
      if (!unchanged || !loaded || next.halfLifeDays !== decay.halfLifeDays) {
        catalog = refreshed.catalog;
        superseded = successions(linkedRecords(catalog));
        problems = { ...problems, records: await problemsOf(ports.files, catalog) };
        refile(next);
        loaded = true;
      }
      const broken = [...added, ...changed].filter((folder) => catalog.get(folder)?.readable === false);
      return { added, changed, removed, broken };
    },
    pack() {
      if (aside.documents.length > 0 || current.includes(0))
        fileAll(withStatus((status) => status === 'active'));
      outgrown = false;
      const index = { documents: main.documents, matcher: main.matcher.parts, decay };
      return packIndex(catalog, index, ports.hash);
    },
    get outgrown() {
      return outgrown;
    },
  };
}

/** There may be a hundred thousand of these, so they hold nothing that can be had from the entry. */
class EntrySource implements Source {
  constructor(
    readonly entry: Entry,
    readonly status: Status,
    private readonly shelve: (entry: Entry, contents: Contents) => Shelved | undefined,
  ) {}

  get folder(): string {
    return folderOfEntry(this.entry);
  }

  get file(): string {
    return recordFile(this.folder);
  }

  get stamp(): string {
    return stampText(this.entry.stamp);
  }

  learning(): Shelved {
    const found = this.shelve(this.entry, this.entry.decode());
    if (!found) throw new LearningsError('record-invalid', `${this.file} cannot be read.`);
    return found;
  }
}

function fileEntries(entries: readonly Entry[], decay: Decay): Filed {
  const known = entries.flatMap((entry) => {
    const { record, votes } = entry.contents();
    return record ? [{ entry, scope: record.scope, standing: standingOf(record, votes, decay) }] : [];
  });
  const standings = known.map(({ standing }) => standing);
  const matcher = buildMatcher(
    known.map(({ scope }) => scope),
    { worth: ranksIn(standings, compareWorth), age: ranksIn(standings, compareAge) },
  );
  return { matcher, documents: known.map(({ entry }) => entry), met: new Array<undefined>(known.length) };
}

/** The records that take another's place or were replaced; the others need not be decoded for this. */
function* linkedRecords(catalog: Catalog): Generator<LearningRecord> {
  for (const entry of catalog.values()) {
    const record = entry.place === 'learnings' && entry.linked ? entry.contents().record : undefined;
    if (record) yield record;
  }
}

function stampText({ recordMs, recordSize, votesMs, votesSize }: Stamp): string {
  const numbers = [recordMs, recordSize, votesMs, votesSize];
  return numbers.includes(NaN) ? '' : numbers.join();
}

function lastChange(record: LearningRecord | undefined): number {
  const time = record?.updatedAt ?? record?.createdAt;
  return time === undefined ? Infinity : Date.parse(time);
}
