/** Of the 32 bits of an entry, those for the count; the 24 above hold the row, enough for 16 million documents. */
const COUNT_BITS = 8;
const MAX_COUNT = 2 ** COUNT_BITS - 1;

/**
 * The rows that a word stands in, ascending, and how often in each. Row and count share one 32-bit number: at 100,000
 * documents there are some ten million entries, and each byte of one is ten megabytes.
 */
export class Postings {
  size = 0;
  private entries = new Uint32Array(2);
  private cleanedAt = 0;

  constructor(readonly word: string) {}

  row(entry: number): number {
    return (this.entries[entry] ?? 0) >>> COUNT_BITS;
  }

  count(entry: number): number {
    return (this.entries[entry] ?? 0) & MAX_COUNT;
  }

  /** Counts the word in a row no lower than the last. From 255 on it makes no difference any more. */
  add(row: number, times: number): void {
    const last = this.size - 1;
    if (last >= 0 && this.row(last) === row) {
      this.put(last, row, this.count(last) + times);
    } else {
      if (this.size === this.entries.length) this.resize(Math.ceil(this.size * 1.5));
      this.put(this.size++, row, times);
    }
  }

  has(row: number): boolean {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.row(middle) < row) low = middle + 1;
      else high = middle;
    }
    return low < this.size && this.row(low) === row;
  }

  /** Drops the rows that are gone, unless that was done since the removal with this number. */
  clean(removal: number, isLive: (row: number) => boolean): void {
    if (this.cleanedAt === removal) return;
    this.rewrite((row) => (isLive(row) ? row : -1));
    this.cleanedAt = removal;
  }

  /** Gives every row its new number, ascending like the old ones, and drops those whose new number is -1. */
  renumber(newRows: Int32Array): void {
    this.rewrite((row) => newRows[row] ?? -1);
    if (this.size < this.entries.length / 2) this.resize(Math.max(this.size, 2));
  }

  private rewrite(rename: (row: number) => number): void {
    let kept = 0;
    for (let entry = 0; entry < this.size; entry++) {
      const row = rename(this.row(entry));
      if (row >= 0) this.put(kept++, row, this.count(entry));
    }
    this.size = kept;
  }

  private put(entry: number, row: number, count: number): void {
    this.entries[entry] = (row << COUNT_BITS) | Math.min(count, MAX_COUNT);
  }

  private resize(capacity: number): void {
    const old = this.entries;
    this.entries = new Uint32Array(capacity);
    this.entries.set(capacity < old.length ? old.subarray(0, capacity) : old);
  }
}
