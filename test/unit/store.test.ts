import assert from 'node:assert/strict';

import { ioError, LearningsError } from '../../src/core/api';
import type { Store } from '../../src/core/store/store';
import { recordText } from './memoryFiles';
import { memoryStore, type TestStore } from './stores';

const record = (id: string): string => `.learnings/${id}/learning.yaml`;
const idea = { summary: 'Compare outputs first.', scope: { paths: ['src/**'] } };
const rejects = (promise: Promise<unknown>, code: string, message: RegExp): Promise<void> =>
  assert.rejects(
    promise,
    (error) => error instanceof LearningsError && error.code === code && message.test(error.message),
  );

describe('the store', () => {
  it('writes a record that is pleasant to read', async () => {
    const { store, files } = memoryStore();
    const id = await store.add({
      ...idea,
      scope: { paths: ['src/**'], tags: ['perf'] },
      rationale: 'It was wrong once.',
      body: 'First.\n\nSecond.\n',
      evidence: [{ kind: 'task', ref: 'T-1' }],
      createdBy: 'Ada',
    });
    assert.equal(
      files.snapshot()[record(id)],
      `id: L-0001
schemaVersion: 1
status: active
kind: rule
created_at: 2026-06-01T00:00:02Z
updated_at: 2026-06-01T00:00:02Z
created_by: Ada
scope:
  paths: [src/**]
  tags: [perf]
summary: Compare outputs first.
rationale: It was wrong once.
body: |
  First.

  Second.
evidence:
  - kind: task
    ref: T-1
`,
    );
  });

  it('takes the number after the highest that any branch, worktree or the archive has', async () => {
    const { store } = memoryStore(
      { '.learnings/archive/L-0007/learning.yaml': recordText('L-0007') },
      { elsewhere: ['L-0041', 'tags.yaml'] },
    );
    assert.equal(await store.add(idea), 'L-0042');
  });

  it('refuses text with hostile characters and writes nothing', async () => {
    const { store, files } = memoryStore();
    await rejects(store.add({ ...idea, summary: 'a\u202eb' }), 'refused', /U\+202E/);
    assert.deepEqual(files.snapshot(), {});
  });

  it('supersedes: the old one is marked, and never served again', async () => {
    const { store } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const id = await store.add({ ...idea, supersedes: ['L-0001'] });
    const { learnings } = await store.read();
    assert.deepEqual(
      learnings.map((learning) => [learning.record.id, learning.record.status, learning.record.supersededBy]),
      [
        ['L-0001', 'superseded', id],
        [id, 'active', undefined],
      ],
    );
  });

  it('refuses to supersede what is not there, itself, what is superseded already, and in a circle', async () => {
    const { store } = memoryStore({
      [record('L-0001')]: recordText('L-0001'),
      [record('L-0002')]: recordText('L-0002'),
      [record('L-0003')]: recordText('L-0003'),
    });
    await rejects(store.supersede('L-0009', 'L-0001'), 'not-found', /No learning L-0009/);
    await rejects(store.supersede('L-0001', 'L-0001'), 'refused', /itself/);
    await store.supersede('L-0001', 'L-0002');
    await rejects(store.supersede('L-0001', 'L-0003'), 'refused', /already superseded by L-0002/);
    await rejects(store.supersede('L-0002', 'L-0001'), 'refused', /itself superseded by L-0002/);
  });

  it('counts one vote for a voter and a task, and mends a torn line before adding to it', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    assert.deepEqual(await store.upvote('L-0001', { voter: 'claude', task: 'T-1' }), {
      added: true,
      count: 1,
    });
    assert.deepEqual(await store.upvote('L-0001', { voter: 'claude', task: 'T-1' }), {
      added: false,
      count: 1,
    });
    const votes = '.learnings/L-0001/votes.jsonl';
    files.put(votes, `${files.snapshot()[votes] ?? ''}{"learning_id":"L-0`);
    assert.deepEqual(await store.upvote('L-0001', { voter: 'ada', task: 'T-1' }), { added: true, count: 2 });
    const { learnings, problems } = await store.read();
    assert.equal(learnings[0]?.votes.length, 2);
    assert.deepEqual(
      problems.map(({ file, line, code }) => ({ file, line, code })),
      [{ file: votes, line: 2, code: 'vote' }],
    );
  });

  it('re-applies an update to what somebody else wrote, unless both changed the same field', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const seen = files.snapshot()[record('L-0001')] ?? '';
    files.put(record('L-0001'), seen.replace('About L-0001.', 'Changed by hand.'));
    await store.update('L-0001', [[['priority'], 3]], seen);
    assert.match(files.snapshot()[record('L-0001')] ?? '', /Changed by hand[\s\S]*"?priority"?: 3/);
    await rejects(
      store.update('L-0001', [[['summary'], 'Mine.']], seen),
      'conflict',
      /summary of L-0001 was changed/,
    );
    await rejects(store.update('L-0001', [[['status'], 'superseded']]), 'refused', /set by the store/);
    await rejects(store.update('L-0001', [[['scope', 'paths'], []]]), 'record-invalid', /needs at least one/);
  });

  it('archives with a reason and restores as it was', async () => {
    const text = recordText('L-0001');
    const { store, files } = memoryStore({ [record('L-0001')]: text, '.learnings/L-0001/votes.jsonl': '' });
    await store.archive('L-0001', 'the module is gone');
    assert.match(files.snapshot()['.learnings/archive/L-0001/learning.yaml'] ?? '', /the module is gone/);
    assert.deepEqual((await store.read()).learnings, []);
    await store.restore('L-0001');
    assert.deepEqual(JSON.parse(files.snapshot()[record('L-0001')] ?? ''), JSON.parse(text));
  });

  it('promotes a candidate to a learning of its own id, and keeps a rejected one in the archive', async () => {
    const { store, files } = memoryStore();
    const [first, second] = [await store.propose(idea), await store.propose(idea)];
    const id = await store.promote(first);
    await store.reject(second, 'not true');
    const { learnings, candidates, archived } = await store.read();
    assert.deepEqual(
      [learnings.map((one) => one.record.id), candidates, archived.map((one) => one.record.id)],
      [[id], [], [second]],
    );
    assert.equal(
      Object.keys(files.snapshot()).some((path) => path.includes(`candidates/${first}`)),
      false,
    );
  });

  it('refuses an id that would lead elsewhere', async () => {
    const { store } = memoryStore();
    for (const id of ['../secrets', 'L-0001/../../x', '/etc/passwd', 'C-XYZ', '']) {
      await rejects(store.archive(id), 'input-invalid', /is not an id/);
    }
  });

  it('tells of flat records, and moves them into folders when asked', async () => {
    const { store, files } = memoryStore({
      '.learnings/L-0003.yaml': recordText('L-0003'),
      '.learnings/superseded/L-0002.yaml': recordText('L-0002'),
    });
    assert.match((await store.read()).problems[0]?.hint ?? '', /migrate-layout/);
    assert.deepEqual((await store.migrateLayout()).toSorted(), ['L-0002', 'L-0003']);
    assert.deepEqual(Object.keys(files.snapshot()).toSorted(), [record('L-0002'), record('L-0003')]);
  });
});

/** Every operation, on a store that holds something for it. */
const before: Record<string, string> = {
  [record('L-0001')]: recordText('L-0001'),
  [record('L-0002')]: recordText('L-0002'),
  '.learnings/L-0002/votes.jsonl':
    '{"learning_id":"L-0002","voter_model":"a","voted_at":"2026-05-17T12:00:00Z","task_id":"t"}\n',
  '.learnings/archive/L-0003/learning.yaml': recordText('L-0003'),
  '.learnings/candidates/C-0000000a/learning.yaml': recordText('C-0000000a'),
};
const operations: Record<string, (store: Store) => Promise<unknown>> = {
  init: (store) => store.init(),
  add: (store) => store.add(idea),
  propose: (store) => store.propose(idea),
  'add that supersedes': (store) => store.add({ ...idea, supersedes: ['L-0001'] }),
  update: (store) => store.update('L-0001', [[['priority'], 9]]),
  supersede: (store) => store.supersede('L-0001', 'L-0002'),
  upvote: (store) => store.upvote('L-0002', { voter: 'b', task: 't' }),
  archive: (store) => store.archive('L-0001', 'why'),
  restore: (store) => store.restore('L-0003'),
  promote: (store) => store.promote('C-0000000a'),
  reject: (store) => store.reject('C-0000000a'),
};

for (const [name, run] of Object.entries(operations)) {
  describe(`${name}, when the disk fails`, () => {
    for (const errno of ['ENOSPC', 'EIO', 'EACCES', 'EROFS']) {
      it(`loses nothing at any call that gives ${errno}, says so, and works when tried again`, async () => {
        const { files: whole, store: untroubled } = memoryStore(before);
        await run(untroubled);
        assert.ok(whole.calls > 5);
        for (let at = 1; at <= whole.calls; at++) {
          const test = memoryStore(before);
          test.files.fault = ({ step, verb, path }) => {
            if (step === at) throw ioError(errno, { verb, path });
          };
          let failure: LearningsError | undefined;
          await run(test.store).catch((error: unknown) => (failure = error as LearningsError));
          test.files.fault = () => undefined;
          if (failure) assert.equal(failure.code, 'io', failure.message);
          await checkWhole(
            test,
            failure === undefined ? whole.snapshot() : undefined,
            `${errno} at call ${at}`,
          );
        }
      });
    }
  });

  describe(`${name}, when the process dies`, () => {
    it('leaves at every call a store that the next writer heals', async () => {
      const { files: whole, store: untroubled } = memoryStore(before);
      await run(untroubled);
      for (let at = 1; at <= whole.calls; at++) {
        const test = memoryStore(before);
        let dead = false;
        test.files.fault = ({ step }) => {
          if (step >= at) dead = true;
          // A dead process does nothing more, not even clean up.
          if (dead) throw new Died();
        };
        await run(test.store).catch(() => undefined);
        test.files.fault = () => undefined;
        await checkWhole(test, undefined, `death at call ${at}`);
      }
    });
  });
}

class Died extends Error {}

/** Old content is whole, every record reads, and a new process can write at once and sweeps up. */
async function checkWhole(
  test: TestStore,
  expected: Record<string, string> | undefined,
  where: string,
): Promise<void> {
  const store = test.restart();
  await store.upvote('L-0002', { voter: 'later', task: 'other' });
  const { learnings, candidates, archived, problems } = await store.read();
  assert.deepEqual(problems, [], where);
  const all = [...learnings, ...candidates, ...archived].map((learning) => learning.record.id);
  assert.equal(new Set(all).size, all.length, `${where}: an id twice`);
  for (const id of ['L-0001', 'L-0002', 'L-0003']) assert.ok(all.includes(id), `${where}: lost ${id}`);
  assert.ok(all.length >= 4, `${where}: lost the candidate`);
  for (const learning of learnings) {
    for (const old of learning.record.supersedes) {
      const { record: superseded } = learnings.find((other) => other.record.id === old) ?? {};
      assert.equal(superseded?.status, 'superseded', `${where}: ${old} is served beside its successor`);
    }
  }
  const left = Object.keys(test.files.snapshot()).filter((path) => path.includes('.cache/'));
  assert.deepEqual(left, [], where);
  if (expected) {
    const ids = Object.keys(expected).filter((path) => path.endsWith('learning.yaml'));
    for (const path of ids)
      assert.ok(test.files.snapshot()[path] !== undefined, `${where}: ${path} was promised`);
  }
}
