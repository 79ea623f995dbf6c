import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runMocha } from '../test/host/runMocha';
import { checkout } from './product';

const TIMEOUT_MS = 60_000;

/** Runs one folder of tests in this process. */
async function main(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  if (files.length === 0) throw new Error(`No tests in ${folder}.`);
  const failures = await runMocha(
    files.toSorted().map((name) => join(folder, name)),
    { timeout: TIMEOUT_MS },
  );
  process.exit(failures > 0 ? 1 : 0);
}

void main(join(checkout, 'test', process.argv[2] ?? 'unit'));
