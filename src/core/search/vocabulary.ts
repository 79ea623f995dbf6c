import { Postings } from './postings';

/** Every indexed word with its postings, and the words that are like a given one. */
interface Vocabulary {
  /** Notes that a word stands in a row, the newest so far. */
  add(word: string, row: number, times: number): void;
  get(word: string): Postings | undefined;
  /** The longer words that begin with this one, in alphabetical order. */
  completions(word: string): readonly Postings[];
  /** The words one typing mistake away that begin with the same letter, in alphabetical order. */
  neighbours(word: string): readonly Postings[];
  /** Renumbers the rows of all postings, see there, and forgets the words that no longer stand anywhere. */
  renumber(newRows: Int32Array): void;
}

/** Some 1,600 documents. */
const MAX_NOTES = 2 ** 18;
/** A note is a word's number above 24 bits of row and 8 of count: at most 53 bits, all that a number has. */
const PER_WORD = 2 ** 32;
const PER_ROW = 2 ** 8;

/**
 * A map, and beside it the words in order, so that those with the same beginning stand together. The first letter of a
 * word is hardly ever the wrong one; taking it for right leaves a few thousand of 50,000 words to compare with.
 *
 * What is added is first noted, one after the other, and entered into the postings by word when many notes have come
 * together or someone asks: to go to other postings for every word of a text is to wait for memory every time, which
 * took half the time of building an index.
 */
export function createVocabulary(): Vocabulary {
  let all: Postings[] = [];
  const numbers = new Map<string, number>();
  let sorted: Postings[] = [];
  const notes = new Float64Array(MAX_NOTES);
  let noteCount = 0;

  function numberOf(word: string): number {
    const known = numbers.get(word);
    if (known !== undefined) return known;
    const own = copy(word);
    numbers.set(own, all.length);
    return all.push(new Postings(own)) - 1;
  }

  function find(word: string): Postings | undefined {
    const number = numbers.get(word);
    return number === undefined ? undefined : all[number];
  }

  function enterNotes(): void {
    for (const note of notes.subarray(0, noteCount).sort()) {
      const number = Math.floor(note / PER_WORD);
      const rest = note - number * PER_WORD;
      all[number]?.add(Math.floor(rest / PER_ROW), rest & (PER_ROW - 1));
    }
    noteCount = 0;
  }

  /** New words are put in order when someone asks: a few one by one, as to sort all of them again takes long. */
  function inOrder(): readonly Postings[] {
    const added = all.slice(sorted.length);
    // Plain strings are sorted many times quicker than by a comparison of one's own.
    if (added.length > sorted.length / 100)
      sorted = [...numbers.keys()].sort().flatMap((word) => find(word) ?? []);
    else for (const postings of added) sorted.splice(lowerBound(sorted, postings.word), 0, postings);
    return sorted;
  }

  function startingWith(prefix: string): Postings[] {
    if (noteCount > 0) enterNotes();
    const found: Postings[] = [];
    const ordered = inOrder();
    let at = lowerBound(ordered, prefix);
    for (let next = ordered[at]; next?.word.startsWith(prefix); next = ordered[++at]) found.push(next);
    return found;
  }

  return {
    add(word, row, times) {
      if (noteCount === MAX_NOTES) enterNotes();
      notes[noteCount++] = numberOf(word) * PER_WORD + row * PER_ROW + times;
    },
    get(word) {
      if (noteCount > 0) enterNotes();
      return find(word);
    },
    completions: (prefix) => startingWith(prefix).filter(({ word }) => word !== prefix),
    neighbours: (typed) => startingWith(typed.charAt(0)).filter(({ word }) => isOneEditApart(typed, word)),
    renumber(newRows) {
      enterNotes();
      for (const postings of all) postings.renumber(newRows);
      all = all.filter(({ size }) => size > 0);
      sorted = sorted.filter(({ size }) => size > 0);
      numbers.clear();
      all.forEach(({ word }, number) => numbers.set(word, number));
    },
  };
}

/** A word cut out of a text can be a mere view of it, and would keep the whole text in memory. */
function copy(word: string): string {
  return word.split('').join('');
}

function lowerBound(ordered: readonly Postings[], wanted: string): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordered[middle]?.word ?? '') < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether one letter added, missing or wrong, or two neighbouring ones swapped, is all the difference. */
function isOneEditApart(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (long.length - short.length > 1 || a === b) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  let shortEnd = short.length;
  let longEnd = long.length;
  while (shortEnd > start && short[shortEnd - 1] === long[longEnd - 1]) {
    shortEnd--;
    longEnd--;
  }
  // Between the common beginning and the common end is what differs.
  const differing = longEnd - start;
  if (differing === 1) return true;
  const isSwap = short[start] === long[start + 1] && short[start + 1] === long[start];
  return differing === 2 && shortEnd - start === 2 && isSwap;
}
