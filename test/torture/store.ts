import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import { openStoreAt } from '../../src/node/open';
import { dice } from './random';
import type { Acknowledged } from './worker';

const MAX_HEAL_MS = 1000;

/** A store of the run's own, with a few records to fight over. */
async function newStore(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'store-'));
  const store = openStoreAt(root);
  await store.init();
  for (let index = 0; index < 5; index++)
    await store.add({ summary: `Record ${index}.`, scope: { paths: ['**'] } });
  return root;
}

interface Worker {
  readonly child: ChildProcess;
  /** What it was promised so far, in order. */
  readonly promised: Acknowledged[];
  readonly ended: Promise<{ code: number | null; errors: string }>;
}

function startWorker(worker: string, args: readonly string[]): Worker {
  const child = spawn(process.execPath, [worker, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const promised: Acknowledged[] = [];
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) promised.push(JSON.parse(line) as Acknowledged);
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  return { child, promised, ended };
}

/** Several processes, each doing many things to one store: everything that was promised is there at the end. */
export async function mixedOperations(
  worker: string,
  options: { seed: number; processes: number; operations: number },
): Promise<void> {
  const root = await newStore();
  const workers = Array.from({ length: options.processes }, (_, index) =>
    startWorker(worker, [root, `w${index}`, String(options.seed * 1000 + index), String(options.operations)]),
  );
  for (const { ended } of workers) {
    const { code, errors } = await ended;
    assert.equal(code, 0, errors);
  }
  await checkPromises(
    root,
    workers.map(({ promised }) => promised),
  );
}

/** Kills a working process at a random moment, again and again, and looks at the store after each. */
export async function kills(
  worker: string,
  options: { seed: number; kills: number },
): Promise<{ slowestHealMs: number }> {
  const chance = dice(options.seed);
  let root = await newStore();
  let promises: Acknowledged[][] = [];
  let slowestHealMs = 0;
  for (let kill = 0; kill < options.kills; kill++) {
    const { child, promised, ended } = startWorker(worker, [
      root,
      `k${kill}`,
      String(options.seed * 100_000 + kill),
      '1000',
    ]);
    promises.push(promised);
    // Most of the time goes into starting; the kill should find it at work.
    await Promise.race([once(child.stdout ?? child, 'data'), ended]);
    await wait(chance.roll(60));
    child.kill('SIGKILL');
    await ended;
    const started = performance.now();
    // The next writer must work without help, and heal.
    await openStoreAt(root)
      .upvote('L-0001', { voter: 'healer', task: `T-${kill}` })
      .catch((error: unknown) => {
        if (!/No learning|superseded/.test(String(error))) throw error;
      });
    slowestHealMs = Math.max(slowestHealMs, performance.now() - started);
    if (kill % 10 === 9 || kill === options.kills - 1) {
      await checkPromises(root, promises);
      // A store that grows without end would measure reading, not healing.
      root = await newStore();
      promises = [];
    }
  }
  assert.ok(slowestHealMs < MAX_HEAL_MS, `healing took ${slowestHealMs.toFixed(0)} ms`);
  return { slowestHealMs };
}

/** Processes that take one lock and die in it: never are two inside, which a port would show. */
export async function lockTakeovers(
  worker: string,
  options: { seed: number; takeovers: number; processes: number },
): Promise<{ takeovers: number }> {
  const root = mkdtempSync(join(tmpdir(), 'lock-'));
  mkdirSync(join(root, 'locks'));
  const port = await freePort();
  let seed = options.seed * 1_000_000;
  let deaths = 0;
  const runOne = async (): Promise<void> => {
    while (deaths < options.takeovers) {
      const { child, ended } = startWorker(worker, [root, String(seed++), '40', String(port)]);
      const { errors } = await ended;
      assert.equal(errors, '', 'two were inside');
      if (child.signalCode === 'SIGKILL') deaths++;
    }
  };
  await Promise.all(Array.from({ length: options.processes }, runOne));
  return { takeovers: deaths };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Nothing that was acknowledged is missing, nothing is broken, nothing is left over. */
async function checkPromises(root: string, promises: readonly (readonly Acknowledged[])[]): Promise<void> {
  const store = openStoreAt(root);
  await store.init();
  const { learnings, candidates, archived, problems } = await store.read();
  assert.deepEqual(problems, []);
  const everywhere = [...learnings, ...archived, ...candidates];
  const byId = new Map(everywhere.map((learning) => [learning.record.id, learning]));
  assert.equal(byId.size, everywhere.length, 'an id twice');

  const added = promises
    .flat()
    .flatMap((done) => (done.did === 'add' || done.did === 'promote' ? [done.id] : []));
  assert.equal(new Set(added).size, added.length, 'an id was given twice');

  const files = new Map<string, string>();
  const textOf = async (id: string): Promise<string> => {
    const { file } = byId.get(id) ?? assert.fail(`${id} is gone`);
    const text = files.get(id) ?? (await readFile(join(root, file), 'utf8'));
    files.set(id, text);
    return text;
  };
  const summaries = new Set(everywhere.map(({ record }) => record.summary));
  for (const done of promises.flat()) {
    const learning = byId.get(done.id);
    if (done.did === 'propose') continue;
    if (done.did === 'withdraw') {
      // Its id may have been given to another since.
      assert.ok(!summaries.has(done.summary), `${done.id} was taken back and is there`);
      continue;
    }
    assert.ok(learning, `${done.did} ${done.id} was acknowledged and is gone`);
    if (done.did === 'add') assert.equal(learning.record.summary, done.summary);
    if (done.did === 'upvote') {
      assert.ok(
        learning.votes.some(({ voter, task }) => voter === done.voter && task === done.task),
        `a vote for ${done.id} is gone`,
      );
    }
    if (done.did === 'retract') {
      assert.ok(
        !learning.votes.some(({ voter, task }) => voter === done.voter && task === done.task),
        `a vote for ${done.id} was taken back and counts`,
      );
    }
    if (done.did === 'supersede')
      assert.equal(learning.record.status, 'superseded', `${done.id} is served again`);
  }
  // The last value that a worker wrote into its own key of a record is the one that stands.
  const last = new Map(
    promises
      .flat()
      .flatMap((done) => (done.did === 'update' ? [[`${done.id} ${done.key}`, done] as const] : [])),
  );
  for (const { id, key, value } of last.values()) {
    const [, found] = new RegExp(`^${key}: (\\d+)$`, 'm').exec(await textOf(id)) ?? [];
    // A worker that was killed may have written one more without being told.
    assert.ok(
      found !== undefined && Number(found) >= value,
      `${key} of ${id} is ${String(found)}, ${value} was acknowledged`,
    );
  }
  for (const folder of ['tmp', 'pending', 'locks']) {
    assert.deepEqual(list(join(root, '.learnings/.cache', folder)), [], `left in ${folder}`);
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
