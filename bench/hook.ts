import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { syntheticStore } from './synthetic';

export interface HookFigures {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly emptyP50: number;
  readonly emptyP95: number;
  /** Of the calls, how many were given something. */
  readonly answered: number;
}

const ROUNDS = 100;
/** An agent's model thinks between two calls; what a call asked to be done behind its back is then over. */
const PAUSE_MS = 250;

/** The hook as a process, cold, alternating with a Node that does nothing. */
export async function measureHook(
  hook: string,
  { count, root }: { readonly count: number; readonly root: string },
): Promise<HookFigures> {
  const { files } = syntheticStore(count);
  const event = (round: number): string =>
    JSON.stringify({
      session_id: `bench-${round}`,
      transcript_path: join(root, 'transcript.jsonl'),
      cwd: root,
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: { file_path: join(root, files[round % files.length] ?? '') },
      tool_use_id: `toolu_${round}`,
    });
  // The first call makes the snapshot, as the first one in a fresh clone does.
  time([hook], { root, input: event(ROUNDS) });
  const hooks: number[] = [];
  const empty: number[] = [];
  let answered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    await pause(root);
    const { ms, output } = time([hook], { root, input: event(round) });
    hooks.push(ms);
    if (output !== '') answered++;
    await pause(root);
    empty.push(time(['-e', '0'], { root, input: '' }).ms);
  }
  return {
    count,
    p50: at(hooks, 0.5),
    p95: at(hooks, 0.95),
    emptyP50: at(empty, 0.5),
    emptyP95: at(empty, 0.95),
    answered,
  };
}

async function pause(root: string): Promise<void> {
  await wait(PAUSE_MS);
  while (existsSync(join(root, '.learnings', '.cache', 'checking'))) await wait(20);
}

function time(
  args: readonly string[],
  { root, input }: { root: string; input: string },
): { ms: number; output: string } {
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, input, encoding: 'utf8' });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}`);
  return { ms, output: stdout };
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
