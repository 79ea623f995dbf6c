import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

import { LearningsError, type ToolStore, type ToolWorld } from '../core/api';
import { toolStore } from '../node/toolStore';
import { Caller, type RequestMeta } from './caller';
import { Repositories } from './repositories';
import { ClientRoots } from './roots';

/** Who asks, and what is known here: what tools, resources and prompts are answered from. */
export interface DeskWorld extends ToolWorld {
  readonly sessionId: string;
  /** The folders that were looked in. */
  readonly folders: readonly string[];
}

export class Desk {
  private readonly caller = new Caller();
  private readonly repositories: Repositories;
  private readonly folders: () => Promise<readonly string[]>;

  constructor(
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    private readonly server: Server,
    given: readonly string[],
    onRootsChange: () => void,
  ) {
    const roots = new ClientRoots(server, onRootsChange);
    this.folders = given.length > 0 ? () => Promise.resolve(given) : () => roots.folders();
    this.repositories = new Repositories(this.folders);
  }

  /** Everything as it is on disk now. */
  async world(meta?: RequestMeta): Promise<DeskWorld> {
    const folders = await this.folders();
    const opened = await this.repositories.fresh();
    this.caller.isCalled(this.server.getClientVersion()?.name);
    const sessionId = this.caller.session(meta, [...opened.map(({ root }) => root), ...folders]);
    return {
      stores: opened.map((learnings) => toolStore(learnings, { sessionId })),
      agent: this.caller.agent,
      sessionId,
      now: () => new Date(),
      folders,
    };
  }
}

/** The same, for what makes no sense without a store. */
export function storesIn({ stores, folders }: DeskWorld): readonly ToolStore[] {
  if (stores.length > 0) return stores;
  throw new LearningsError(
    'no-store',
    `There is no .learnings folder in ${folders.join(', ')} or above, so nothing has been recorded here. Go on without. To begin, a person runs learnings init, or Learnings: Initialize in VS Code.`,
  );
}
