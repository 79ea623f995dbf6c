import type { LearningRecord } from '../record/schema';
import { eachWord, normaliseText } from '../search/words';

/** From here on two summaries are likely to say the same. */
const MUCH = 0.6;

/** Finds the records whose summary shares most of its words with another, the likest first. */
export function openOverlap(
  records: Iterable<Pick<LearningRecord, 'id' | 'summary'>>,
): (summary: string) => { id: string; overlap: number }[] {
  const known = [...records].map(({ id, summary }) => ({ id, words: wordsOf(summary) }));
  return (summary) => {
    const words = wordsOf(summary);
    return known
      .map(({ id, words: others }) => ({ id, overlap: overlapOf(words, others) }))
      .filter(({ overlap }) => overlap >= MUCH)
      .toSorted((a, b) => b.overlap - a.overlap || (a.id < b.id ? -1 : 1));
  };
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  eachWord(normaliseText(text), (word) => words.add(word));
  return words;
}

/** What they share, of all that either has. */
function overlapOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared === 0 ? 0 : shared / (a.size + b.size - shared);
}
