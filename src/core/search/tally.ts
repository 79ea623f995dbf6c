/**
 * Adds up a score for each row. It is kept from one search to the next, because to allocate space for every row would
 * take longer than most searches.
 */
export class Tally {
  /** How many rows have a score. */
  size = 0;
  private rows = new Uint32Array(0);
  private scores = new Float64Array(0);
  private bests = new Float64Array(0);

  /** Begins anew, for row numbers below `rowCount`. */
  clear(rowCount: number): void {
    for (let place = 0; place < this.size; place++) this.scores[this.row(place)] = 0;
    this.size = 0;
    if (rowCount <= this.rows.length) return;
    const capacity = Math.ceil(rowCount * 1.5);
    this.rows = new Uint32Array(capacity);
    this.scores = new Float64Array(capacity);
    this.bests = new Float64Array(capacity);
  }

  /** Scores a row for a variant of the current word. Only the best of them counts: they mean the same. */
  add(row: number, score: number): void {
    const before = this.score(row);
    if (before === 0) this.rows[this.size++] = row;
    const gain = score - (this.bests[row] ?? 0);
    if (gain <= 0) return;
    this.scores[row] = before + gain;
    this.bests[row] = score;
  }

  /** What is added next is for another word of the query. */
  endWord(): void {
    for (let place = 0; place < this.size; place++) this.bests[this.row(place)] = 0;
  }

  multiply(row: number, factor: number): void {
    this.scores[row] = this.score(row) * factor;
  }

  row(place: number): number {
    return this.rows[place] ?? 0;
  }

  score(row: number): number {
    return this.scores[row] ?? 0;
  }
}
