import { appendFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

import { findRoot } from '../node/findUp';
import { cacheOf } from '../node/journal';
import { answer, type Answer } from './answer';
import { readEvent, type HookEvent } from './event';
import { checkEverything } from './supply';

/** No harness waits much longer, and an agent should wait less. */
const MAX_MS = 4000;
const MAX_INPUT_BYTES = 16 * 1024 * 1024;
const MAX_LOG_BYTES = 256 * 1024;

/**
 * Answers one hook event of a coding agent: reads it from standard input and prints what is known about the file that
 * is about to be touched. Prints valid JSON or nothing and exits 0, whatever happens: anything else would get in the
 * way of the agent's own work. `hook.js [EVENT] [HARNESS]`: what the payload itself may not say.
 */
async function main([first, second]: readonly string[]): Promise<void> {
  if (first === '--check') return checkEverything(second ?? '');
  const event = readEvent(JSON.parse(await standardInput()), {
    event: first,
    harness: second,
    environment: process.env,
  });
  if (!event) return;
  try {
    const said = await answer(event, { program: __filename, startedMs: 0 });
    if (said) process.stdout.write(JSON.stringify(outputFor(event, said)));
  } catch (error) {
    log(event, error);
  }
}

/** Context counts inside for some harnesses and outside for others, and none minds the other one. */
function outputFor({ name }: HookEvent, { context, deny }: Answer): object {
  const said = deny
    ? { permissionDecision: 'deny', permissionDecisionReason: context }
    : { additionalContext: context };
  return { ...said, hookSpecificOutput: { hookEventName: name, ...said } };
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_INPUT_BYTES) throw new Error('too much input');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Not to stderr, where an agent could take it for an answer. */
function log({ cwd, name, tool }: HookEvent, error: unknown): void {
  try {
    const root = findRoot(cwd);
    if (root === undefined) return;
    const file = join(cacheOf(root), 'hook.log');
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(file);
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    appendFileSync(file, `${new Date().toISOString()} ${name} ${tool}: ${what}\n`);
  } catch {
    // Nobody is left to tell.
  }
}

// Whatever goes wrong, an agent that has gone away included, is not the agent's business.
process.on('uncaughtException', () => process.exit(0));
process.on('unhandledRejection', () => process.exit(0));
if (process.argv[2] !== '--check') setTimeout(() => process.exit(0), MAX_MS).unref();

main(process.argv.slice(2)).catch(() => {
  // Silence is the contract: an agent must never stumble over its reminder.
});
