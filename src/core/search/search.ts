import type { Shelved, Source, Status } from '../index/shelf';
import { standingOf } from '../match/rank';
import type { FileSystem } from '../ports';
import { parseRecord } from '../record/parse';
import type { LearningRecord } from '../record/schema';
import { snippet } from './snippet';
import { createTextIndex } from './textIndex';

/** A store that is searched. */
interface Searched {
  readonly files: FileSystem;
  /** Of equally good hits the nearer store's come first. */
  readonly precedence: number;
  sources(): readonly Source[];
}

/** What is kept of a record besides its words: enough to filter and weigh a hundred thousand hits. */
interface Known<Store> {
  readonly store: Store;
  readonly source: Source;
  readonly id: string;
  readonly kind: LearningRecord['kind'];
  readonly factor: number;
}

interface SearchQuery<Store> {
  readonly text: string;
  readonly limit: number;
  readonly halfLifeDays: number;
  readonly nowMs: number;
  accept(learning: { id: string; status: Status; kind: LearningRecord['kind'] }, store: Store): boolean;
}

export interface SearchHit<Store> {
  readonly learning: Shelved;
  readonly store: Store;
  readonly score: number;
  /** A piece of its text with the hits, and where they stand in it. */
  readonly snippet: { readonly text: string; readonly marks: readonly (readonly [number, number])[] };
}

const SNIPPET_CHARS = 160;
/** Texts are taken in portions, so that those of a large store are never in memory all at once. */
const PORTION = 500;
const DAY_MS = 86_400_000;

/** Free-text search over stores, brought up to date by what has changed when it is next asked. */
export function openSearch<Store extends Searched>(): {
  search(
    stores: readonly Store[],
    query: SearchQuery<Store>,
  ): Promise<{ hits: readonly SearchHit<Store>[]; total: number }>;
} {
  const index = createTextIndex();
  const numbers = new Map<object, number>();
  const documents: (Known<Store> | undefined)[] = [];

  const add = (store: Store, source: Source, body: string | undefined, query: SearchQuery<Store>): void => {
    const learning = source.learning();
    const { id, kind, summary, scope, rationale } = learning.record;
    index.set(documents.length, { summary, rationale, tags: [...scope.tags, ...scope.symbols], body });
    numbers.set(source.entry, documents.length);
    documents.push({ store, source, id, kind, factor: standingFactor(learning, store, query) });
  };

  const update = async (stores: readonly Store[], query: SearchQuery<Store>): Promise<void> => {
    const wanted = new Set<object>();
    for (const store of stores) {
      const sources = store.sources();
      const fresh = sources.filter(({ entry }) => !numbers.has(entry));
      for (let start = 0; start < fresh.length; start += PORTION) {
        const portion = fresh.slice(start, start + PORTION);
        const bodies = await loadBodies(store.files, portion);
        for (const source of portion) add(store, source, bodies.get(source.folder), query);
      }
      for (const source of sources) {
        wanted.add(source.entry);
        // What has become of a record can change without its own file.
        const number = numbers.get(source.entry) ?? -1;
        const before = documents[number];
        if (before && before.source.status !== source.status) documents[number] = { ...before, source };
      }
    }
    for (const [entry, number] of numbers) {
      if (wanted.has(entry)) continue;
      index.remove(number);
      numbers.delete(entry);
      documents[number] = undefined;
    }
  };

  return {
    async search(stores, query) {
      await update(stores, query);
      const { hits, total } = index.search(query.text, {
        limit: query.limit,
        accept(number) {
          const known = documents[number];
          return (
            known !== undefined &&
            query.accept({ id: known.id, kind: known.kind, status: known.source.status }, known.store)
          );
        },
        boost: (number) => documents[number]?.factor ?? 0,
      });
      const found: SearchHit<Store>[] = [];
      for (const { document, score, words } of hits) {
        const known = documents[document];
        if (!known) continue;
        const { source, store } = known;
        const learning = source.learning();
        const bodies = await loadBodies(store.files, [source]);
        const { summary, rationale } = learning.record;
        const text = [summary, rationale, bodies.get(source.folder)].filter(Boolean).join(' ');
        found.push({ learning, store, score, snippet: snippet(text, words, SNIPPET_CHARS) });
      }
      return { hits: found, total };
    },
  };
}

/** How much a text that fits counts: by its store, its kind, how lately it was changed, and its votes. */
function standingFactor(
  { record, votes }: Shelved,
  { precedence }: Searched,
  { halfLifeDays, nowMs }: { halfLifeDays: number; nowMs: number },
): number {
  const standing = standingOf(record, votes, { halfLifeDays, atMs: nowMs });
  const ageDays = standing.updatedMs === 0 ? 365 : Math.max(0, nowMs - standing.updatedMs) / DAY_MS;
  const nearness = 1 - 0.1 * precedence;
  const weight = 0.8 + standing.weight / 25;
  const freshness = 0.85 + 0.15 * Math.pow(0.5, ageDays / 365);
  return nearness * weight * freshness * (1 + 0.2 * Math.log1p(standing.votes));
}

/** The bodies of records, by folder. */
export async function loadBodies(
  files: FileSystem,
  sources: readonly Source[],
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  const read = await files.readAll(sources.map(({ file }) => file));
  for (const [index, { folder, file }] of sources.entries()) {
    const bytes = read[index];
    const body = bytes instanceof Uint8Array ? parseRecord(bytes, file).record?.body : undefined;
    if (body !== undefined) bodies.set(folder, body);
  }
  return bodies;
}
