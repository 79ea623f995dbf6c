import { eachPlacedWord, normaliseText } from './words';

type Range = readonly [start: number, end: number];

interface Occurrence {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * A piece of text on one line around the best hits, with where they are: where most different words come together, and
 * of such places the first. Without a hit it is the beginning. `maxLength`, at least 3, includes the ellipses.
 */
export function snippet(
  text: string,
  words: readonly string[],
  maxLength: number,
): { text: string; marks: readonly Range[] } {
  const line = normaliseText(text).replace(/\s+/gu, ' ').trim();
  const hits = occurrences(line, new Set(words));
  const [start, end] = line.length <= maxLength ? [0, line.length] : windowOf(line, hits, maxLength - 2);
  const before = start > 0 ? '…' : '';
  const after = end < line.length ? '…' : '';
  const marks = merged(hits)
    .map(([from, to]): Range => [Math.max(from, start), Math.min(to, end)])
    .filter(([from, to]) => from < to)
    .map(([from, to]): Range => [from - start + before.length, to - start + before.length]);
  return { text: before + line.slice(start, end) + after, marks };
}

function occurrences(line: string, words: ReadonlySet<string>): Occurrence[] {
  const found: Occurrence[] = [];
  eachPlacedWord(line, (word, start, end) => {
    if (words.has(word)) found.push({ word, start, end });
  });
  return found;
}

/** An identifier and its parts can all be hits; they become one mark. */
function merged(hits: readonly Occurrence[]): Range[] {
  const ranges: Range[] = [];
  for (const { start, end } of hits) {
    const last = ranges.at(-1);
    if (last && start < last[1]) ranges[ranges.length - 1] = [last[0], Math.max(last[1], end)];
    else ranges.push([start, end]);
  }
  return ranges;
}

function windowOf(line: string, hits: readonly Occurrence[], room: number): Range {
  const [hitStart, hitEnd] = densest(hits, room);
  if (hitEnd === 0) return [0, wordEnd(line, 0, room)];
  // The hits in the middle, unless the text ends before.
  const margin = Math.max(0, Math.floor((room - (hitEnd - hitStart)) / 2));
  const earliest = Math.max(0, Math.min(hitStart - margin, line.length - room));
  const start = wordStart(line, earliest, hitStart);
  return [
    start,
    wordEnd(line, Math.max(start, Math.min(hitEnd, start + room)), Math.min(line.length, start + room)),
  ];
}

/** The stretch of at most `room` with most different words, and where that is equal, the first. */
function densest(hits: readonly Occurrence[], room: number): Range {
  const counts = new Map<string, number>();
  let best: Range = [0, 0];
  let most = 0;
  let first = 0;
  for (const hit of hits) {
    counts.set(hit.word, (counts.get(hit.word) ?? 0) + 1);
    for (let left = hits[first]; left && left !== hit && hit.end - left.start > room; left = hits[++first]) {
      const count = counts.get(left.word) ?? 0;
      if (count > 1) counts.set(left.word, count - 1);
      else counts.delete(left.word);
    }
    if (counts.size <= most) continue;
    most = counts.size;
    best = [hits[first]?.start ?? 0, hit.end];
  }
  return best;
}

/** The first beginning of a word in the range; without one its start, but never half a character. */
function wordStart(line: string, from: number, to: number): number {
  if (from === 0 || line[from - 1] === ' ') return from;
  const space = line.indexOf(' ', from);
  if (space >= 0 && space < to) return space + 1;
  return splitsPair(line, from) ? from + 1 : from;
}

/** The last end of a word in the range; without one its end, but never half a character. */
function wordEnd(line: string, from: number, to: number): number {
  if (to === line.length || line[to] === ' ') return to;
  const space = line.lastIndexOf(' ', to);
  if (space >= from && space > 0) return space;
  return splitsPair(line, to) ? to - 1 : to;
}

function splitsPair(line: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(line.slice(at - 1, at + 1));
}
