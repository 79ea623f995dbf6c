import type { Span } from './cursor';

/** The one stretch of a text that must be replaced to make it another; undefined if they are the same. */
export function differenceOf(before: string, after: string): (Span & { readonly text: string }) | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  while (start > 0 && isWithin(before, start)) start--;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  while (tail > 0 && isWithin(before, before.length - tail)) tail--;
  return {
    start,
    end: before.length - tail,
    text: after.slice(start, after.length - tail),
  };
}

/** Between the two halves of a character or of a line ending, where no editor can put a cursor. */
const isWithin = (text: string, offset: number): boolean =>
  /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(text.slice(offset - 1, offset + 1));
