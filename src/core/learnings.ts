import { packSnapshot, type Sign, type SnapshotContent } from './deliver/snapshot';
import { emptyConfig, readConfig, type Config } from './config/config';
import { resolveSettings, type Resolved, type Settings } from './config/settings';
import {
  openShelf,
  type Change,
  type Ranked,
  type Shelf,
  type Shelved,
  type Source,
  type Status,
} from './index/shelf';
import { toIndexRow, type IndexRow } from './index/rows';
import type { PackedIndex, SavedFiles } from './index/saved';
import { compareRanked, standingOf, type Decay } from './match/rank';
import { patternsThatMeet } from './match/meet';
import type { Target } from './match/scope';
import { relativeTo } from './paths';
import type { Clock, FileSystem, Hash } from './ports';
import { parseRecord } from './record/parse';
import type { LearningRecord, WholeRecord } from './record/schema';
import { loadBodies, openSearch } from './search/search';
import { readIfThere } from './store/files';
import { problemAt, type Problem } from './yaml/problem';

/** Which store a learning comes from. Nearer ones come first: the repository, what it extends, one's own. */
export interface Origin {
  readonly kind: 'repository' | 'extended' | 'personal';
  /** What people call it; empty for the repository itself. */
  readonly name: string;
  readonly root: string;
}

export interface Match {
  readonly record: LearningRecord;
  /** Why it matched, such as `path:src/a.ts ~ src/**`. */
  readonly matchedBy: readonly string[];
  readonly origin: Origin;
  /** How closely the best of its patterns fits; more is closer. */
  readonly specificity?: number;
}

export interface Found {
  /** Best first, at most as many as were asked for. */
  readonly matches: readonly Match[];
  /** How many there are in all. */
  readonly total: number;
}

/** A record with its votes and file, what has become of it, and where all that is. */
export interface Held extends Shelved {
  readonly origin: Origin;
}

interface FindOptions {
  readonly limit?: number;
  /** Active ones unless said. */
  readonly status?: Status | undefined;
  /** Also those that the settings leave out: `enabled`, `max_age_days`. */
  readonly whateverIsSet?: boolean;
}

interface SearchOptions extends FindOptions {
  /** Only learnings about one of these. */
  readonly target?: Target;
  readonly kind?: LearningRecord['kind'] | undefined;
  /** Only of the store of this name; empty means the repository's own. */
  readonly store?: string | undefined;
}

export interface SearchFound {
  readonly hits: readonly {
    readonly held: Held;
    readonly score: number;
    readonly snippet: { readonly text: string; readonly marks: readonly (readonly [number, number])[] };
  }[];
  readonly total: number;
}

/** Finds learnings about a target, in one repository or several. */
export type Finder = Pick<Learnings, 'find'>;

/** The learnings of one repository, as they were when last loaded. */
export interface Learnings {
  /** The folder that holds `.learnings`. */
  readonly root: string;
  problems(): readonly Problem[];
  settings(): Resolved;
  /** What the tags of the repository mean, as far as tags.yaml says. */
  tags(): ReadonlyMap<string, string>;
  /**
   * The repository's own records, those of one status or all that are active or superseded, active ones first. The same
   * list until one of them has changed.
   */
  list(status?: Status): readonly Held[];
  /** How many `list` would give, without looking into any of them. */
  count(): number;
  /** By id, in the nearest store that has it; `name/id` means the store of that name. */
  get(id: string): Held | undefined;
  /** The same with its body, which is read now. */
  read(id: string): Promise<(Held & { readonly record: WholeRecord }) | undefined>;
  /** The learnings about a target, best first. Paths may be absolute or relative to the root. */
  find(target: Target, options?: FindOptions): Found;
  /** Names that it is worth to ask `find` about: every symbol that an active learning names is among them. */
  symbols(): ReadonlySet<string>;
  /** The repository's learnings whose paths contain or meet a pattern. */
  findMeeting(pattern: string, status?: Status): Found;
  /** Learnings whose text has words of the query, or words like them, best first. */
  search(query: string, options?: SearchOptions): Promise<SearchFound>;
  /** The repository's records as rows of a table, all of them. */
  rows(): AsyncIterable<IndexRow>;
  /** Reads what has changed, and says what that is. */
  reload(): Promise<Change>;
  /** Saves the index, so that the next process need not read what has not changed. */
  save(): Promise<void>;
  /** Where the learnings come from that reach this repository, its own store first. */
  origins(): readonly Origin[];
  /** All that may be given to agents, as bytes for a program that has no time to read records. */
  snapshot(signs: readonly Sign[]): PackedIndex;
}

/** A store besides the repository's own. */
export interface FurtherStore {
  readonly origin: Origin;
  readonly files: FileSystem;
}

interface World {
  readonly root: string;
  /** Rooted at `root`. */
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly hash: Hash;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** What the editor's settings say, asked at every reload. */
  readonly editorSettings?: (() => Partial<Settings>) | undefined;
  /** Opens a folder that `extends` names, relative to the root; undefined if it holds no learnings. */
  readonly openExtended?: (folder: string) => FurtherStore | undefined;
  readonly personal?: FurtherStore | undefined;
  /** What `save` wrote in an earlier process. */
  readonly savedIndex?: SavedFiles | undefined;
  readonly saveIndex?: (index: PackedIndex) => Promise<void>;
  /** Keeps the bodies that are read, for `rows`. */
  readonly keepBodies?: boolean;
}

interface Stock {
  readonly origin: Origin;
  readonly shelf: Shelf;
  readonly files: FileSystem;
  readonly precedence: number;
  sources(): readonly Source[];
}

const DAY_MS = 86_400_000;
/** Rows are made in portions, so that those of a large store are never in memory all at once. */
const PORTION = 500;

/** Opens the learnings of a repository, with those that it extends and one's own. */
export async function openLearnings(world: World): Promise<Learnings> {
  const { root, clock } = world;
  const bodies = world.keepBodies ? new Map<string, string>() : undefined;
  const stockOf = ({ origin, files }: FurtherStore, saved?: SavedFiles): Stock => {
    const isOwn = origin.kind === 'repository';
    const ports = { files, clock, hash: world.hash, bodies: isOwn ? bodies : undefined };
    const shelf = openShelf(ports, saved);
    return { origin, files, shelf, precedence: precedence[origin.kind], sources: () => shelf.sources() };
  };
  const repository: Origin = { kind: 'repository', name: '', root };
  const own = stockOf({ origin: repository, files: world.files }, world.savedIndex);
  const searcher = openSearch<Stock>();
  let further: readonly Stock[] = [];
  const lists = new Map<Status | undefined, readonly Held[]>();
  let problems: readonly Problem[] = [];
  let config = emptyConfig;
  let resolved = resolveSettings({});
  let editor: Partial<Settings> = {};
  let decay: Decay = { halfLifeDays: 0, atMs: 0 };

  const stocks = (): readonly Stock[] => [own, ...further];

  const learnings: Learnings = {
    root,
    problems: () => problems,
    settings: () => resolved,
    tags: () => config.tags,
    list(status) {
      // Every view asks for it after every change of anything.
      let listed = lists.get(status);
      if (!listed) {
        listed = byStatusAndAge(
          own.shelf.list(status).map((shelved) => ({ ...shelved, origin: own.origin })),
        );
        lists.set(status, listed);
      }
      return listed;
    },
    count: () => own.shelf.count(),
    get: (id) => locate(stocks(), id)?.held,
    async read(id) {
      const found = locate(stocks(), id);
      if (!found) return undefined;
      const { held, stock } = found;
      const bytes = await readIfThere(stock.files, held.file);
      const whole = bytes && parseRecord(bytes, held.file).record;
      return whole && { ...held, record: { ...held.record, body: whole.body } };
    },
    find(target, { limit = Infinity, status = 'active', whateverIsSet = false } = {}) {
      const { settings } = resolved;
      if (!settings.enabled && !whateverIsSet) return { matches: [], total: 0 };
      const normal: Target = {
        ...target,
        paths: target.paths?.flatMap((path) => relativeTo(root, path) ?? []),
      };
      const sinceMs = status === 'active' && !whateverIsSet ? oldestAllowed(settings, clock.now()) : 0;
      const options = { limit, status, sinceMs };
      const toMatch = ({ learning, matchedBy, specificity }: Ranked, { origin }: Stock): Match => ({
        record: learning.record,
        matchedBy,
        origin,
        specificity,
      });
      if (further.length === 0) {
        const { ranked, total } = own.shelf.find(normal, options);
        return { total, matches: ranked.map((one) => toMatch(one, own)) };
      }
      const found = stocks().map((stock) => ({ stock, ...stock.shelf.find(normal, options) }));
      const rows = found.flatMap(({ stock, ranked }) => ranked.map((one) => ({ one, stock })));
      rows.sort((a, b) => compareRanked(a.one, b.one) || byOrigin(a.stock.origin, b.stock.origin));
      return {
        total: found.reduce((sum, { total }) => sum + total, 0),
        matches: rows.slice(0, limit).map(({ one, stock }) => toMatch(one, stock)),
      };
    },
    symbols: () => new Set(stocks().flatMap(({ shelf }) => shelf.symbols())),
    findMeeting(pattern, status = 'active') {
      const matches = learnings.list(status).flatMap(({ record, origin }): Match[] => {
        const met = patternsThatMeet(record.scope.paths, pattern);
        return met.length > 0
          ? [{ record, origin, matchedBy: met.map((one) => `path:${pattern} ~ ${one}`) }]
          : [];
      });
      return { matches, total: matches.length };
    },
    async search(text, { limit = 20, status = 'active', target, kind, store } = {}) {
      const name = (origin: Origin, { id }: { id: string }): string => `${origin.root}\0${id}`;
      const matches = target && learnings.find(target, { status }).matches;
      const about = matches && new Set(matches.map(({ origin, record }) => name(origin, record)));
      const { hits, total } = await searcher.search(stocks(), {
        text,
        limit,
        halfLifeDays: resolved.settings.vote_half_life_days,
        nowMs: clock.now().getTime(),
        accept: (learning, { origin }) =>
          learning.status === status &&
          (kind === undefined || learning.kind === kind) &&
          (store === undefined || origin.name === store) &&
          (!about || about.has(name(origin, learning))),
      });
      return {
        total,
        hits: hits.map(({ learning, store: stock, score, snippet }) => ({
          held: { ...learning, origin: stock.origin },
          score,
          snippet,
        })),
      };
    },
    async *rows() {
      const sources = own.sources();
      for (let start = 0; start < sources.length; start += PORTION) {
        const portion = sources.slice(start, start + PORTION);
        const unknown = portion.filter(({ folder }) => !bodies?.has(folder));
        const read = await loadBodies(own.files, unknown);
        for (const source of portion)
          yield toIndexRow(source, bodies?.get(source.folder) ?? read.get(source.folder) ?? '');
      }
    },
    async reload() {
      const { environment = {} } = world;
      config = await readConfig(world.files);
      editor = world.editorSettings?.() ?? {};
      resolved = resolveSettings({ environment, editor, config: config.values });
      decay = { halfLifeDays: resolved.settings.vote_half_life_days, atMs: clock.now().getTime() };
      let change = await own.shelf.refresh(decay);
      if (change.added.length + change.changed.length + change.removed.length > 0) lists.clear();
      const opened = furtherStores(world, resolved.settings, config);
      further = opened.stores.map(
        (store) => further.find(({ origin }) => origin.root === store.origin.root) ?? stockOf(store),
      );
      const troubles: Problem[] = [];
      for (const { origin, shelf } of further) {
        try {
          change = join(change, await shelf.refresh(decay), origin.root);
          // Told where they can be mended; here they cost nothing but the record.
          for (const one of shelf.problems())
            troubles.push({ ...one, file: `${origin.root}/${one.file}`, severity: 'warning' });
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          const hint = 'The learnings there are left out.';
          troubles.push(
            problemAt('', origin.root)(0, { code: 'unreadable', severity: 'warning', message, hint }),
          );
        }
      }
      problems = [
        ...own.shelf.problems(),
        ...config.problems,
        ...opened.problems,
        ...resolved.refused.map(refusedVariable),
        ...troubles,
      ];
      if (own.shelf.outgrown) await world.saveIndex?.(own.shelf.pack());
      return change;
    },
    save: async () => world.saveIndex?.(own.shelf.pack()),
    origins: () => stocks().map(({ origin }) => origin),
    snapshot: (signs) =>
      packSnapshot(
        { ...snapshotOf(stocks(), decay), layers: { editor, config: config.values }, signs },
        world.hash,
      ),
  };
  await learnings.reload();
  return learnings;
}

/** How a learning is named among those of a repository: by its store too, where that is not the repository's own. */
export const nameOf = ({ kind, name }: Origin, { id }: { readonly id: string }): string =>
  kind === 'repository' ? id : `${name}/${id}`;

/** What may be given of every store, nearer ones first, with the files that it depends on. */
function snapshotOf(
  stocks: readonly Stock[],
  decay: Decay,
): Pick<SnapshotContent, 'stores' | 'learnings' | 'watched'> {
  const files = stocks.map(({ shelf }) => shelf.files());
  const watched = files.flatMap((list, store) => list.map((file) => ({ ...file, store })));
  const places = new Map(watched.map(({ store, path }, place) => [`${store} ${path}`, place]));
  const learnings = stocks.flatMap((stock, store) =>
    stock
      .sources()
      .filter(({ status }) => status === 'active')
      .map((source): SnapshotContent['learnings'][number] => {
        const { record, votes } = source.learning();
        const changed = Date.parse(record.updatedAt ?? record.createdAt ?? '');
        return {
          name: nameOf(stock.origin, record),
          summary: record.summary,
          rationale: record.rationale,
          priority: record.priority,
          scope: record.scope,
          fingerprint: record.fingerprint,
          standing: standingOf(record, votes, decay),
          changedMs: Number.isNaN(changed) ? Infinity : changed,
          store,
          file: places.get(`${store} ${source.file}`) ?? 0,
        };
      }),
  );
  return { stores: stocks.map(({ origin: { name, root } }) => ({ name, root })), learnings, watched };
}

/** The nearest store's record of an id, or that of the store which is named before it. */
function locate(stocks: readonly Stock[], id: string): { held: Held; stock: Stock } | undefined {
  const [, name, plain = id] = /^(.+)\/([^/]+)$/.exec(id) ?? [];
  for (const stock of stocks) {
    const shelved = name === undefined || name === stock.origin.name ? stock.shelf.get(plain) : undefined;
    if (shelved) return { stock, held: { ...shelved, origin: stock.origin } };
  }
  return undefined;
}

function join(a: Change, b: Change, root: string): Change {
  const absolute = (folders: readonly string[]): string[] => folders.map((folder) => `${root}/${folder}`);
  return {
    added: [...a.added, ...absolute(b.added)],
    changed: [...a.changed, ...absolute(b.changed)],
    removed: [...a.removed, ...absolute(b.removed)],
    broken: [...a.broken, ...absolute(b.broken)],
  };
}

function furtherStores(
  world: World,
  settings: Settings,
  config: Config,
): { stores: readonly FurtherStore[]; problems: readonly Problem[] } {
  if (settings.scope === 'local') return { stores: [], problems: [] };
  const stores: FurtherStore[] = [];
  const problems: Problem[] = [];
  const add = (store: FurtherStore): void => {
    const { origin } = store;
    // Named twice, or the repository itself: it is there already.
    if (origin.root === world.root || stores.some((other) => other.origin.root === origin.root)) return;
    const namesakes = stores.filter((other) => other.origin.name.replace(/-\d+$/, '') === origin.name).length;
    const name = namesakes === 0 ? origin.name : `${origin.name}-${namesakes + 1}`;
    stores.push({ ...store, origin: { ...origin, name } });
  };
  for (const folder of settings.extends) {
    const store = world.openExtended?.(folder);
    if (store) add(store);
    else problems.push(missingExtended(folder, config));
  }
  if (world.personal) add(world.personal);
  return { stores, problems };
}

function missingExtended(folder: string, config: Config): Problem {
  return config.at(['extends'], {
    code: 'missing-store',
    severity: 'warning',
    message: `extends names ${folder}, which holds no learnings`,
    hint: 'Check it out there, or correct the path: it is relative to the root of the repository.',
  });
}

function refusedVariable({ variable, message }: Resolved['refused'][number]): Problem {
  const hint = 'The environment variable is passed over.';
  return problemAt('', variable)(0, { code: 'schema', severity: 'warning', message, hint });
}

function oldestAllowed({ max_age_days: days }: Settings, now: Date): number {
  return days === null ? 0 : now.getTime() - days * DAY_MS;
}

const precedence = { repository: 0, extended: 1, personal: 2 } as const;
const byOrigin = (a: Origin, b: Origin): number => precedence[a.kind] - precedence[b.kind];

/** For lists that nobody asked a question of: what is in use first, the latest first. */
function byStatusAndAge(listed: readonly Held[]): Held[] {
  // Each is looked into once, not at every comparison.
  const keyed = listed.map((held) => ({
    held,
    isOld: held.status === 'superseded' ? 1 : 0,
    priority: held.record.priority,
    time: Date.parse(held.record.updatedAt ?? '') || 0,
    id: held.record.id,
  }));
  keyed.sort(
    (a, b) => a.isOld - b.isOld || b.priority - a.priority || b.time - a.time || (a.id < b.id ? -1 : 1),
  );
  return keyed.map(({ held }) => held);
}
