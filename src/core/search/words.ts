/** Letters, digits and underscores; marks too, or most Indic words would fall apart. */
const RUN = /[\p{L}\p{M}\p{N}_]+/gu;

/** The parts of an identifier: `graph`, `Bench`, `rs` of `graphBench_rs`; `HTTP`, `Server` of `HTTPServer`. */
const PART = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}_]+|\p{Lu}+[\p{M}\p{N}]*/gu;

/** Of longer ones, such as a pasted key, the beginning counts. */
const MAX_LENGTH = 64;

/** What the words of a text are taken from: composed and decomposed accents are the same to a reader. */
export function normaliseText(text: string): string {
  return text.normalize('NFC');
}

type Visit = (word: string, start: number, end: number) => void;

/**
 * Calls `visit` with every word of a normalised text, in lower case. An identifier is a word as a whole and then again
 * in its parts; a path such as `src/engine/run.ts` is four words, as it is in a query.
 */
export function eachWord(text: string, visit: (word: string) => void): void {
  // To know where each stands would take twice as long.
  for (const run of text.match(RUN) ?? []) visitRun(run, 0, visit);
}

/** The same, with where the words stand. */
export function eachPlacedWord(text: string, visit: Visit): void {
  for (const { 0: run, index } of text.matchAll(RUN)) visitRun(run, index, visit);
}

function visitRun(run: string, start: number, visit: Visit): void {
  const name = run.length > MAX_LENGTH ? cut(run) : run;
  const word = name.toLowerCase();
  visit(word, start, start + run.length);
  // Most words are plain; only the others are worth a second regular expression.
  if (word === name && !name.includes('_')) return;
  for (const { 0: part, index } of name.matchAll(PART)) {
    if (part !== name) visit(part.toLowerCase(), start + index, start + index + part.length);
  }
}

function cut(run: string): string {
  return run.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, '');
}
