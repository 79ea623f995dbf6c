import assert from 'node:assert/strict';

import { explainFile, explanationAsMarkdown, openLearnings } from '../../src/core/api';
import { nodeHash } from '../../src/node/hash';
import { memoryFileSystem, recordText } from './memoryFiles';

const now = new Date('2026-06-01T00:00:00Z');

const open = (records: Record<string, Record<string, unknown>>, more: Record<string, string> = {}) =>
  openLearnings({
    root: '/repo',
    clock: { now: () => now, sleep: () => Promise.resolve() },
    hash: nodeHash,
    files: memoryFileSystem({
      ...Object.fromEntries(
        Object.entries(records).map(([place, fields]) => [
          `.learnings/${place}/learning.yaml`,
          recordText(place.split('/').at(-1) ?? '', fields),
        ]),
      ),
      ...more,
    }),
  });
const about = (...paths: string[]) => ({ scope: { paths } });
const updated = { updated_at: '2026-05-01T00:00:00Z' };

describe('explainFile', () => {
  it('gives the parts of the rank, in the order in which they count', async () => {
    const vote = { learning_id: 'L-0002', voter_model: 'v', voted_at: '2025-12-03T00:00:00Z', task_id: 'T' };
    const learnings = await open(
      {
        'L-0001': { ...about('src/**'), ...updated, priority: 3, kind: 'fact' },
        'L-0002': { ...about('src/a.ts'), ...updated },
      },
      { '.learnings/L-0002/votes.jsonl': `${JSON.stringify(vote)}\n` },
    );
    const { given } = explainFile(learnings, '/repo/src/a.ts', { now });
    assert.deepEqual(
      given.map(({ match, rank }) => [match.record.id, rank]),
      [
        [
          'L-0002',
          {
            votes: 1,
            voteScore: 0.5,
            priority: 0,
            kindWeight: 5,
            specificity: 10_008,
            updatedAt: updated.updated_at,
          },
        ],
        [
          'L-0001',
          {
            votes: 0,
            voteScore: 0,
            priority: 3,
            kindWeight: 3,
            specificity: 4,
            updatedAt: updated.updated_at,
          },
        ],
      ],
    );
  });

  it('names the rule that leaves each of the others out', async () => {
    const learnings = await open(
      {
        'L-0001': { ...about('a.ts'), status: 'superseded', superseded_by: 'L-0002' },
        'L-0002': { ...about('b.ts'), supersedes: 'L-0001' },
        'archive/L-0003': about('a.ts'),
        'candidates/C-00000001': about('a.ts'),
        'L-0004': { ...about('a.ts'), updated_at: '2020-01-01T00:00:00Z' },
      },
      { '.learnings/config.yaml': 'max_age_days: 100\n' },
    );
    const { given, withheld } = explainFile(learnings, 'a.ts', { now });
    assert.deepEqual(given, []);
    assert.deepEqual(
      withheld.map(({ match, rule, why }) => [match.record.id, rule, why]),
      [
        ['L-0004', 'too-old', 'not changed for more than 100 days'],
        ['L-0001', 'superseded', 'superseded by L-0002'],
        ['L-0003', 'archived', 'archived'],
        ['C-00000001', 'candidate', 'a candidate until it is promoted'],
      ],
    );
  });

  it('says that learnings are switched off, and by what', async () => {
    const learnings = await open(
      { 'L-0001': about('a.ts') },
      { '.learnings/config.yaml': 'enabled: false\n' },
    );
    const { given, withheld } = explainFile(learnings, 'a.ts', { now });
    assert.equal(given.length, 0);
    assert.equal(withheld[0]?.rule, 'disabled');
    assert.match(withheld[0].why, /config\.yaml/);
  });

  it('marks what an agent is not given at once', async () => {
    const learnings = await open(
      { 'L-0001': about('a.ts'), 'L-0002': about('a.ts'), 'L-0003': about('a.ts') },
      { '.learnings/config.yaml': 'caps: {per_call: 2}\n' },
    );
    const { given } = explainFile(learnings, 'a.ts', { now });
    assert.deepEqual(
      given.map(({ beyondCap }) => beyondCap),
      [false, false, true],
    );
  });

  it('finds what nearly matches, the nearest first, and not what is merely elsewhere', async () => {
    const learnings = await open({
      'L-0001': about('src/net/*.ts'),
      'L-0002': about('src/*.ts'),
      'L-0003': about('src/http/**/*.js'),
      'L-0004': about('SRC/http/**'),
      'L-0005': about('src/**', '!**/server.ts'),
      'L-0006': about('lib/**'),
      'L-0007': about('docs/*.md'),
      'L-0008': { scope: { tags: ['http'] } },
      'L-0009': about('**/*.css'),
    });
    const { nearMisses } = explainFile(learnings, 'src/http/server.ts', { now });
    assert.deepEqual(
      nearMisses.map(({ match, miss }) => [match.record.id, miss]),
      [
        ['L-0005', 'excluded'],
        ['L-0004', 'case'],
        ['L-0003', 'folder'],
        ['L-0002', 'depth'],
        ['L-0001', 'place'],
      ],
    );
    assert.equal(nearMisses[0]?.why, 'src/** matches, but !**/server.ts takes it out');
  });

  it('tells of patterns that match no file, where it is known what files there are', async () => {
    const learnings = await open({ 'L-0001': about('a.ts', 'gone/**'), 'L-0002': about('far/**') });
    assert.equal(explainFile(learnings, 'a.ts', { now }).deadGlobs, undefined);
    const { deadGlobs } = explainFile(learnings, 'a.ts', { now, files: ['a.ts'] });
    assert.deepEqual(
      deadGlobs?.map(({ pattern }) => pattern),
      ['gone/**'],
    );
  });
});

describe('explanationAsMarkdown', () => {
  it('is a page that a person can read', async () => {
    const learnings = await open({
      'L-0001': { ...about('src/**', 'old/**'), ...updated, summary: 'Compare outputs.' },
      'archive/L-0002': { ...about('src/a.ts'), summary: 'Once true.' },
      'L-0003': { ...about('lib/a.ts'), summary: 'About another.' },
    });
    const explanation = explainFile(learnings, 'src/a.ts', { now, files: ['src/a.ts', 'lib/a.ts'] });
    assert.equal(
      explanationAsMarkdown(explanation, { linkTo: ({ record }) => `file:///${record.id}` }),
      `# Learnings for \`src/a.ts\`

1 learning is about this file.

| | Learning | Matched by | Votes | Priority | Kind | Fit | Last change |
|--:|---|---|--:|--:|---|--:|---|
| 1 | [**L\\-0001**](<file:///L-0001>) Compare outputs\\. | \`src/**\` | 0 | 0 | rule (5) | 4 | 2026\\-05\\-01 |

The order comes from the columns, the left one first: votes, each worth half after 180 days; priority; the weight of the kind; how closely the pattern fits; the last change.

## Left out

These match, and a rule keeps them back.

- [**L\\-0002**](<file:///L-0002>) Once true\\.: *archived*

## Near misses

These do not match, though not by much.

- [**L\\-0003**](<file:///L-0003>) About another\\.: *lib/a\\.ts is about files like it in another folder*

## Patterns that match no file

Of the learnings above. What they meant has been removed or renamed, or is ignored by git.

- [**L\\-0001**](<file:///L-0001>) \`old/**\`
`,
    );
  });

  it('lets nothing in a record format, link or break the table', async () => {
    const summary = '[x](command:evil) | <img src=x> `code` **bold** $(alert) ![p](http://e.x)';
    const learnings = await open({ 'L-0001': { ...about('a`|b/**', '**'), summary } });
    const text = explanationAsMarkdown(explainFile(learnings, 'a`|b/x.ts', { now, files: [] }));
    const row = text.split('\n').find((line) => line.startsWith('| 1')) ?? '';
    assert.equal(row.split(/(?<!\\)\|/).length, 10, row);
    assert.doesNotMatch(text, /(?<!\\)\]\(command|<img|(?<!\\)!\[/);
  });

  it('cuts what is too long, and says so', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [`L-${1000 + index}`, about('a.ts')] as const);
    const text = explanationAsMarkdown(explainFile(await open(Object.fromEntries(many)), 'a.ts', { now }));
    assert.match(text, /… 10 more/);
    assert.match(text, /given the first 5 of them at once/);
  });
});
