import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { openLifeline, type Lifeline } from '../test/host/lifeline';
import { buildProduct } from '../scripts/product';

interface Result {
  readonly bench: string;
  readonly subject: string;
  readonly baseline: string;
  readonly subjectMs: number;
  readonly baselineMs: number;
  readonly ratio: number;
}

const ROUNDS = 20;

/** How long our programs take from a cold start, against a Node process that does nothing, in the same run. */
async function benchStart(lifeline: Lifeline): Promise<Result[]> {
  const { folder } = await buildProduct(lifeline);
  const cwd = join(folder, 'samples');
  const file = join(cwd, 'src', 'http', 'server.ts');
  const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_input: { file_path: file } };
  const subjects = {
    hook: () => runNode([join(folder, 'dist', 'hook.js')], { cwd, input: JSON.stringify(event) }),
    cli: () => runNode([join(folder, 'dist', 'cli.js'), 'list', '--path', file], { cwd, input: '' }),
  };
  return Object.entries(subjects).map(([name, run]) => {
    const pairs = Array.from(
      { length: ROUNDS },
      () => [run(), runNode(['-e', '0'], { cwd, input: '' })] as const,
    );
    const subjectMs = median(pairs.map(([subject]) => subject));
    const baselineMs = median(pairs.map(([, baseline]) => baseline));
    const ratio = subjectMs / baselineMs;
    return {
      bench: 'start',
      subject: `dist/${name}.js`,
      baseline: 'node -e 0',
      subjectMs,
      baselineMs,
      ratio,
    };
  });
}

function runNode(args: readonly string[], options: { cwd: string; input: string }): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const benches: Record<string, (lifeline: Lifeline) => Promise<Result[]>> = { start: benchStart };

/** `npm run bench [-- NAME...] [-- --json]`: every figure beside its baseline, measured alternately in one run. */
async function main(args: readonly string[]): Promise<void> {
  const names = args.filter((arg) => !arg.startsWith('--'));
  const unknown = names.filter((name) => !(name in benches));
  if (unknown.length > 0) {
    throw new Error(`No bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  }
  const lifeline = openLifeline();
  try {
    const results: Result[] = [];
    for (const [name, bench] of Object.entries(benches)) {
      if (names.length === 0 || names.includes(name)) results.push(...(await bench(lifeline)));
    }
    if (args.includes('--json')) return console.log(JSON.stringify({ results }, null, 2));
    for (const { bench, subject, baseline, subjectMs, baselineMs, ratio } of results) {
      console.log(
        `${bench}: ${subject} ${subjectMs.toFixed(1)} ms, ${baseline} ${baselineMs.toFixed(1)} ms, ${ratio.toFixed(2)} x`,
      );
    }
  } finally {
    await lifeline.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
