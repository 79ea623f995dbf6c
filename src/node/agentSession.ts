import {
  fingerprintOf,
  openSession,
  type Learnings,
  type Session,
  type Store,
  type ToolStore,
} from '../core/api';
import { nodeHash } from './hash';
import { receiptsJournal, sessionJournal } from './journal';
import { nodePorts, openStoreAt } from './open';

/** Agents that name no session get one for as long as somebody works without a longer pause. */
const UNNAMED_MS = 30 * 60_000;

/** What a session of an agent was given in a checkout, whichever process gave it. */
export function agentSession(root: string, id: string | undefined): Session {
  const digest = (text: string): string => nodeHash.quick(new TextEncoder().encode(text));
  return openSession({
    journal: sessionJournal(root, id ?? 'unnamed', digest),
    nonce: () => `${process.pid}-${Date.now()}-${Math.random()}`,
    now: Date.now,
    ...(id === undefined && { maxAgeMs: UNNAMED_MS }),
  });
}

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
