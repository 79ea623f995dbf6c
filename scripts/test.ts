import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { prepareHosts } from '../test/host/browser';
import { openLifeline, type Lifeline } from '../test/host/lifeline';
import { buildProduct, checkout } from './product';

const suites = ['unit', 'process', 'extension', 'endToEnd', 'agents'] as const;
type Suite = (typeof suites)[number];

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

const SUITE_TIMEOUT_MS = 8 * 60_000;

/** `npm test`: builds the product, runs the suites on it one after the other, and adds up what they counted. */
async function main(lifeline: Lifeline, args: readonly string[]): Promise<Totals> {
  const desktop = args.includes('--desktop');
  const wanted = suites.filter((suite) => args.length === 0 || args.includes(suite));
  if (wanted.length === 0) throw new Error(`Name one of ${suites.join(', ')}, or nothing for all of them.`);

  if (!desktop && wanted.some((suite) => suite !== 'unit')) await prepareHosts(lifeline);
  const product = await buildProduct(lifeline);
  const results: Totals[] = [];
  for (const suite of wanted) {
    console.log(`\n== ${suite}`);
    const env = { LEARNINGS_PRODUCT: product.folder, LEARNINGS_VSIX: product.vsix };
    const totals = await runSuite(lifeline, suite, { ...env, ...(desktop && { LEARNINGS_DESKTOP: '1' }) });
    console.log(`${suite}: ${totals.passed} passed, ${totals.failed} failed`);
    results.push(totals);
  }
  return results.reduce((sum, next) => ({
    passed: sum.passed + next.passed,
    failed: sum.failed + next.failed,
  }));
}

async function runSuite(lifeline: Lifeline, suite: Suite, env: Record<string, string>): Promise<Totals> {
  const file = join(lifeline.folder, `${suite}.json`);
  const script = suite === 'extension' ? 'extensionSuite.ts' : 'suite.ts';
  const child = lifeline.spawn(process.execPath, ['--import', 'tsx', join(__dirname, script), suite], {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, ...env, LEARNINGS_TOTALS: file },
  });
  const overdue = setTimeout(() => {
    console.error(`${suite} did not end within ${SUITE_TIMEOUT_MS / 60_000} minutes.`);
    child.kill('SIGTERM');
  }, SUITE_TIMEOUT_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(overdue);

  const counted = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Totals)
    : { passed: 0, failed: 0 };
  // A suite that died, ran nothing or failed outside a test is a failure, even if no test and no exit code says so.
  const silent = code !== 0 || counted.passed === 0;
  return silent && counted.failed === 0 ? { ...counted, failed: 1 } : counted;
}

async function run(): Promise<void> {
  const lifeline = openLifeline();
  let totals: Totals = { passed: 0, failed: 1 };
  try {
    totals = await main(lifeline, process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  await lifeline.close();
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  process.exitCode = totals.failed > 0 ? 1 : 0;
}

void run();
