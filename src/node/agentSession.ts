import { openSession, type Session } from '../core/api';
import { nodeHash } from './hash';
import { sessionJournal } from './journal';

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
