import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

import type { Desk } from './desk';
import { listResources, previewResource } from './resources';
import { StoreWatch } from './watch';

/** Tells the client what has changed on disk, whoever changed it, compared with what it was told before. */
export class NewsDesk {
  private readonly watch = new StoreWatch(() => void this.look());
  private readonly subscribed = new Map<string, string>();
  private listed: string | undefined;
  private running: Promise<void> | undefined;
  private isAskedAgain = false;

  constructor(
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    private readonly server: Server,
    private readonly desk: Desk,
  ) {}

  async subscribe(uri: string): Promise<void> {
    this.subscribed.set(uri, await this.textOf(uri));
  }

  unsubscribe(uri: string): void {
    this.subscribed.delete(uri);
  }

  /** Looks at everything, one look at a time. */
  look(): Promise<void> {
    this.isAskedAgain = true;
    this.running ??= this.lookUntilQuiet().finally(() => (this.running = undefined));
    return this.running;
  }

  private async lookUntilQuiet(): Promise<void> {
    while (this.isAskedAgain) {
      this.isAskedAgain = false;
      try {
        await this.tell();
      } catch {
        // What cannot be read now is told of when it can be, or by the call that needs it.
      }
    }
  }

  private async tell(): Promise<void> {
    const world = await this.desk.world();
    this.watch.follow(
      world.stores.map(({ learnings }) => learnings.root),
      world.folders,
    );
    const listed = JSON.stringify(listResources(world));
    const isNew = this.listed !== undefined && this.listed !== listed;
    this.listed = listed;
    if (isNew) await this.server.sendResourceListChanged();
    for (const [uri, before] of this.subscribed) {
      const now = await this.textOf(uri);
      if (now === before || !this.subscribed.has(uri)) continue;
      this.subscribed.set(uri, now);
      await this.server.sendResourceUpdated({ uri });
    }
  }

  /** Also of what is not there yet, or no longer. */
  private async textOf(uri: string): Promise<string> {
    try {
      return (await previewResource(await this.desk.world(), uri)).text;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}
