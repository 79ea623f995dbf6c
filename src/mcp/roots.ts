import { fileURLToPath } from 'node:url';

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { RootsListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

/** A client that says it has roots and does not tell them is not waited for any longer. */
const MAX_WAIT_MS = 2000;

/** The folders that are open at the client; without its word, the one that this server was started in. */
export class ClientRoots {
  private asked: Promise<readonly string[]> | undefined;

  constructor(
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    private readonly server: Server,
    onDidChange: () => void,
  ) {
    server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      this.asked = undefined;
      onDidChange();
    });
  }

  folders(): Promise<readonly string[]> {
    return (this.asked ??= this.ask());
  }

  private async ask(): Promise<readonly string[]> {
    const here = [process.cwd()];
    if (this.server.getClientCapabilities()?.roots === undefined) return here;
    try {
      const { roots } = await this.server.listRoots(undefined, { timeout: MAX_WAIT_MS });
      return roots.length === 0 ? here : roots.flatMap(({ uri }) => pathOf(uri) ?? []);
    } catch {
      return here;
    }
  }
}

/** Undefined for what is not on this machine. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
