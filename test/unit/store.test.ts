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

  it('refuses a secret at the door, in any field and any operation, without repeating it', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const before = files.snapshot();
    const evidence = [{ kind: 'quote', ref: 'session', quote: `use ${token}` }] as const;
    for (const attempt of [
      () => store.add({ ...idea, summary: `Log in with ${token}.` }),
      () => store.propose({ ...idea, evidence }),
      () => store.update('L-0001', [[['body'], `Token: ${token}`]]),
      () => store.archive('L-0001', token),
    ]) {
      await assert.rejects(attempt(), (error) => {
        assert.ok(error instanceof LearningsError && error.code === 'refused');
        assert.match(error.message, /looks like a GitHub token, at character \d+/);
        assert.doesNotMatch(error.message, /wWPw5k4a/);
        return true;
      });
    }
    assert.deepEqual(files.snapshot(), before);
  });

  it('sweeps the draft of a lock whose writer died before it had written its name, and outlives a lock of rubbish', async () => {
    const locks = '.learnings/.cache/locks';
    const { store, files } = memoryStore({
      [record('L-0001')]: recordText('L-0001'),
      [`${locks}/draft-77-a55c239ff52204e8`]: '',
    });
    await store.update('L-0001', [[['priority'], 1]]);
    assert.deepEqual(await files.list(locks), []);
    // Older than any holder may be.
    files.put(`${locks}/lock`, 'rubbish');
    await store.update('L-0001', [[['priority'], 2]]);
    assert.match(files.snapshot()[record('L-0001')] ?? '', /priority"?: 2/);
  });

  it('follows no link, neither to read nor to write', async () => {
    for (const linked of ['.learnings', '.learnings/L-0001', '.learnings/L-0001/learning.yaml']) {
      const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
      files.putLink(linked);
      const { learnings, problems } = await store.read();
      assert.deepEqual(learnings, [], linked);
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['symlink'],
      );
      await assert.rejects(store.update('L-0001', [[['priority'], 1]]), LearningsError);
    }
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    files.putLink('.learnings/L-0001/votes.jsonl');
    await rejects(store.upvote('L-0001', { voter: 'a', task: 't' }), 'refused', /not a plain file/);
  });

  it('deletes nothing where a folder of its cache is a link, and nothing that is not its own', async () => {
    const cache = '.learnings/.cache';
    for (const linked of ['tmp', 'locks', 'pending']) {
      const precious = `${cache}/${linked}/0123456789abcdef.json`;
      const { store, files } = memoryStore({ [precious]: '{}' });
      files.putLink(`${cache}/${linked}`);
      await rejects(store.add(idea), 'refused', new RegExp(`${linked} is a symbolic link`));
      assert.equal(files.snapshot()[precious], '{}');
    }
    const foreign = [`${cache}/tmp/notes.txt`, `${cache}/pending/notes.json`, `${cache}/locks/draft-99-x`];
    const orphans = [`${cache}/tmp/99-0123456789ab`, `${cache}/pending/0123456789abcdef.json`];
    const { store, files } = memoryStore(
      Object.fromEntries([...foreign, ...orphans].map((path) => [path, '{}'])),
    );
    files.putLink(`${cache}/tmp/98-0123456789ab`);
    await store.add(idea);
    for (const path of foreign) assert.equal(files.snapshot()[path], '{}', path);
    for (const path of orphans) assert.equal(files.snapshot()[path], undefined, path);
    assert.equal((await files.stat(`${cache}/tmp/98-0123456789ab`))?.kind, 'link');
  });

  it('changes a record that holds what it would refuse at the door', async () => {
    const { store, files } = memoryStore({
      [record('L-0001')]: recordText('L-0001', { body: 'a\u200bb' }),
    });
    await store.update('L-0001', [[['priority'], 3]]);
    assert.match(files.snapshot()[record('L-0001')] ?? '', /priority: 3/);
    const id = await store.add({ ...idea, supersedes: ['L-0001'] });
    assert.equal((await store.read()).learnings[0]?.record.supersededBy, id);
  });

  it('goes on where a record is too full to be marked: its successor alone says that it is superseded', async () => {
    const full = recordText('L-0001', { body: 'x'.repeat(65_536 - 170) });
    const { store, files } = memoryStore({
      [record('L-0001')]: full,
      [record('L-0002')]: recordText('L-0002'),
    });
    const id = await store.add({ ...idea, supersedes: ['L-0001', 'L-0002'] });
    const { learnings } = await store.read();
    assert.deepEqual(
      learnings.map((learning) => learning.record.supersededBy),
      [id, id, undefined],
    );
    assert.match(files.snapshot()[record('L-0002')] ?? '', /superseded_by/);
    await store.add(idea);
    assert.deepEqual(
      Object.keys(files.snapshot()).filter((path) => path.includes('.cache/')),
      [],
    );
    await rejects(
      store.update('L-0001', [[['rationale'], 'y'.repeat(200)]]),
      'record-invalid',
      /L-0001\/learning\.yaml: .*bytes/,
    );
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

  it('takes one vote back and leaves every other line as it is', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const votes = '.learnings/L-0001/votes.jsonl';
    for (const voter of ['ada', 'bob']) await store.upvote('L-0001', { voter, task: 'T-1' });
    files.put(votes, `<<<<<<< ours\n${files.snapshot()[votes] ?? ''}{"torn`);
    const ada = { voter: 'ada', task: 'T-1' };
    assert.deepEqual(await store.retractVote('L-0001', ada), { removed: true, count: 1 });
    assert.deepEqual(await store.retractVote('L-0001', ada), { removed: false, count: 1 });
    assert.match(files.snapshot()[votes] ?? '', /^<<<<<<< ours\n\{"learning_id.*bob.*\n\{"torn$/);
    files.put(votes, '');
    await store.upvote('L-0001', ada);
    await store.retractVote('L-0001', ada);
    assert.equal(files.snapshot()[votes], undefined);
    await rejects(store.retractVote('L-0009', ada), 'not-found', /No learning L-0009/);
  });

  it('withdraws what was just added, and serves again what that superseded', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const id = await store.add({ ...idea, supersedes: ['L-0001'] });
    await store.withdraw(id, files.snapshot()[record(id)]);
    const { learnings, problems } = await store.read();
    assert.deepEqual(
      learnings.map((one) => [one.record.id, one.record.status, one.record.supersededBy]),
      [['L-0001', 'active', undefined]],
    );
    assert.deepEqual(problems, []);
    assert.equal(await files.stat(`.learnings/${id}`), undefined);
    assert.equal(await store.add(idea), id, 'the number is free again');
  });

  it('withdraws nothing that somebody has touched', async () => {
    const { store, files } = memoryStore();
    const text = (id: string): string => files.snapshot()[record(id)] ?? '';
    const [edited, voted, taken, named, beside] = [
      await store.add(idea),
      await store.add(idea),
      await store.add(idea),
      await store.add(idea),
      await store.add(idea),
    ];
    const seen = text(edited);
    await store.update(edited, [[['priority'], 1]]);
    await store.upvote(voted, { voter: 'ada', task: 'T-1' });
    await store.add({ ...idea, supersedes: [taken] });
    await store.propose({ ...idea, supersedes: [named] });
    files.put(`.learnings/${beside}/picture.txt`, '');
    const before = files.snapshot();
    await rejects(store.withdraw(edited, seen), 'conflict', /changed meanwhile.*Archive L-0001/);
    await rejects(store.withdraw(voted, text(voted)), 'conflict', /voted for/);
    await rejects(store.withdraw(taken, text(taken)), 'conflict', /L-0006 takes the place of L-0003/);
    await rejects(store.withdraw(named, text(named)), 'conflict', /C-\w+ takes the place of L-0004/);
    await rejects(store.withdraw(beside, text(beside)), 'conflict', /more than the record/);
    assert.deepEqual(files.snapshot(), before);
  });

  it('re-applies an update to what somebody else wrote, unless both changed the same field', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    const seen = files.snapshot()[record('L-0001')] ?? '';
    files.put(record('L-0001'), seen.replace('About L-0001.', 'Changed by hand.'));
    await store.update('L-0001', [[['priority'], 3]], { expected: seen });
    assert.match(files.snapshot()[record('L-0001')] ?? '', /Changed by hand[\s\S]*"?priority"?: 3/);
    await rejects(
      store.update('L-0001', [[['summary'], 'Mine.']], { expected: seen }),
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

  it('takes the votes of a candidate along when it is promoted', async () => {
    const { store } = memoryStore();
    const candidate = await store.propose(idea);
    await store.upvote(candidate, { voter: 'ada', task: 'T-1' });
    await store.promote(candidate);
    const { learnings, problems } = await store.read();
    assert.deepEqual(
      learnings[0]?.votes.map(({ voter }) => voter),
      ['ada'],
    );
    assert.deepEqual(problems, []);
  });

  it('supersedes by a candidate only when that is promoted, and only what is there', async () => {
    const { store, files } = memoryStore({ [record('L-0001')]: recordText('L-0001') });
    await rejects(store.propose({ ...idea, supersedes: ['L-0009'] }), 'not-found', /No learning L-0009/);
    const candidate = await store.propose({ ...idea, supersedes: ['L-0001'] });
    await rejects(store.supersede('L-0001', candidate), 'refused', /candidate.*learnings promote/);
    assert.equal((await store.read()).learnings[0]?.record.status, 'active');
    const id = await store.promote(candidate);
    assert.match(files.snapshot()[record('L-0001')] ?? '', new RegExp(`superseded_by: ${id}`));

    const late = await store.propose({ ...idea, supersedes: [id] });
    await store.add({ ...idea, supersedes: [id] });
    await rejects(store.promote(late), 'refused', /already superseded by L-0003/);
  });

  it('leaves a record as it is where its place is taken, unless by an empty folder', async () => {
    const text = recordText('L-0001');
    const taken = '.learnings/archive/L-0001/notes.md';
    const { store, files } = memoryStore({ [record('L-0001')]: text, [taken]: '' });
    await rejects(store.archive('L-0001'), 'refused', /archive\/L-0001 is there already/);
    assert.equal(files.snapshot()[record('L-0001')], text);
    await files.remove(taken);
    await store.archive('L-0001');
    await files.makeFolder('.learnings/L-0001');
    await store.restore('L-0001');
    assert.equal((await store.read()).learnings.length, 1);
  });

  it('takes nothing out of the archive that it would not let in', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const archived = '.learnings/archive/L-0001/learning.yaml';
    const { store, files } = memoryStore({ [archived]: recordText('L-0001', { body: token }) });
    await rejects(store.restore('L-0001'), 'refused', /looks like a GitHub token/);
    await rejects(store.configure('extends', [token]), 'refused', /looks like a GitHub token/);
    assert.deepEqual(Object.keys(files.snapshot()), [archived]);
  });

  it('counts on where a name has more digits than a number', async () => {
    const { store } = memoryStore(
      { [record('L-0007')]: recordText('L-0007') },
      {
        elsewhere: ['L-99999999999999999999', 'L-0041'],
      },
    );
    assert.equal(await store.add(idea), 'L-0042');
  });

  it('adds evidence to what is there', async () => {
    const { store } = memoryStore({
      [record('L-0001')]: recordText('L-0001', { evidence: [{ kind: 'task', reference: 'T-1' }] }),
    });
    const evidence = [
      { kind: 'task', ref: 'T-9' },
      { kind: 'pr', ref: '7' },
    ] as const;
    await store.update('L-0001', [], { evidence });
    await store.update('L-0001', [], { evidence });
    assert.deepEqual(
      (await store.read()).learnings[0]?.record.evidence.map(({ ref }) => ref),
      ['T-1', 'T-9', '7'],
    );
  });

  it('neither serves nor rewrites a file that holds several YAML documents', async () => {
    const text = 'id: L-0001\nschemaVersion: 1\nsummary: One.\nscope: {paths: [a]}\n---\nsummary: Another.\n';
    const { store, files } = memoryStore({ [record('L-0001')]: text });
    await rejects(store.update('L-0001', [[['priority'], 1]]), 'record-invalid', /cannot be read/);
    const { learnings, problems } = await store.read();
    assert.deepEqual([learnings.length, problems[0]?.line], [0, 5]);
    assert.equal(files.snapshot()[record('L-0001')], text);
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
    assert.deepEqual((await store.migrateLayout()).moved.toSorted(), ['L-0002', 'L-0003']);
    assert.deepEqual(Object.keys(files.snapshot()).toSorted(), [record('L-0002'), record('L-0003')]);
  });
});

/** Every operation, on a store that holds something for it. */
const before: Record<string, string> = {
  [record('L-0001')]: recordText('L-0001'),
  [record('L-0002')]: recordText('L-0002'),
  '.learnings/L-0002/votes.jsonl': ['a', 'c']
    .map(
      (voter) =>
        `{"learning_id":"L-0002","voter_model":"${voter}","voted_at":"2026-05-17T12:00:00Z","task_id":"t"}\n`,
    )
    .join(''),
  [record('L-0004')]: recordText('L-0004', { supersedes: 'L-0005' }),
  [record('L-0005')]: recordText('L-0005', { status: 'superseded', superseded_by: 'L-0004' }),
  '.learnings/archive/L-0003/learning.yaml': recordText('L-0003'),
  '.learnings/candidates/C-0000000a/learning.yaml': recordText('C-0000000a', { supersedes: 'L-0001' }),
  '.learnings/candidates/C-0000000a/votes.jsonl':
    '{"learning_id":"C-0000000a","voter_model":"a","voted_at":"2026-05-17T12:00:00Z","task_id":"t"}\n',
};
const operations: Record<string, (store: Store) => Promise<unknown>> = {
  init: (store) => store.init(),
  add: (store) => store.add(idea),
  propose: (store) => store.propose(idea),
  'add that supersedes': (store) => store.add({ ...idea, supersedes: ['L-0001'] }),
  update: (store) => store.update('L-0001', [[['priority'], 9]]),
  supersede: (store) => store.supersede('L-0001', 'L-0002'),
  upvote: (store) => store.upvote('L-0002', { voter: 'b', task: 't' }),
  retractVote: (store) => store.retractVote('L-0002', { voter: 'a', task: 't' }),
  withdraw: (store) => store.withdraw('L-0004', before[record('L-0004')]),
  archive: (store) => store.archive('L-0001', 'why'),
  restore: (store) => store.restore('L-0003'),
  promote: (store) => store.promote('C-0000000a'),
  reject: (store) => store.reject('C-0000000a'),
  configure: (store) => store.configure('enabled', false),
  heal: (store) => store.heal(),
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
  for (const id of ['L-0001', 'L-0002', 'L-0003', 'L-0005'])
    assert.ok(all.includes(id), `${where}: lost ${id}`);
  const voters = learnings.find((one) => one.record.id === 'L-0002')?.votes.map(({ voter }) => voter);
  assert.ok(voters?.includes('c'), `${where}: lost a vote`);
  const proposed = [...learnings, ...candidates, ...archived].find(
    (one) => one.record.summary === 'About C-0000000a.',
  );
  assert.equal(proposed?.votes.length, 1, `${where}: lost the candidate's vote`);
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
    const there = Object.keys(test.files.snapshot()).filter((path) => path.endsWith('learning.yaml'));
    assert.deepEqual(there.toSorted(), ids.toSorted(), `${where}: something else was promised`);
  }
}
