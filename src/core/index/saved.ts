import type { MatcherParts } from '../match/matcher';
import type { Decay } from '../match/rank';
import type { Hash } from '../ports';
import type { LearningRecord } from '../record/schema';
import { places, type Catalog, type Contents, type Entry, type Place, type Stamp } from './catalog';
import { flattenTexts } from './flat';
import { checksum, packSections, unpackSections } from './sections';

/** What a matcher was made from, and the matcher: enough to answer without reading a single record. */
export interface SavedIndex {
  entries(): readonly Entry[];
  /** The entry of a document of the matcher. */
  entryOf(document: number): Entry;
  readonly matcher: MatcherParts;
  readonly decay: Decay;
}

/** Two files: what a match needs, and the records, which are read when the first one is looked at. */
export interface PackedIndex {
  readonly head: Uint8Array;
  readonly contents: Uint8Array;
}

export interface SavedFiles {
  readonly head: Uint8Array;
  /** A part of them; undefined if it cannot be read. They need not belong to this head: each record is checked. */
  contents(start: number, end: number): Uint8Array | undefined;
}

/** Changes with everything that is kept here, so that an index of another version is not taken for ours. */
const FORMAT = 'learnings-index-4';

const flags = { linked: 1, readable: 2, flawed: 4 } as const;

interface Index extends Pick<SavedIndex, 'matcher' | 'decay'> {
  /** The entry of each document of the matcher. */
  readonly documents: readonly Entry[];
}

export function packIndex(catalog: Catalog, index: Index, hash: Hash): PackedIndex {
  const entries = [...catalog.values()];
  const numbers = new Map(entries.map((entry, number) => [entry, number]));
  const names = flattenTexts(entries.map(({ name }) => name));
  const contents = flattenTexts(textsOf(entries));
  const piece = (number: number): Uint8Array =>
    contents.items.subarray(contents.starts[number], contents.starts[number + 1]);
  const head = packSections(
    {
      ...index.matcher,
      decay: Float64Array.of(index.decay.halfLifeDays, index.decay.atMs),
      entryOfDocument: Uint32Array.from(index.documents, (entry) => numbers.get(entry) ?? 0),
      place: Uint8Array.from(entries, ({ place }) => places.indexOf(place)),
      flags: Uint8Array.from(entries, flagsOf),
      stampMs: Float64Array.from(entries.flatMap(({ stamp }) => [stamp.recordMs, stamp.votesMs])),
      stampSize: Uint32Array.from(entries.flatMap(({ stamp }) => [stamp.recordSize, stamp.votesSize])),
      nameStart: names.starts,
      names: names.items,
      contentsStart: contents.starts,
      contentsCheck: Uint32Array.from(entries, (_, number) => checksum(piece(number))),
    },
    FORMAT,
    hash,
  );
  return { head, contents: contents.items };
}

/** Opens what `packIndex` made; undefined if anything about it is in doubt. */
export function openIndex(saved: SavedFiles, hash: Hash): SavedIndex | undefined {
  const sections = unpackSections(saved.head, FORMAT, hash);
  if (!sections) return undefined;
  const source: Source = {
    ...(sections as unknown as SavedSections),
    contents: (start, end) => saved.contents(start, end) ?? new Uint8Array(),
  };
  const known: SavedEntry[] = [];
  const entryAt = (number: number): SavedEntry => (known[number] ??= new SavedEntry(source, number));
  const [halfLifeDays = 0, atMs = 0] = source.decay;
  return {
    entries: () => Array.from(source.place, (_, number) => entryAt(number)),
    entryOf: (document) => entryAt(source.entryOfDocument[document] ?? 0),
    matcher: source,
    decay: { halfLifeDays, atMs },
  };
}

interface SavedSections extends MatcherParts {
  readonly decay: Float64Array;
  readonly entryOfDocument: Uint32Array;
  readonly place: Uint8Array;
  readonly flags: Uint8Array;
  readonly stampMs: Float64Array;
  readonly stampSize: Uint32Array;
  readonly nameStart: Uint32Array;
  readonly names: Uint8Array;
  readonly contentsStart: Uint32Array;
  readonly contentsCheck: Uint32Array;
}

interface Source extends SavedSections {
  contents(start: number, end: number): Uint8Array;
}

const decoder = new TextDecoder('utf-8');

/** An entry that is decoded when somebody looks at it. There may be a hundred thousand, so it holds nothing itself. */
class SavedEntry implements Entry {
  private decoded: Contents | undefined;
  private checked = false;

  constructor(
    private readonly source: Source,
    private readonly number: number,
  ) {}

  get place(): Place {
    return places[this.source.place[this.number] ?? 0] ?? 'learnings';
  }

  get name(): string {
    const { nameStart, names } = this.source;
    return decoder.decode(names.subarray(nameStart[this.number], nameStart[this.number + 1]));
  }

  get stamp(): Stamp {
    const { stampMs, stampSize } = this.source;
    const at = this.number * 2;
    return {
      recordMs: stampMs[at] ?? NaN,
      votesMs: stampMs[at + 1] ?? NaN,
      recordSize: stampSize[at] ?? 0,
      votesSize: stampSize[at + 1] ?? 0,
    };
  }

  get linked(): boolean {
    return this.has(flags.linked);
  }

  get readable(): boolean {
    return this.has(flags.readable);
  }

  get flawed(): boolean {
    return this.has(flags.flawed);
  }

  contents(): Contents {
    return (this.decoded ??= this.decode());
  }

  decode(): Contents {
    return this.decoded ?? expand(JSON.parse(this.text()) as Compact);
  }

  intact(): boolean {
    return (this.checked ||= checksum(this.bytes()) === this.source.contentsCheck[this.number]);
  }

  /** As it was saved, for saving it again. */
  text(): string {
    return decoder.decode(this.bytes());
  }

  private bytes(): Uint8Array {
    const { contentsStart } = this.source;
    return this.source.contents(contentsStart[this.number] ?? 0, contentsStart[this.number + 1] ?? 0);
  }

  private has(flag: number): boolean {
    return ((this.source.flags[this.number] ?? 0) & flag) !== 0;
  }
}

function* textsOf(entries: readonly Entry[]): Generator<string> {
  for (const entry of entries)
    yield entry instanceof SavedEntry ? entry.text() : JSON.stringify(compact(entry.contents()));
}

/** What most records have alike is not written for each. */
const usual = {
  status: 'active',
  kind: 'rule',
  priority: 0,
  confidence: 'high',
  evidence: [],
  fingerprint: [],
  supersedes: [],
} as const;

interface Compact {
  readonly r?: Partial<LearningRecord>;
  readonly v?: Contents['votes'];
  readonly p?: Contents['problems'];
}

function compact({ record, votes, problems }: Contents): Compact {
  const unusual = record && Object.entries(record).filter(([key, value]) => !isUsual(key, value));
  return {
    ...(unusual && { r: Object.fromEntries(unusual) }),
    ...(votes.length > 0 && { v: votes }),
    ...(problems.length > 0 && { p: problems }),
  };
}

function isUsual(key: string, value: unknown): boolean {
  const expected: unknown = Object.hasOwn(usual, key) ? usual[key as keyof typeof usual] : undefined;
  return Array.isArray(expected) ? Array.isArray(value) && value.length === 0 : value === expected;
}

function expand({ r, v = [], p = [] }: Compact): Contents {
  return { record: r && ({ ...usual, ...r } as LearningRecord), votes: v, problems: p };
}

function flagsOf({ linked, readable, flawed }: Entry): number {
  return (linked ? flags.linked : 0) | (readable ? flags.readable : 0) | (flawed ? flags.flawed : 0);
}
