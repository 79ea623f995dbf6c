import { flattenTexts } from '../index/flat';
import type { PackedIndex, SavedFiles } from '../index/saved';
import { checksum, packSections, unpackSections } from '../index/sections';
import type { Settings } from '../config/settings';
import { buildMatcher, openMatcher, type MatcherParts } from '../match/matcher';
import { compareAge, compareWorth, ranksIn, type Standing } from '../match/rank';
import type { Scope, Target } from '../match/scope';
import type { Hash } from '../ports';
import type { Offer } from './render';

/**
 * All that may be given to an agent, of every store that reaches a repository, packed so that a program which runs for
 * a twentieth of a second can answer from it. It is derived and never believed: it carries what it was made from, and
 * whoever answers from it looks whether that is still so.
 */
export interface SnapshotContent {
  readonly stores: readonly SnapshotStore[];
  readonly learnings: readonly SnapshotLearning[];
  /** Every record file that can change what is given, those of superseded learnings too. */
  readonly watched: readonly WatchedFile[];
  /** What the editor and config.yaml set; the environment is each process's own. */
  readonly layers: { readonly editor: Partial<Settings>; readonly config: Partial<Settings> };
  /** Files and folders that tell by their times that something changed. */
  readonly signs: readonly Sign[];
}

interface SnapshotStore {
  /** Empty for the repository's own. */
  readonly name: string;
  readonly root: string;
}

interface SnapshotLearning extends Omit<Offer, 'matchedBy'> {
  readonly scope: Scope;
  readonly standing: Standing;
  /** When it was last changed, for the age limit; Infinity if that is not known. */
  readonly changedMs: number;
  readonly fingerprint: readonly { readonly input: string; readonly hash: string }[];
  readonly store: number;
  /** Its place in `watched`. */
  readonly file: number;
}

export interface WatchedFile {
  readonly store: number;
  /** Relative to the store's root. */
  readonly path: string;
  /** NaN if it proves nothing. */
  readonly ms: number;
  readonly size: number;
  /** The checksum of its text where it was changed so lately that its time alone does not prove enough; else 0. */
  readonly check: number;
}

/** A path, and a text that is another one as soon as what is there has changed; empty if there is nothing. */
export type Sign = readonly [path: string, stamp: string];

/** A learning of a snapshot that matches. */
export interface SnapshotMatch extends Offer {
  readonly fingerprint: SnapshotLearning['fingerprint'];
  readonly store: SnapshotStore;
  readonly file: WatchedFile;
}

export interface Snapshot extends Pick<SnapshotContent, 'layers' | 'signs' | 'stores'> {
  readonly watchedCount: number;
  watched(): Iterable<WatchedFile>;
  tags(): readonly string[];
  find(
    target: Target,
    options: {
      readonly limit: number;
      readonly sinceMs: number;
      readonly accept: (name: string) => boolean;
    },
  ): { readonly matches: readonly SnapshotMatch[]; readonly total: number } | undefined;
}

/** Changes with everything that is kept here. */
const FORMAT = 'learnings-snapshot-2';

export function packSnapshot(content: SnapshotContent, hash: Hash): PackedIndex {
  const { learnings, watched, stores, layers, signs } = content;
  const standings = learnings.map(({ standing }) => standing);
  const { parts } = buildMatcher(
    learnings.map(({ scope }) => scope),
    { worth: ranksIn(standings, compareWorth), age: ranksIn(standings, compareAge) },
  );
  const names = flattenTexts(learnings.map(({ name }) => name));
  const paths = flattenTexts(watched.map(({ path }) => path));
  const rows = flattenTexts(learnings.map(rowOf));
  const head = packSections(
    {
      ...parts,
      nameStart: names.starts,
      names: names.items,
      changedMs: Float64Array.from(learnings, ({ changedMs }) => changedMs),
      storeOf: Uint32Array.from(learnings, ({ store }) => store),
      fileOf: Uint32Array.from(learnings, ({ file }) => file),
      rowStart: rows.starts,
      rowCheck: Uint32Array.from(learnings, (_, index) =>
        checksum(rows.items.subarray(rows.starts[index], rows.starts[index + 1])),
      ),
      pathStart: paths.starts,
      paths: paths.items,
      fileStore: Uint32Array.from(watched, ({ store }) => store),
      fileMs: Float64Array.from(watched, ({ ms }) => ms),
      fileSize: Uint32Array.from(watched, ({ size }) => size),
      fileCheck: Uint32Array.from(watched, ({ check }) => check),
      about: new TextEncoder().encode(JSON.stringify({ stores, layers, signs })),
    },
    FORMAT,
    hash,
  );
  return { head, contents: rows.items };
}

type Row = [summary: string, rationale: string | null, priority: number, ...fingerprint: string[]];

const rowOf = ({ summary, rationale, priority, fingerprint }: SnapshotLearning): string =>
  JSON.stringify([
    summary,
    rationale ?? null,
    priority,
    ...fingerprint.flatMap(({ input, hash }) => [input, hash]),
  ] satisfies Row);

interface Sections extends MatcherParts {
  readonly nameStart: Uint32Array;
  readonly names: Uint8Array;
  readonly changedMs: Float64Array;
  readonly storeOf: Uint32Array;
  readonly fileOf: Uint32Array;
  readonly rowStart: Uint32Array;
  readonly rowCheck: Uint32Array;
  readonly pathStart: Uint32Array;
  readonly paths: Uint8Array;
  readonly fileStore: Uint32Array;
  readonly fileMs: Float64Array;
  readonly fileSize: Uint32Array;
  readonly fileCheck: Uint32Array;
  readonly about: Uint8Array;
}

/** Opens what `packSnapshot` made; undefined if anything about it is in doubt. */
export function openSnapshot(saved: SavedFiles, hash: Hash): Snapshot | undefined {
  const unpacked = unpackSections(saved.head, FORMAT, hash);
  if (!unpacked) return undefined;
  const sections = unpacked as unknown as Sections;
  const decoder = new TextDecoder('utf-8');
  const textAt = (items: Uint8Array, starts: Uint32Array, at: number): string =>
    decoder.decode(items.subarray(starts[at], starts[at + 1]));
  const about = JSON.parse(decoder.decode(sections.about)) as Pick<
    SnapshotContent,
    'layers' | 'signs' | 'stores'
  >;
  const matcher = openMatcher(sections);

  const fileAt = (file: number): WatchedFile => ({
    store: sections.fileStore[file] ?? 0,
    path: textAt(sections.paths, sections.pathStart, file),
    ms: sections.fileMs[file] ?? NaN,
    size: sections.fileSize[file] ?? 0,
    check: sections.fileCheck[file] ?? 0,
  });
  /** Undefined if the rows are of another snapshot than this one. */
  const rowAt = (document: number): Row | undefined => {
    const bytes = saved.contents(sections.rowStart[document] ?? 0, sections.rowStart[document + 1] ?? 0);
    if (!bytes || checksum(bytes) !== sections.rowCheck[document]) return undefined;
    return JSON.parse(decoder.decode(bytes)) as Row;
  };

  return {
    ...about,
    watchedCount: sections.fileMs.length,
    *watched() {
      for (let file = 0; file < sections.fileMs.length; file++) yield fileAt(file);
    },
    tags: () => matcher.tags(),
    find(target, { limit, sinceMs, accept }) {
      const { hits, total } = matcher.find(target, {
        limit,
        accept: (document) =>
          (sinceMs === 0 || (sections.changedMs[document] ?? Infinity) >= sinceMs) &&
          accept(textAt(sections.names, sections.nameStart, document)),
      });
      const matches: SnapshotMatch[] = [];
      for (const { document, reasons } of hits) {
        const row = rowAt(document);
        const store = about.stores[sections.storeOf[document] ?? 0];
        if (!row || !store) return undefined;
        const [summary, rationale, priority, ...pairs] = row;
        matches.push({
          name: textAt(sections.names, sections.nameStart, document),
          summary,
          rationale: rationale ?? undefined,
          priority,
          matchedBy: reasons,
          fingerprint: pairsOf(pairs),
          store,
          file: fileAt(sections.fileOf[document] ?? 0),
        });
      }
      return { matches, total };
    },
  };
}

function pairsOf(flat: readonly string[]): { input: string; hash: string }[] {
  const pairs: { input: string; hash: string }[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2)
    pairs.push({ input: flat[at] ?? '', hash: flat[at + 1] ?? '' });
  return pairs;
}
