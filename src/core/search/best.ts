/** Keeps the best of what it is offered: sorting whenever twice the limit has come together is quick for any limit. */
export class Best<T> {
  private kept: T[] = [];
  /** The last one within the limit, once there are that many. */
  private bar: T | undefined;

  constructor(
    private readonly limit: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  offer(item: T): void {
    if (this.bar !== undefined && this.compare(item, this.bar) > 0) return;
    this.kept.push(item);
    if (this.kept.length < 2 * this.limit + 100) return;
    this.kept = this.inOrder();
    this.bar = this.kept.at(-1);
  }

  inOrder(): T[] {
    return this.kept.sort(this.compare).slice(0, this.limit);
  }
}
