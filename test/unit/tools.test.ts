import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import strings from '../../package.nls.json';
import { checkout } from '../../scripts/product';
import { derive } from '../../scripts/derive';
import {
  LearningsError,
  openLearnings,
  openSession,
  tools,
  type Journal,
  type ToolWorld,
} from '../../src/core/api';
import { nodeHash } from '../../src/node/hash';
import { recordText } from './memoryFiles';
import { memoryJournal } from './memoryJournal';
import { memoryStore, systemClock } from './stores';

interface Bench {
  readonly world: ToolWorld;
  readonly receipts: Journal;
  readonly call: (name: string, input: unknown) => Promise<string>;
}

/** Tools on a repository in memory, for one session of an agent. */
async function bench(
  records: readonly string[] = [],
  change: Partial<ToolWorld['stores'][number]> = {},
): Promise<Bench> {
  const files = Object.fromEntries(
    records.map((text) => [`.learnings/${(JSON.parse(text) as { id: string }).id}/learning.yaml`, text]),
  );
  const { store, files: memory } = memoryStore(files);
  const learnings = await openLearnings({ root: '/repo', clock: systemClock, hash: nodeHash, files: memory });
  const receipts = memoryJournal();
  let claims = 0;
  const session = openSession({ journal: memoryJournal(), nonce: () => String(claims++), now: Date.now });
  const world: ToolWorld = {
    stores: [
      {
        learnings,
        writer: () => store,
        git: { branch: () => Promise.resolve('fix-retry'), userName: () => Promise.resolve('ada') },
        session,
        receipts,
        isOutdated: () => Promise.resolve(false),
        ...change,
      },
    ],
    agent: 'claude',
    sessionId: 's1',
    now: () => new Date('2026-05-09T18:00:00Z'),
  };
  return {
    world,
    receipts,
    call: (name, input) => {
      const tool = tools.find((one) => one.name === name) ?? assert.fail(name);
      return tool.run(world, input);
    },
  };
}

describe('find_learnings', () => {
  it('gives the model ids, summaries and reasons, and nothing else', async () => {
    const { call } = await bench([
      recordText('L-0001', {
        updated_at: '2026-05-09T18:00:00Z',
        scope: { paths: ['src/**'], tags: ['perf'] },
        body: 'long',
      }),
    ]);
    assert.equal(
      await call('find_learnings', { paths: ['src/a.ts'], tags: ['perf'] }),
      '{"results":[{"id":"L-0001","summary":"About L-0001.","tags":["perf"],' +
        '"matched_by":["path:src/a.ts ~ src/**","tag:perf"],"updated_at":"2026-05-09T18:00:00Z"}],"omitted":0}',
    );
  });

  it('gives five unless asked for more, and counts the rest', async () => {
    const eight = Array.from({ length: 8 }, (_, index) => recordText(`L-${1000 + index}`));
    const { results, omitted } = answer(
      await (await bench(eight)).call('find_learnings', { paths: ['a.ts'] }),
    );
    assert.equal(results.length, 5);
    assert.equal(omitted, 3);
    const more = answer(await (await bench(eight)).call('find_learnings', { paths: ['a.ts'], limit: 50 }));
    assert.equal(more.results.length, 8);
  });

  it('gives a learning once in a session, names what was given before, and gives all on request', async () => {
    const { call } = await bench(['L-1000', 'L-1001'].map((id) => recordText(id)));
    assert.equal(answer(await call('find_learnings', { paths: ['a.ts'], limit: 1 })).results.length, 1);
    const second = answer(await call('find_learnings', { paths: ['a.ts'] }));
    assert.deepEqual([second.results.length, second.omitted, second.already_given], [1, 0, ['L-1000']]);
    assert.equal(answer(await call('find_learnings', { paths: ['a.ts'], all: true })).results.length, 2);
  });

  it('leaves out what is no longer true, and says so', async () => {
    const { call } = await bench([recordText('L-1000')], { isOutdated: () => Promise.resolve(true) });
    assert.deepEqual(answer(await call('find_learnings', { paths: ['a.ts'] })), {
      results: [],
      omitted: 0,
      outdated: ['L-1000'],
    });
  });

  it('finds by words, alone or about a file', async () => {
    const { call } = await bench([
      recordText('L-1000', { summary: 'Compare outputs before speed.', scope: { paths: ['src/**'] } }),
      recordText('L-1001', { summary: 'Compare nothing on Fridays.', scope: { paths: ['docs/**'] } }),
    ]);
    const ids = (text: string): unknown[] => answer(text).results.map((row) => (row as { id: string }).id);
    assert.deepEqual(ids(await call('find_learnings', { query: 'outputs' })), ['L-1000']);
    assert.deepEqual(ids(await call('find_learnings', { query: 'compare', paths: ['docs/a.md'] })), [
      'L-1001',
    ]);
  });

  it('stays below 8,000 characters by leaving the last ones out', async () => {
    const long = Array.from({ length: 50 }, (_, index) =>
      recordText(`L-${1000 + index}`, { summary: 'x'.repeat(900) }),
    );
    const text = await (await bench(long)).call('find_learnings', { paths: ['a.ts'], limit: 50 });
    const { results, omitted } = answer(text);
    assert.ok(
      text.length <= 8000 && results.length > 5,
      `${results.length} results in ${text.length} characters`,
    );
    assert.equal(results.length + omitted, 50);
  });

  it('says what to pass when it is asked for nothing or given nonsense', async () => {
    const { call } = await bench();
    for (const input of [{}, undefined, { paths: [] }, { paths: 'src/a.ts' }, { path: ['a.ts'] }]) {
      await assert.rejects(
        call('find_learnings', input),
        (error) => error instanceof LearningsError && error.message.includes('Pass '),
      );
    }
  });

  it('leaves a receipt', async () => {
    const { call, receipts } = await bench([recordText('L-1000')]);
    await call('find_learnings', { paths: ['a.ts'] });
    const { did, ids, agent, session, event } = JSON.parse(receipts.read()) as Record<string, unknown>;
    assert.deepEqual(
      [did, ids, agent, session, event],
      ['gave', ['L-1000'], 'claude', 's1', 'find_learnings'],
    );
  });
});

describe('show_learning', () => {
  it('gives the whole record with votes and deliveries', async () => {
    const { call } = await bench([recordText('L-1000', { body: 'How it came.', rationale: 'Because.' })]);
    await call('find_learnings', { paths: ['a.ts'] });
    await call('upvote_learning', { id: 'L-1000', task: 'T-1' });
    const shown = JSON.parse(await call('show_learning', { id: 'L-1000' })) as Record<string, unknown>;
    assert.equal(shown['body'], 'How it came.');
    assert.equal(shown['vote_count'], 1);
    assert.equal(shown['deliveries'], 1);
    assert.equal(shown['file'], '.learnings/L-1000/learning.yaml');
  });

  it('cuts a body that is too long for an answer, and says where it is', async () => {
    const { call } = await bench([recordText('L-1000', { body: 'x'.repeat(30_000) })]);
    const text = await call('show_learning', { id: 'L-1000' });
    assert.ok(text.length <= 8000, `${text.length} characters`);
    assert.match(text, /whole text is in \.learnings\/L-1000\/learning\.yaml/);
  });

  it('says what to do about an id that is not there', async () => {
    const { call } = await bench();
    await assert.rejects(call('show_learning', { id: 'L-0099' }), /No learning L-0099\. Call find_learnings/);
  });
});

describe('tools that write', () => {
  it('save what is new, with who said it', async () => {
    const { call, world } = await bench();
    const said = await call('add_learning', {
      summary: 'Compare outputs before you speak of speed.',
      paths: ['/repo/src/engine/', 'bench\\**'],
      evidence: [{ kind: 'quote', ref: 'review', quote: 'no, compare first' }],
      scope: 'global',
    });
    assert.match(said, /^saved as L-0001\. It is kept in this repository: /);
    const record = world.stores[0]?.learnings.get('L-0001')?.record;
    assert.deepEqual(record?.scope.paths, ['src/engine/**', 'bench/**']);
    assert.equal(record.createdBy, 'claude');
    assert.equal(record.evidence[0]?.quote, 'no, compare first');
  });

  it('do not save what a learning says already, unless it is another matter', async () => {
    const { call } = await bench([
      recordText('L-1000', { summary: 'Never compare speed before the outputs.' }),
    ]);
    const input = { summary: 'Never compare speed before outputs.', paths: ['**'] };
    assert.match(await call('add_learning', input), /^deduped against L-1000: .*upvote_learning with L-1000/);
    assert.match(await call('add_learning', { ...input, distinct_from: ['L-1000'] }), /^saved as L-1001/);
  });

  it('refuse secrets, and what is about nothing', async () => {
    const { call } = await bench([], {});
    assert.match(await call('add_learning', { summary: 'About nothing at all.' }), /^refused: .*Pass paths/);
    assert.match(
      await call('add_learning', { summary: 'Hidden \u202e text in here.', paths: ['**'] }),
      /^refused: .*invisible/,
    );
  });

  it('change fields, and only those', async () => {
    const { call, world } = await bench([recordText('L-1000', { rationale: 'Old.' })]);
    assert.equal(
      await call('update_learning', {
        id: 'L-1000',
        rationale: 'New.',
        add_evidence: [{ kind: 'task', ref: 'T-2' }],
      }),
      'updated L-1000: rationale, evidence.',
    );
    const record = world.stores[0]?.learnings.get('L-1000')?.record;
    assert.equal(record?.rationale, 'New.');
    assert.equal(record.summary, 'About L-1000.');
    await assert.rejects(call('update_learning', { id: 'L-1000' }), /Pass at least one field/);
  });

  it('supersede, upvote and archive', async () => {
    const { call, world } = await bench(['L-1000', 'L-1001', 'L-1002'].map((id) => recordText(id)));
    assert.match(await call('supersede_learning', { id: 'L-1000', with: 'L-1001' }), /superseded by L-1001/);
    assert.match(await call('upvote_learning', { id: 'L-1001' }), /for fix-retry; it has 1 vote\./);
    assert.match(await call('upvote_learning', { id: 'L-1001' }), /has this vote for fix-retry already/);
    assert.match(
      await call('archive_learning', { id: 'L-1002', reason: 'The code is gone.' }),
      /in the archive/,
    );
    const left = world.stores[0]?.learnings.list('active').map(({ record }) => record.id);
    assert.deepEqual(left, ['L-1001']);
  });

  it('ask before they write, in words that cannot be mistaken', () => {
    const question = (name: string, input: unknown): string | undefined =>
      tools.find((tool) => tool.name === name)?.confirmation(input);
    assert.equal(
      question('archive_learning', { id: 'L-1', reason: 'It is gone.' }),
      'Archive the learning L-1 (It is gone.)?',
    );
    assert.equal(question('find_learnings', { paths: ['a'] }), undefined);
    assert.deepEqual(
      tools.filter(({ readOnly }) => readOnly).map(({ name }) => name),
      ['find_learnings', 'show_learning'],
    );
  });
});

describe('several repositories', () => {
  it('are told apart by name where an id is in both', async () => {
    const [one, other] = [await bench([recordText('L-1000')]), await bench([recordText('L-1001')])];
    const [first] = one.world.stores;
    const [second] = other.world.stores;
    assert.ok(first && second);
    const renamed = { ...second, learnings: { ...second.learnings, root: '/else' } };
    const world = { ...one.world, stores: [first, renamed] };
    const run = (name: string, input: unknown): Promise<string> =>
      tools.find((tool) => tool.name === name)?.run(world, input) ?? assert.fail(name);
    assert.match(await run('show_learning', { id: 'L-1001' }), /About L-1001/);
    await assert.rejects(
      run('add_learning', { summary: 'Which of the two is it?', tags: ['t'] }),
      /Pass repository as one of: repo, else\./,
    );
    assert.match(
      await run('add_learning', { summary: 'Which of the two is it?', tags: ['t'], repository: 'repo' }),
      /^saved/,
    );
  });
});

describe('what follows from the tools', () => {
  const derived = derive();

  it('is in package.json', () => {
    assert.deepEqual(
      manifest.contributes.languageModelTools,
      derived.languageModelTools,
      'run npm run derive',
    );
    for (const [key, text] of Object.entries(derived.strings))
      assert.equal((strings as Record<string, string>)[key], text, `${key}: run npm run derive`);
  });

  it('is in docs/tools.md', () => {
    assert.equal(
      readFileSync(join(checkout, 'docs', 'tools.md'), 'utf8'),
      derived.page,
      'run npm run derive',
    );
  });
});

interface Answer {
  readonly results: readonly unknown[];
  readonly omitted: number;
  readonly already_given?: readonly string[];
}
const answer = (text: string): Answer => JSON.parse(text) as Answer;
