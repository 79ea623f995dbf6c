import type { Learnings } from '../core/api';
import { findRoot } from '../node/findUp';
import { openFrom } from '../node/open';

/** The learnings of the folders that are open, each repository once. */
export class Repositories {
  private readonly opened = new Map<string, Promise<Learnings>>();
  private running: Promise<readonly Learnings[]> | undefined;
  private next: Promise<readonly Learnings[]> | undefined;

  constructor(private readonly folders: () => Promise<readonly string[]>) {}

  /** As they are on disk now. Calls that arrive while others are answered share one further look. */
  fresh(): Promise<readonly Learnings[]> {
    if (!this.running) {
      this.running = this.load().finally(() => (this.running = undefined));
      return this.running;
    }
    this.next ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        return this.fresh();
      });
    return this.next;
  }

  /** Where they are, without a look into them. */
  async roots(): Promise<ReadonlySet<string>> {
    return new Set((await this.folders()).flatMap((folder) => findRoot(folder) ?? []));
  }

  private async load(): Promise<readonly Learnings[]> {
    const roots = await this.roots();
    for (const root of this.opened.keys()) if (!roots.has(root)) this.opened.delete(root);
    return Promise.all([...roots].map((root) => this.open(root)));
  }

  private async open(root: string): Promise<Learnings> {
    const known = this.opened.get(root);
    if (known) {
      const learnings = await known;
      await learnings.reload();
      return learnings;
    }
    const opening = openFrom(root);
    this.opened.set(root, opening);
    opening.catch(() => this.opened.delete(root));
    return opening;
  }
}
