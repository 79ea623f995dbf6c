import { eachWord, normaliseText } from '../search/words';

export interface Similar<T> {
  readonly learning: T;
  /** How much of the words is shared, 0 to 1. */
  readonly overlap: number;
}

interface SimilarOptions {
  readonly limit?: number;
  /** Less than this is no resemblance. */
  readonly atLeast?: number;
}

/** Words that say nothing about what a sentence is about. */
const stopWords = new Set(
  'a an the of to in on at by for from with and or but so as is are was were be been it its this that these those there not no do does did done if when then than must should may can will would we you they he she our your their into only also any all'.split(
    ' ',
  ),
);
/** A single shared word between two longer sentences is no resemblance, whatever share of the shorter it is. */
const FEWEST_WORDS = 4;

interface Summarised {
  readonly record: { readonly summary: string };
}

/**
 * The learnings that say nearly the same as a sentence, the most alike first: the share of the words of the shorter of
 * the two that the other has too, so that half a sentence already finds the whole one.
 */
export const findSimilar = <T extends Summarised>(
  summary: string,
  learnings: readonly T[],
  options?: SimilarOptions,
): Similar<T>[] => indexSummaries(learnings)(summary, options);

/** The same for many sentences, as one that is being typed: only the words that occur in it are looked at. */
export function indexSummaries<T extends Summarised>(
  learnings: readonly T[],
): (summary: string, options?: SimilarOptions) => Similar<T>[] {
  const entries = learnings.map((learning) => ({ learning, words: wordsOf(learning.record.summary) }));
  const byWord = new Map<string, typeof entries>();
  for (const entry of entries) {
    for (const word of entry.words) {
      const known = byWord.get(word);
      if (known) known.push(entry);
      else byWord.set(word, [entry]);
    }
  }
  return (summary, { limit = 5, atLeast = 0.5 } = {}) => {
    const wanted = wordsOf(summary);
    const shared = new Map<(typeof entries)[number], number>();
    for (const word of wanted)
      for (const entry of byWord.get(word) ?? []) shared.set(entry, (shared.get(entry) ?? 0) + 1);
    return [...shared]
      .map(([{ learning, words }, count]) => ({ learning, overlap: overlapOf(count, wanted, words) }))
      .filter(({ overlap }) => overlap >= atLeast)
      .sort((a, b) => b.overlap - a.overlap)
      .slice(0, limit);
  };
}

function overlapOf(shared: number, a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [few, many] = a.size <= b.size ? [a.size, b.size] : [b.size, a.size];
  return shared / Math.max(few, Math.min(FEWEST_WORDS, many));
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  eachWord(normaliseText(text), (word) => {
    if (!stopWords.has(word)) words.add(stem(word));
  });
  return words;
}

/** Enough that `retries`, `retrying` and `retried` are one word. */
function stem(word: string): string {
  if (word.length < 5) return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
  return word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/e$/, '');
}
