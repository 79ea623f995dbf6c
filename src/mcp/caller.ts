import { randomUUID } from 'node:crypto';

import { oneLine } from '../core/api';
import { callNotes } from '../node/journal';

/** What a request carries beside its parameters. */
export type RequestMeta = Readonly<Record<string, unknown>> | undefined;

/**
 * Who calls, and in which session of theirs, so that what a hook or another tool gave already is not given again.
 * VS Code says so with each call. Claude Code names the call alone, and our hook has noted which session that is of.
 * Of any other client all calls are of one session, which lasts as long as this process.
 */
export class Caller {
  private readonly own = `mcp-${randomUUID()}`;
  private last: string | undefined;
  private name = 'mcp';

  /** The session of a call; of a request that does not say, that of the call before. */
  session(meta: RequestMeta, roots: readonly string[]): string {
    return (this.last = sessionNamedIn(meta) ?? notedSession(meta, roots) ?? this.last ?? this.own);
  }

  get agent(): string {
    return this.name;
  }

  /** Takes the name that a client gives itself. */
  isCalled(name: string | undefined): void {
    this.name = agentOf(name);
  }
}

function sessionNamedIn(meta: RequestMeta): string | undefined {
  const id = meta?.['vscode.conversationId'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function notedSession(meta: RequestMeta, roots: readonly string[]): string | undefined {
  const call = meta?.['claudecode/toolUseId'];
  if (typeof call !== 'string') return undefined;
  for (const root of roots) {
    const session = callNotes(root).take(call);
    if (session !== undefined) return session;
  }
  return undefined;
}

/** The agent that hooks call `copilot-chat` comes as VS Code here. */
function agentOf(name: string | undefined): string {
  if (name === undefined) return 'mcp';
  if (/^visual studio code/i.test(name)) return 'copilot-chat';
  return oneLine(name, 60).toLowerCase().replaceAll(/\s+/g, '-') || 'mcp';
}
