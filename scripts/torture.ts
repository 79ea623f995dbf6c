import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openLifeline } from '../test/host/lifeline';
import { fuzz } from '../test/torture/fuzz';
import { kills, lockTakeovers, mixedOperations } from '../test/torture/store';
import { buildProduct } from './product';

/** `npm run torture -- [store] [--seed N] [--count PERCENT]`: the store under faults, kills and nonsense. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
  });
  if (positionals.some((name) => name !== 'store')) throw new Error('There is one thing to torture: store.');
  const seed = Number(values.seed);
  const scaled = (full: number): number => Math.max(1, Math.round((full * Number(values.count)) / 100));

  // What is killed here are processes, not machines: memory shows the same as a disk, many times faster.
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  const lifeline = openLifeline();
  try {
    const { folder } = await buildProduct(lifeline);
    const worker = join(folder, 'out', 'test', 'torture', 'worker.js');
    const step = async (title: string, run: () => object | Promise<object>): Promise<void> => {
      const started = Date.now();
      const figures = await run();
      console.log(`ok  ${title}  ${JSON.stringify(figures)}  ${Math.round((Date.now() - started) / 1000)} s`);
    };
    const seeds = scaled(20);
    await step(`${seeds} seeds of 8 processes x 1000 operations`, async () => {
      for (let index = 0; index < seeds; index++) {
        await mixedOperations(worker, { seed: seed + index, processes: 8, operations: 1000 });
      }
      return {};
    });
    await step(`${scaled(2000)} kills`, () => kills(worker, { seed, kills: scaled(2000) }));
    await step(`${scaled(10_000)} lock takeovers`, () =>
      lockTakeovers(worker, { seed, takeovers: scaled(10_000), processes: 6 }),
    );
    await step(`${scaled(100_000)} spoilt records`, () => fuzz('records', { seed, count: scaled(100_000) }));
    await step(`${scaled(100_000)} spoilt vote files`, () => fuzz('votes', { seed, count: scaled(100_000) }));
  } finally {
    await lifeline.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
