import { fingerprintOf, type Learnings, type Store, type ToolStore } from '../core/api';
import { agentSession } from './agentSession';
import { receiptsJournal } from './journal';
import { nodePorts, openStoreAt } from './open';

interface ToolStoreOptions {
  /** Of the agent that asks; undefined if it does not say. */
  readonly sessionId?: string | undefined;
  /** Opens the store for changes, where the host has its own say about that. */
  readonly writer?: () => Store;
}

/** A repository as tools see it. */
export function toolStore(learnings: Learnings, { sessionId, writer }: ToolStoreOptions = {}): ToolStore {
  const { root } = learnings;
  const { git } = nodePorts(root);
  return {
    learnings,
    writer: writer ?? (() => openStoreAt(root)),
    git,
    session: sessionId === undefined ? undefined : agentSession(root, sessionId),
    receipts: receiptsJournal(root),
    isOutdated: ({ origin, record: { fingerprint } }) => isOutdated(origin.root, fingerprint),
  };
}

/** Whether something that a learning depends on is no longer as it was when that was last known to be true. */
export async function isOutdated(
  root: string,
  fingerprint: readonly { readonly input: string; readonly hash: string }[],
): Promise<boolean> {
  const ports = nodePorts(root);
  for (const { input, hash } of fingerprint) {
    const now = await fingerprintOf(ports, input).catch(() => undefined);
    if (now !== hash) return true;
  }
  return false;
}
