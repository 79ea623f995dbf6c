import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { runTests } from '@vscode/test-electron';
import { buildSync } from 'esbuild';

import manifest from '../package.json';
import { prepareHosts } from '../test/host/browser';
import { openLifeline, type Lifeline } from '../test/host/lifeline';
import { buildProduct, checkout } from '../scripts/product';
import { measureHook } from './hook';
import type { HostFigures } from './host';
import { recordYaml, syntheticStore, votesJson } from './synthetic';

/** A figure beside its baseline, both from this run. */
interface Result {
  readonly bench: string;
  readonly subject: string;
  readonly baseline: string;
  readonly unit: 'ms' | 'µs' | 'MB' | '';
  readonly value: number;
  readonly baselineValue: number;
  /** Baseline by subject where more is better (`times faster`), subject by baseline where less is (`times`), or less it. */
  readonly ratio: number;
  readonly reads: 'times faster' | 'times' | 'over';
  /** What was promised, and whether it holds. */
  readonly wanted: string;
  readonly holds: boolean;
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
    return lessThan('start', {
      subject: `dist/${name}.js`,
      baseline: 'node -e 0',
      unit: 'ms',
      value: median(pairs.map(([subject]) => subject)),
      baselineValue: median(pairs.map(([, baseline]) => baseline)),
      limit: Infinity,
    });
  });
}

/** The hook against a Node process that does nothing, at the size of most stores and of very large ones. */
async function benchHook(lifeline: Lifeline): Promise<Result[]> {
  const { folder } = await buildProduct(lifeline);
  const results: Result[] = [];
  for (const count of [300, 10_000]) {
    const figures = await measureHook(join(folder, 'dist', 'hook.js'), makeStore(lifeline, count));
    const against = (name: string, value: number, baselineValue: number, limit: number): Result =>
      lessThan('hook', {
        subject: `${name}, ${count} learnings, ${figures.answered} calls of 100 answered`,
        baseline: 'node -e 0',
        unit: 'ms',
        value,
        baselineValue,
        limit,
      });
    results.push(
      against('p50', figures.p50, figures.emptyP50, 1.5),
      against('p95', figures.p95, figures.emptyP95, 2),
    );
  }
  return results;
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

interface Figures {
  readonly subject: string;
  readonly baseline: string;
  readonly unit: Result['unit'];
  readonly value: number;
  readonly baselineValue: number;
  readonly limit: number;
}

/** At most `limit` times the baseline. */
function lessThan(bench: string, { limit, ...figures }: Figures): Result {
  const ratio = figures.value / figures.baselineValue;
  const wanted = limit === Infinity ? '' : `<= ${limit} x`;
  return { bench, ...figures, ratio, reads: 'times', wanted, holds: ratio <= limit };
}

/** At least `limit` times faster than the baseline. */
function fasterThan(bench: string, { limit, ...figures }: Figures): Result {
  const ratio = figures.baselineValue / figures.value;
  return { bench, ...figures, ratio, reads: 'times faster', wanted: `>= ${limit} x`, holds: ratio >= limit };
}

/** At most `limit` more than the baseline. */
function overBy(bench: string, { limit, ...figures }: Figures): Result {
  const ratio = figures.value - figures.baselineValue;
  const wanted = `<= ${limit} ${figures.unit} over`;
  return { bench, ...figures, ratio, reads: 'over', wanted, holds: ratio <= limit };
}

const bySize = <T>(count: number, [small, middle, large]: readonly [T, T, T]): T =>
  count <= 1000 ? small : count <= 10_000 ? middle : large;

interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What is measured on stores of made-up records, each measurement in a process of its own. */
function storeBenches(lifeline: Lifeline): Record<string, (stores: readonly Made[]) => Result[]> {
  const child = bundleChild(lifeline);
  const measure = (what: string, { count, root }: Made): unknown => {
    const args = ['--expose-gc', '--max-old-space-size=4096', child, what, String(count), root];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: checkout,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (status !== 0) throw new Error(`${what} of ${count}: ${stderr.slice(-500)}`);
    return JSON.parse(stdout) as unknown;
  };
  return {
    match: (stores) => {
      return stores.flatMap((store) => {
        const { count } = store;
        const ours = measure('match', store) as Spread;
        const subject = `find, ${count} records`;
        const against = (baseline: string, other: Spread, limit: number): Result =>
          fasterThan('match', {
            subject,
            baseline,
            unit: 'µs',
            value: ours.p50,
            baselineValue: other.p50,
            limit,
          });
        return [
          against(
            '(a) sql.js and cached picomatch',
            measure('seedDesign', store) as Spread,
            bySize(count, [300, 1000, 3000]),
          ),
          against('(b) cached picomatch over all', measure('allPatterns', store) as Spread, 1),
          ...(count <= 10_000
            ? [against('(c) minimatch for each call', measure('minimatchPerCall', store) as Spread, 1)]
            : []),
          lessThan('match', {
            subject: `find p99, ${count} records`,
            baseline: 'what was promised',
            unit: 'µs',
            value: ours.p99,
            baselineValue: bySize(count, [100, 500, 5000]),
            limit: 1,
          }),
        ];
      });
    },
    growth: (stores) =>
      stores.slice(-1).map((store) => {
        const { exponent } = measure('growth', store) as { exponent: number };
        return lessThan('growth', {
          subject: `exponent of the time for the same matches, ${store.count / 100} to ${store.count} records`,
          baseline: 'what was promised',
          unit: '',
          value: exponent,
          baselineValue: 0.5,
          limit: 1,
        });
      }),
    load: (stores) =>
      stores.map((store) => {
        const time = (what: string): number => (measure(what, store) as { ms: number }).ms;
        // By turns, so that whatever else the machine does falls on both.
        const pairs = Array.from({ length: ROUNDS }, () => [time('load'), time('loadSql')] as const);
        return fasterThan('load', {
          subject: `saved index to first answer, ${store.count} records`,
          baseline: 'sql.js, the same rows',
          unit: 'ms',
          value: median(pairs.map(([ours]) => ours)),
          baselineValue: median(pairs.map(([, baseline]) => baseline)),
          limit: 10,
        });
      }),
    sync: (stores) =>
      stores.map((store) =>
        lessThan('sync', {
          subject: `sync from YAML, ${store.count} records`,
          baseline: 'yaml parsing the same texts',
          unit: 'ms',
          value: (measure('sync', store) as { ms: number }).ms,
          baselineValue: (measure('parse', store) as { ms: number }).ms,
          limit: bySize(store.count, [1.3, 1.2, 1.2]),
        }),
      ),
    refresh: (stores) =>
      stores.map((store) => {
        const { ms, statMs } = measure('refresh', store) as { ms: number; statMs: number };
        return lessThan('refresh', {
          subject: `refresh, nothing changed, ${store.count} records`,
          baseline: 'stat of the same files',
          unit: 'ms',
          value: ms,
          baselineValue: statMs,
          limit: 1.5,
        });
      }),
    search: (stores) =>
      stores.map((store) => {
        const { ours, like } = measure('search', store) as { ours: Spread; like: Spread };
        return fasterThan('search', {
          subject: `search p95, ${store.count} records`,
          baseline: 'LIKE in sql.js',
          unit: 'µs',
          value: ours.p95,
          baselineValue: like.p95,
          limit: bySize(store.count, [1, 3, 10]),
        });
      }),
    memory: (stores) =>
      stores.map((store) => {
        const { rssMb } = measure('memory', store) as { rssMb: number };
        const empty = measure('empty', store) as { rssMb: number };
        return lessThan('memory', {
          subject: `memory over an empty process, ${store.count} records`,
          baseline: 'what was promised',
          unit: 'MB',
          value: rssMb - empty.rssMb,
          baselineValue: bySize(store.count, [40, 80, 400]),
          limit: 1,
        });
      }),
  };
}

const HOST_RECORDS = 1000;
const HOST_RUNS = 3;

/** What the extension costs in the real extension host, beside providers that do nothing. */
async function benchHost(lifeline: Lifeline): Promise<Result[]> {
  await prepareHosts(lifeline);
  const { folder } = await buildProduct(lifeline);
  const empty = emptyExtension(lifeline);
  const runs: HostFigures[] = [];
  const emptyRuns: Pick<HostFigures, 'memoryMb'>[] = [];
  for (let run = 0; run < HOST_RUNS; run++) {
    runs.push((await measureHost(lifeline, { extension: folder, product: folder })) as HostFigures);
    emptyRuns.push(await measureHost(lifeline, { extension: empty, product: folder }));
  }
  const middle = (pick: (figures: HostFigures) => number): number => median(runs.map(pick));
  const views = Object.keys(runs[0]?.trees ?? {});
  return [
    overBy('host', {
      subject: `lenses p95, ${HOST_RECORDS} records`,
      baseline: 'an empty provider',
      unit: 'ms',
      value: middle(({ lens }) => lens.ours),
      baselineValue: middle(({ lens }) => lens.empty),
      limit: 2,
    }),
    lessThan('host', {
      subject: 'lenses p95 through VS Code and back',
      baseline: 'a lens that is always the same',
      unit: 'ms',
      value: middle(({ roundTrip }) => roundTrip.ours),
      baselineValue: middle(({ roundTrip }) => roundTrip.empty),
      limit: Infinity,
    }),
    ...views.map((view) =>
      overBy('host', {
        subject: `refresh of ${view} p95, ${HOST_RECORDS} records`,
        baseline: 'an empty tree',
        unit: 'ms',
        value: middle(({ trees }) => trees[view]?.ours ?? NaN),
        baselineValue: middle(({ trees }) => trees[view]?.empty ?? NaN),
        limit: 2,
      }),
    ),
    lessThan('host', {
      subject: 'activation: loading the code and calling it, by VS Code itself',
      baseline: 'what was promised',
      unit: 'ms',
      value: middle(({ activation: { load, call } }) => load + call),
      baselineValue: 50,
      limit: 1,
    }),
    lessThan('host', {
      subject: `activation with reading ${HOST_RECORDS} records, by VS Code itself`,
      baseline: 'loading the code and calling it',
      unit: 'ms',
      value: middle(({ activation: { load, call, finish } }) => load + call + finish),
      baselineValue: middle(({ activation: { load, call } }) => load + call),
      limit: Infinity,
    }),
    overBy('host', {
      subject: `memory after activation and use, ${HOST_RECORDS} records`,
      baseline: 'an empty extension, the same use of the editor',
      unit: 'MB',
      value: middle(({ memoryMb }) => memoryMb),
      baselineValue: median(emptyRuns.map(({ memoryMb }) => memoryMb)),
      limit: 30,
    }),
  ];
}

/** What runs in the host must lie in the extension that it watches, or VS Code gives it another API to watch. */
function bundleHost(extension: string): string {
  const outfile = join(extension, 'out', 'bench', 'host.js');
  buildSync({
    entryPoints: [join(__dirname, 'host.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    logLevel: 'error',
  });
  return outfile;
}

/** Ours by name, and nothing in it. */
function emptyExtension(lifeline: Lifeline): string {
  const folder = lifeline.makeFolder('empty');
  const { name, publisher, version, engines } = manifest;
  const main = './main.js';
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, publisher, version, engines, main }));
  writeFileSync(join(folder, 'main.js'), 'exports.activate = () => {};\n');
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** One host on a store of its own; an empty extension has but its memory to tell of. */
async function measureHost(
  lifeline: Lifeline,
  { extension, product }: { readonly extension: string; readonly product: string },
): Promise<Pick<HostFigures, 'memoryMb'>> {
  const store = makeStore(lifeline, HOST_RECORDS);
  // As it is from the second start on: with a saved index.
  runNode([join(product, 'dist', 'cli.js'), 'sync'], { cwd: store.root, input: '' });
  renameSync(join(store.root, '.learnings'), join(store.root, 'learnings'));
  const figures = join(lifeline.makeFolder('figures'), 'host.json');
  await runTests({
    vscodeExecutablePath: join(checkout, 'test', 'host', 'code.mjs'),
    extensionDevelopmentPath: extension,
    extensionTestsPath: bundleHost(extension),
    extensionTestsEnv: { LEARNINGS_BENCH: figures },
    launchArgs: [
      store.root,
      `--user-data-dir=${lifeline.makeFolder('data')}`,
      `--extensions-dir=${lifeline.makeFolder('extensions')}`,
    ],
  });
  return JSON.parse(readFileSync(figures, 'utf8')) as Pick<HostFigures, 'memoryMb'>;
}

interface Made {
  readonly count: number;
  readonly root: string;
}

/** Writes a store of made-up records, in memory where there is such a place: what is measured is not the disk. */
function makeStore(lifeline: Lifeline, count: number): Made {
  const root = lifeline.makeFolder(`bench-${count}`);
  const cache = join(root, '.learnings', '.cache');
  mkdirSync(cache, { recursive: true });
  const old = new Date(Date.now() - 60_000);
  for (const [index, record] of syntheticStore(count).records.entries()) {
    const id = `L-${String(index + 1).padStart(4, '0')}`;
    const folder = join(root, '.learnings', id);
    mkdirSync(folder);
    const files = { 'learning.yaml': recordYaml(id, record), 'votes.jsonl': votesJson(id, record) };
    for (const [name, text] of Object.entries(files)) {
      if (text === '') continue;
      writeFileSync(join(folder, name), text);
      // A file that was just written is read again for a while; these are to count as settled.
      utimesSync(join(folder, name), old, old);
    }
  }
  return { count, root };
}

function bundleChild(lifeline: Lifeline): string {
  const outfile = join(lifeline.makeFolder('bench-child'), 'child.cjs');
  buildSync({
    entryPoints: [join(__dirname, 'child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['sql.js'],
    // As what ships is: a cold process spends much of its time on reading its own code.
    minify: true,
    logLevel: 'error',
  });
  symlinkSync(join(checkout, 'node_modules'), join(outfile, '..', 'node_modules'), 'junction');
  return outfile;
}

const names = ['start', 'hook', 'host', 'match', 'growth', 'load', 'sync', 'refresh', 'search', 'memory'];

/** `npm run bench [-- NAME...] [-- --sizes 1000,10000] [-- --json]`: every figure beside its baseline, in one run. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean' }, sizes: { type: 'string', default: '1000,10000,100000' } },
  });
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
  const wanted = positionals.length > 0 ? positionals : names;
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm';
  const lifeline = openLifeline();
  try {
    const results: Result[] = [];
    const report = (more: readonly Result[]): void => {
      results.push(...more);
      if (!values.json) for (const result of more) console.log(describe(result));
    };
    if (wanted.includes('start')) report(await benchStart(lifeline));
    if (wanted.includes('hook')) report(await benchHook(lifeline));
    if (wanted.includes('host')) report(await benchHost(lifeline));
    const onStores = wanted.filter((name) => !['start', 'hook', 'host'].includes(name));
    const sizes = values.sizes.split(',').map(Number);
    if (onStores.length > 0) {
      const benches = storeBenches(lifeline);
      for (const size of sizes) {
        const store = makeStore(lifeline, size);
        // Leaves the saved index and the database that the others open.
        report(benches['sync']?.([store]) ?? []);
        const others = onStores.filter(
          (name) => name !== 'sync' && (name !== 'growth' || size === sizes.at(-1)),
        );
        for (const name of others) report(benches[name]?.([store]) ?? []);
      }
    }
    if (values.json) console.log(JSON.stringify({ results }, null, 2));
  } finally {
    await lifeline.close();
  }
}

function describe(result: Result): string {
  const { bench, subject, baseline, unit, value, baselineValue, ratio, reads, wanted, holds } = result;
  const promise = wanted === '' ? '' : `  (${wanted}${holds ? '' : ': DOES NOT HOLD'})`;
  return `${bench}: ${subject} ${value.toFixed(1)} ${unit}; ${baseline} ${baselineValue.toFixed(1)} ${unit}; ${ratio.toFixed(2)} ${reads === 'over' ? `${unit} over` : reads}${promise}`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
