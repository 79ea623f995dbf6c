/** Lists and texts one behind the other, with where each starts: the shape of everything that is saved. */

/** One start more than there are items: where the last one ends. */
function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = (starts[index] ?? 0) + length;
  return starts;
}

export function flattenNumbers(lists: readonly (readonly number[])[]): {
  starts: Uint32Array;
  items: Uint32Array;
} {
  const starts = startsOf(lists.map(({ length }) => length));
  const items = new Uint32Array(starts.at(-1) ?? 0);
  for (const [index, list] of lists.entries()) items.set(list, starts[index]);
  return { starts, items };
}

/** Texts one behind the other, encoded straight into one buffer: a hundred thousand small ones cost more than the work. */
export function flattenTexts(texts: Iterable<string>): { starts: Uint32Array; items: Uint8Array } {
  const encoder = new TextEncoder();
  const starts = [0];
  let items = new Uint8Array(1 << 16);
  let end = 0;
  for (const text of texts) {
    // A character of a text takes at most three bytes.
    if (items.length - end < text.length * 3) {
      const larger = new Uint8Array(Math.max(items.length * 2, end + text.length * 3));
      larger.set(items);
      items = larger;
    }
    end += encoder.encodeInto(text, items.subarray(end)).written;
    starts.push(end);
  }
  return { starts: Uint32Array.from(starts), items: items.slice(0, end) };
}
