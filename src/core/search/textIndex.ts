import { Best } from './best';
import type { Postings } from './postings';
import { Tally } from './tally';
import { createVocabulary } from './vocabulary';
import { eachWord, normaliseText } from './words';

export interface TextFields {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly rationale?: string | undefined;
  readonly body?: string | undefined;
}

interface TextHit {
  readonly document: number;
  readonly score: number;
  /** The indexed words that made it a hit, in lower case: `snippet` marks them. */
  readonly words: readonly string[];
}

interface SearchOptions {
  readonly limit: number;
  readonly accept?: (document: number) => boolean;
  /** Multiplies the score. */
  readonly boost?: (document: number) => number;
}

export interface TextIndex {
  /** Adds or replaces. Documents are small non-negative integers chosen by the caller. */
  set(document: number, fields: TextFields): void;
  remove(document: number): void;
  /**
   * The documents with any word of the query, best first, equal ones by number. A word also finds longer words that it
   * begins and, where it is hardly found itself, words one typing mistake away. `total` counts beyond the limit.
   */
  search(query: string, options: SearchOptions): { hits: readonly TextHit[]; total: number };
}

/** A word in a summary counts as though it stood there four times, and so on. */
const WEIGHTS = { summary: 4, tags: 3, rationale: 2, body: 1 } as const;

/** The usual constants of BM25: how soon repetition stops to count, and how much long documents are held back. */
const K1 = 1.2;
const B = 0.75;

/** What a word that is only like the one asked for is worth beside it. */
const COMPLETION_WORTH = 0.5;
const NEIGHBOUR_WORTH = 0.3;

/** A single letter begins so many words that completing it says nothing and takes long. */
const MIN_COMPLETED = 2;
/** Mistakes are looked for when a word, as typed, is in fewer documents than this. */
const FEW = 5;
/** How many words like the one asked for are taken, and how many entries they may have besides the most common. */
const MAX_LIKE = 32;
const MAX_LIKE_ENTRIES = 50_000;
/** More than anyone types; a whole file, pasted, must not take seconds. */
const MAX_QUERY_WORDS = 32;

/** So many removed documents are put up with, and one more for every four that are there, before rows are swept. */
const MIN_SWEPT = 1000;
const REMOVED = -1;

/** What a word of the query may stand for: itself, or a word like it. */
interface Variant {
  readonly postings: Postings;
  /** Its rarity times its worth. */
  readonly weight: number;
}

/**
 * BM25 over all fields at once, the words of each field counted by its weight (simple BM25F). A document lives in a
 * row. To remove it only marks the row: postings are rid of it when a search next looks at them, and when many rows are
 * marked, all are swept and numbered anew. So a change costs in proportion to the document, and a search after it gives
 * exactly what a new index would.
 */
export function createTextIndex(): TextIndex {
  const vocabulary = createVocabulary();
  const tally = new Tally();
  const rowOf = new Map<number, number>();
  let documents: number[] = [];
  /** The weighted number of words in each row, or REMOVED. */
  let lengths: number[] = [];
  let totalLength = 0;
  /** How many there have been, ever: postings remember up to which they are clean. */
  let removals = 0;

  const isLive = (row: number): boolean => lengths[row] !== REMOVED;

  function add(document: number, fields: TextFields): void {
    const row = documents.length;
    let length = 0;
    const addField = (text: string | undefined, weight: number): void => {
      if (text === undefined) return;
      eachWord(normaliseText(text), (word) => {
        vocabulary.add(word, row, weight);
        length += weight;
      });
    };
    addField(fields.summary, WEIGHTS.summary);
    addField(fields.tags.join(' '), WEIGHTS.tags);
    addField(fields.rationale, WEIGHTS.rationale);
    addField(fields.body, WEIGHTS.body);
    rowOf.set(document, row);
    documents.push(document);
    lengths.push(length);
    totalLength += length;
  }

  function remove(document: number): void {
    const row = rowOf.get(document);
    if (row === undefined) return;
    rowOf.delete(document);
    totalLength -= lengths[row] ?? 0;
    lengths[row] = REMOVED;
    removals++;
    if (documents.length - rowOf.size > MIN_SWEPT + rowOf.size / 4) sweep();
  }

  function sweep(): void {
    const live = [...documents.keys()].filter(isLive);
    const newRows = new Int32Array(documents.length).fill(-1);
    live.forEach((row, newRow) => (newRows[row] = newRow));
    vocabulary.renumber(newRows);
    documents = live.map((row) => documents[row] ?? 0);
    lengths = live.map((row) => lengths[row] ?? 0);
    documents.forEach((document, row) => rowOf.set(document, row));
  }

  const rarity = (size: number): number => Math.log(1 + (rowOf.size - size + 0.5) / (size + 0.5));

  /** Of these words those that still stand somewhere, the most common first, and no more than is quick to go through. */
  function standing(words: readonly Postings[]): readonly Postings[] {
    const common = new Best<Postings>(MAX_LIKE, bySize);
    for (const postings of words) {
      postings.clean(removals, isLive);
      if (postings.size > 0) common.offer(postings);
    }
    let room = MAX_LIKE_ENTRIES;
    return common.inOrder().filter(({ size }, place) => {
      const isTaken = place === 0 || size <= room;
      if (isTaken && place > 0) room -= size;
      return isTaken;
    });
  }

  /**
   * No variant counts for more than the word that was asked for, however rare it is itself. If that word stands
   * nowhere, the others count alike, as the most common of them does: nobody knows which was meant.
   */
  function variantsOf(word: string): Variant[] {
    const own = vocabulary.get(word);
    const exact = standing(own ? [own] : []);
    const longer = word.length < MIN_COMPLETED ? [] : standing(vocabulary.completions(word));
    const isFound = sumOfSizes([...exact, ...longer]) >= FEW;
    const near = isFound || !mayBeMistyped(word) ? [] : standing(vocabulary.neighbours(word));
    const asked = exact.length > 0 ? exact : [...longer, ...near];
    const ceiling = Math.min(...asked.map(({ size }) => rarity(size)));
    const weigh = (words: readonly Postings[], worth: number): Variant[] =>
      words.map((postings) => ({ postings, weight: worth * Math.min(ceiling, rarity(postings.size)) }));
    return [...weigh(exact, 1), ...weigh(longer, COMPLETION_WORTH), ...weigh(near, NEIGHBOUR_WORTH)];
  }

  function score(variants: readonly Variant[]): void {
    const perLength = (K1 * B * rowOf.size) / totalLength;
    for (const { postings, weight } of variants) {
      for (let entry = 0; entry < postings.size; entry++) {
        const row = postings.row(entry);
        const count = postings.count(entry);
        const damping = K1 * (1 - B) + perLength * (lengths[row] ?? 0);
        tally.add(row, (weight * (K1 + 1) * count) / (count + damping));
      }
    }
    tally.endWord();
  }

  /** The best rows of the tally, with how many there are at all. */
  function choose({ limit, accept, boost }: SearchOptions): { rows: readonly number[]; total: number } {
    const documentOf = (row: number): number => documents[row] ?? 0;
    const best = new Best<number>(
      limit,
      (a, b) => tally.score(b) - tally.score(a) || documentOf(a) - documentOf(b),
    );
    let total = 0;
    for (let place = 0; place < tally.size; place++) {
      const row = tally.row(place);
      if (accept && !accept(documentOf(row))) continue;
      if (boost) tally.multiply(row, boost(documentOf(row)));
      best.offer(row);
      total++;
    }
    return { rows: best.inOrder(), total };
  }

  return {
    set(document, fields) {
      remove(document);
      add(document, fields);
    },
    remove,
    search(query, options) {
      const groups = queryWords(query).map(variantsOf);
      tally.clear(documents.length);
      groups.forEach(score);
      const { rows, total } = choose(options);
      const variants = new Set(groups.flat().map(({ postings }) => postings));
      const hits = rows.map((row) => ({
        document: documents[row] ?? 0,
        score: tally.score(row),
        words: [...variants].filter((postings) => postings.has(row)).map(({ word }) => word),
      }));
      return { hits, total };
    },
  };
}

function queryWords(query: string): string[] {
  const words = new Set<string>();
  eachWord(normaliseText(query), (word) => words.add(word));
  return [...words].slice(0, MAX_QUERY_WORDS);
}

/** Shorter words are one mistake away from too many others, and a number with another digit is another number. */
function mayBeMistyped(word: string): boolean {
  return word.length >= 4 && !/\p{N}/u.test(word);
}

/** Equally common ones are in alphabetical order, so that which of them are taken does not hang on chance. */
const bySize = (a: Postings, b: Postings): number => b.size - a.size || (a.word < b.word ? -1 : 1);

const sumOfSizes = (words: readonly Postings[]): number => words.reduce((sum, { size }) => sum + size, 0);
