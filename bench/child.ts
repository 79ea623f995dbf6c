// One measurement in a process of its own: argv is what, how many records, and a folder. Prints JSON.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { Minimatch } from 'minimatch';
import picomatch from 'picomatch';
import initSqlJs, { type Database, type SqlValue } from 'sql.js';
import { parse } from 'yaml';

import { buildMatcher } from '../src/core/match/matcher';
import { indexFile } from '../src/node/indexFile';
import { nodePorts, openFrom, rebuildIndex } from '../src/node/open';
import { syntheticStore, type SyntheticRecord } from './synthetic';

const [what = '', countText = '', root = ''] = process.argv.slice(2);
const count = Number(countText);

const ids = (): string[] =>
  Array.from({ length: count }, (_, index) => `L-${String(index + 1).padStart(4, '0')}`);
const filesOf = (id: string): string[] =>
  ['learning.yaml', 'votes.jsonl'].map((name) => join(root, '.learnings', id, name));

/** Times each call; the middle and the slow end, in microseconds. */
function timed<T>(
  inputs: readonly T[],
  run: (input: T) => unknown,
): { p50: number; p95: number; p99: number } {
  const times = inputs.map((input) => {
    const started = performance.now();
    run(input);
    return (performance.now() - started) * 1000;
  });
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** What stays resident once the garbage is gone: V8 gives pages back bit by bit. */
async function restingMemory(): Promise<{ rssMb: number }> {
  for (let round = 0; round < 5; round++) {
    global.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { rssMb: process.memoryUsage().rss / 1e6 };
}

async function sqlWith(records: readonly SyntheticRecord[]): Promise<Database> {
  const sql = await initSqlJs({ locateFile: (name) => require.resolve(`sql.js/dist/${name}`) });
  const database = new sql.Database();
  database.run(
    'CREATE TABLE learnings_index (id TEXT PRIMARY KEY, status TEXT, paths TEXT, tags TEXT, summary TEXT, rationale TEXT, body TEXT, priority INTEGER, updated_at TEXT)',
  );
  database.run('BEGIN');
  const insert = database.prepare('INSERT INTO learnings_index VALUES (?,?,?,?,?,?,?,?,?)');
  for (const [index, one] of records.entries()) {
    const row: SqlValue[] = [
      `L-${String(index + 1).padStart(4, '0')}`,
      'active',
      JSON.stringify(one.paths),
      JSON.stringify(one.tags),
      one.summary,
      one.rationale,
      one.body,
      one.priority,
      '2026-01-01T00:00:00Z',
    ];
    insert.run(row);
  }
  database.run('COMMIT');
  return database;
}

type Test = (path: string) => boolean;
const withRules = (pattern: string): string => {
  const below = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return below.includes('/') ? below : `**/${below}`;
};

const measurements: Record<string, () => Promise<unknown>> = {
  /** Ranked matches, all warm. */
  async match() {
    const { files } = syntheticStore(count);
    const learnings = await openFrom(root);
    const ask = (path: string): unknown => learnings.find({ paths: [path] }, { limit: 5 });
    // Until V8 has settled on what to make of the code; what it does on the way is no part of the answer.
    for (let round = 0; round < 5; round++) files.forEach(ask);
    return timed([...files, ...files], ask);
  },

  /** (a) The seed's design: select every active row, parse its lists, run cached matchers, rank. */
  async seedDesign() {
    const { records, files } = syntheticStore(count);
    const database = await sqlWith(records);
    const cache = new Map<string, Test>();
    const matcher = (pattern: string): Test => {
      const known = cache.get(pattern) ?? picomatch(withRules(pattern), { dot: true });
      cache.set(pattern, known);
      return known;
    };
    const ask = (path: string): unknown => {
      const found: { id: string; priority: number; updated: string }[] = [];
      const select = database.prepare(
        "SELECT id, paths, tags, priority, updated_at FROM learnings_index WHERE status = 'active'",
      );
      while (select.step()) {
        const [id, paths, , priority, updated] = select.get() as [string, string, string, number, string];
        if (
          (JSON.parse(paths) as string[]).some(
            (pattern) => !pattern.startsWith('!') && matcher(pattern)(path),
          )
        )
          found.push({ id, priority, updated });
      }
      select.free();
      return found.sort(
        (a, b) => b.priority - a.priority || (a.updated < b.updated ? 1 : -1) || (a.id < b.id ? -1 : 1),
      );
    };
    ask(files[0] ?? '');
    return timed(files.slice(0, count > 20_000 ? 5 : 30), ask);
  },

  /** (b) Cached picomatch over all patterns. */
  async allPatterns() {
    const { records, files } = syntheticStore(count);
    const tests = records.map(({ paths }) =>
      paths
        .filter((one) => !one.startsWith('!'))
        .map((one): Test => picomatch(withRules(one), { dot: true })),
    );
    const ask = (path: string): unknown => tests.filter((list) => list.some((test) => test(path))).length;
    ask(files[0] ?? '');
    return Promise.resolve(timed(files.slice(0, count > 20_000 ? 5 : 50), ask));
  },

  /** (c) minimatch made for each call. */
  async minimatchPerCall() {
    const { records, files } = syntheticStore(count);
    const ask = (path: string): unknown =>
      records.filter(({ paths }) =>
        paths.some((one) => new Minimatch(withRules(one), { dot: true, nonegate: true }).match(path)),
      ).length;
    return Promise.resolve(timed(files.slice(0, 3), ask));
  },

  /** The same few matches among more and more records: how the time grows, as the exponent of a power. */
  async growth() {
    const sizes = [count / 100, count / 10, count];
    const times = sizes.map((size) => {
      const scopes = Array.from({ length: size }, (_, index) => ({
        paths:
          index < 3
            ? ['**/*.ts', 'src/**', 'src/a/b.ts']
            : [`lib/part${index}/**`, `lib/part${index}/**/*.ts`],
        tags: [],
        symbols: [],
      }));
      const age = Uint32Array.from(scopes, (_, index) => index);
      const matcher = buildMatcher(scopes, { worth: new Uint32Array(size), age });
      const asked = Array<string>(20_000).fill('src/a/b.ts');
      const ask = (path: string): unknown => matcher.find({ paths: [path] }, { limit: 5 });
      asked.forEach(ask);
      return timed(asked, ask).p50;
    });
    const [first = 1, , last = 1] = times;
    return Promise.resolve({ times, exponent: Math.log(last / first) / Math.log(100) });
  },

  /** A cold process: from the saved index to the first answer, without looking whether it is up to date. */
  async load() {
    const { openIndex } = await import('../src/core/index/saved');
    const { openMatcher } = await import('../src/core/match/matcher');
    const { hash } = nodePorts(root);
    const started = performance.now();
    const saved = openIndex(
      indexFile(root).load() ?? { head: new Uint8Array(), contents: () => undefined },
      hash,
    );
    if (!saved) throw new Error('the saved index cannot be used');
    const { hits } = openMatcher(saved.matcher).find({ paths: ['src/a.ts'] }, { limit: 5 });
    const entries = hits.map(({ document }) => saved.entryOf(document));
    if (!entries.every((entry) => entry.intact())) throw new Error('the saved index was altered');
    const rows = entries.map((entry) => entry.contents().record?.summary);
    return { ms: performance.now() - started, rows: rows.length, records: saved.matcher.worth.length };
  },

  /** The same rows from the database, in a cold process. */
  async loadSql() {
    const started = performance.now();
    const sql = await initSqlJs({ locateFile: (name) => require.resolve(`sql.js/dist/${name}`) });
    const database = new sql.Database(readFileSync(join(root, '.learnings/.cache/index.sqlite')));
    const select = database.prepare(
      "SELECT id, paths, tags, summary, updated_at FROM learnings_index WHERE status = 'active'",
    );
    let rows = 0;
    while (select.step()) {
      select.get();
      rows++;
    }
    return { ms: performance.now() - started, rows };
  },

  /** Everything anew from YAML: records, votes, matcher, saved index, database. */
  async sync() {
    const started = performance.now();
    const learnings = await rebuildIndex(root);
    return { ms: performance.now() - started, records: learnings.list().length };
  },

  /** Parsing the same texts and doing nothing else. */
  async parse() {
    const texts = ids().map((id) => readFileSync(filesOf(id)[0] ?? '', 'utf8'));
    const started = performance.now();
    for (const text of texts) parse(text);
    return Promise.resolve({ ms: performance.now() - started });
  },

  /** A refresh that finds nothing changed, and looking at the same files, by turns. */
  async refresh() {
    const learnings = await openFrom(root);
    const paths = ids().flatMap(filesOf);
    const [refreshes, stats]: [number[], number[]] = [[], []];
    for (let round = 0; round < (count > 20_000 ? 5 : count > 2000 ? 20 : 100); round++) {
      let started = performance.now();
      for (const path of paths) statSync(path, { throwIfNoEntry: false });
      stats.push(performance.now() - started);
      started = performance.now();
      await learnings.reload();
      refreshes.push(performance.now() - started);
    }
    const middle = (times: number[]): number =>
      times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
    return { ms: middle(refreshes), statMs: middle(stats) };
  },

  /** Words of every frequency, one and two at a time, warm; and a LIKE scan for the same. */
  async search() {
    const { records } = syntheticStore(count);
    const { createTextIndex } = await import('../src/core/search/textIndex');
    const index = createTextIndex();
    for (const [document, { summary, tags, rationale, body }] of records.entries())
      index.set(document, { summary, tags, rationale, body });
    const database = await sqlWith(records);
    const words = records
      .slice(0, 60)
      .flatMap(({ summary }) => summary.toLowerCase().split(/\W+/).filter(Boolean));
    const queries = words.map((word, at) => (at % 3 === 0 ? `${word} ${words[at + 1] ?? ''}` : word));
    const ask = (query: string): unknown => index.search(query, { limit: 20 });
    queries.forEach(ask);
    const like = database.prepare(
      'SELECT id FROM learnings_index WHERE summary LIKE ?1 OR tags LIKE ?1 OR rationale LIKE ?1 OR body LIKE ?1 LIMIT 20',
    );
    const all = database.prepare(
      'SELECT count(*) FROM learnings_index WHERE summary LIKE ?1 OR tags LIKE ?1 OR rationale LIKE ?1 OR body LIKE ?1',
    );
    const scan = (query: string): unknown => {
      for (const word of query.split(' ')) all.get([`%${word}%`]);
      return like.get([`%${query.split(' ')[0] ?? ''}%`]);
    };
    return { ours: timed(queries, ask), like: timed(queries.slice(0, count > 20_000 ? 10 : 60), scan) };
  },

  /** What the process holds with everything open and a search done. */
  async memory() {
    const learnings = await openFrom(root);
    learnings.find({ paths: ['src/a.ts'] });
    await learnings.search('tari');
    return restingMemory();
  },

  /** A process that does nothing. */
  async empty() {
    return restingMemory();
  },
};

void measurements[what]?.().then((result) => process.stdout.write(JSON.stringify(result)));
