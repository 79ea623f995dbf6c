import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openLifeline } from '../test/host/lifeline';
import { fuzz } from '../test/torture/fuzz';
import { hostileGlobs } from '../test/torture/globs';
import { hookFuzz } from '../test/torture/hook';
import { kills, lockTakeovers, mixedOperations } from '../test/torture/store';
import { buildProduct } from './product';

/** No pattern may hold up an editor for longer. */
const MAX_MATCH_MS = 20;

interface Run {
  readonly worker: string;
  readonly lockWorker: string;
  readonly hook: string;
  readonly seed: number;
  /** A number of times, by the percentage that was asked for. */
  readonly scaled: (full: number) => number;
  readonly step: (title: string, work: () => object | Promise<object>) => Promise<void>;
}

const tortures = {
  match: ({ seed, scaled, step }) =>
    step(`${scaled(100_000)} hostile patterns`, () => {
      const slowest = hostileGlobs({ seed, count: scaled(100_000) });
      if (slowest.slowestMs > MAX_MATCH_MS) throw new Error(JSON.stringify(slowest));
      return slowest;
    }),
  operations: ({ worker, seed, scaled, step }) =>
    step(`${scaled(20)} seeds of 8 processes x 1000 operations`, async () => {
      for (let index = 0; index < scaled(20); index++) {
        await mixedOperations(worker, { seed: seed + index, processes: 8, operations: 1000 });
        console.log(`    seed ${seed + index} done`);
      }
      return {};
    }),
  kills: ({ worker, seed, scaled, step }) =>
    step(`${scaled(2000)} kills`, () => kills(worker, { seed, kills: scaled(2000) })),
  locks: ({ lockWorker, seed, scaled, step }) =>
    step(`${scaled(10_000)} lock takeovers`, () =>
      lockTakeovers(lockWorker, { seed, takeovers: scaled(10_000), processes: 6 }),
    ),
  spoilt: async ({ seed, scaled, step }) => {
    const count = scaled(100_000);
    await step(`${count} spoilt records`, () => fuzz('records', { seed, count }));
    await step(`${count} spoilt vote files`, () => fuzz('votes', { seed, count }));
  },
  hook: ({ hook, seed, scaled, step }) =>
    step(`${scaled(10_000)} documents for the hook`, () => hookFuzz(hook, { seed, count: scaled(10_000) })),
} satisfies Record<string, (run: Run) => Promise<void>>;

type Name = keyof typeof tortures;
const groups: Readonly<Record<string, readonly string[]>> = {
  store: ['operations', 'kills', 'locks', 'spoilt'],
};
const isName = (name: string): name is Name => Object.hasOwn(tortures, name);

function namesOf(asked: readonly string[]): readonly Name[] {
  const all = Object.keys(tortures).filter(isName);
  const names = asked.flatMap((name) => groups[name] ?? [name]);
  const unknown = names.find((name) => !isName(name));
  if (unknown !== undefined) throw new Error(`${unknown}? There are: store, ${all.join(', ')}.`);
  return asked.length === 0 ? all : names.filter(isName);
}

/** `npm run torture -- [NAME…] [--seed N] [--count PERCENT]`: what must hold under faults, kills and nonsense. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
  });
  const names = namesOf(positionals);

  // What is killed here are processes, not machines: memory shows the same as a disk, many times faster.
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  const lifeline = openLifeline();
  try {
    const { folder } = await buildProduct(lifeline);
    const built = (name: string): string => join(folder, 'out', 'test', 'torture', `${name}.js`);
    const run: Run = {
      worker: built('worker'),
      lockWorker: built('lockWorker'),
      hook: join(folder, 'dist', 'hook.js'),
      seed: Number(values.seed),
      scaled: (full) => Math.max(1, Math.round((full * Number(values.count)) / 100)),
      async step(title, work) {
        const started = Date.now();
        const figures = await work();
        const seconds = Math.round((Date.now() - started) / 1000);
        console.log(`ok  ${title}  ${JSON.stringify(figures)}  ${seconds} s`);
      },
    };
    for (const name of names) await tortures[name](run);
  } finally {
    await lifeline.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
