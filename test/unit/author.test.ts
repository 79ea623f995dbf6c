import assert from 'node:assert/strict';

import {
  checkPattern,
  filesMatching,
  findSimilar,
  indexSummaries,
  normalisePattern,
  proposeScopes,
  proposeScopesOfFiles,
  proposeTopFolders,
  renderExcerpt,
  renderMarkdown,
  splitPatterns,
} from '../../src/core/api';
import { fillDefaults } from '../../src/core/record/schema';

const patterns = (path: string, isFolder = false): string[] =>
  proposeScopes(path, { isFolder }).map(({ pattern }) => pattern);

describe('the scopes that a path suggests', () => {
  it('are this file, its folder, its kind here and its kind everywhere', () => {
    assert.deepEqual(proposeScopes('src/http/server.ts'), [
      { pattern: 'src/http/server.ts', means: 'file', what: 'server.ts' },
      { pattern: 'src/http/**', means: 'folder', what: 'src/http' },
      { pattern: 'src/http/**/*.ts', means: 'kindHere', what: '*.ts' },
      { pattern: '**/*.ts', means: 'kindEverywhere', what: '*.ts' },
    ]);
    assert.deepEqual(patterns('src/http', true), ['src/http/**']);
  });

  it('know a test from a source, a version from an ending, and names without one', () => {
    assert.deepEqual(patterns('test/a.test.ts').slice(2), ['test/**/*.test.ts', '**/*.test.ts']);
    assert.deepEqual(patterns('docs/v1.2.3.md').slice(2), ['docs/**/*.md', '**/*.md']);
    assert.deepEqual(patterns('ops/Makefile').slice(2), ['ops/**/Makefile', '**/Makefile']);
    assert.deepEqual(patterns('app/.eslintrc.json').slice(2), ['app/**/.eslintrc.json', '**/.eslintrc.json']);
  });

  it('mean the file at the root alone, where a bare name would match at any depth', () => {
    assert.deepEqual(patterns('package.json'), ['/package.json', '**', '/*.json', '**/*.json']);
    assert.deepEqual(patterns('.env'), ['/.env', '**', '**/.env']);
    assert.deepEqual(patterns('', true), ['**']);
    assert.deepEqual(patterns('src', true), ['src/**']);
  });

  it('match the file they come from, whatever it is called, and the closest nothing else', () => {
    const odd = [
      'a*b.ts',
      'what?.md',
      '{x,y}.ts',
      '!not.ts',
      '@(a|b).ts',
      '(auth)',
      '[slug].tsx',
      'a+(b).c',
      'ü.ts',
    ];
    const files = odd.flatMap((name) => [name, `app/${name}`, `app/(auth)/${name}`, `!x/${name}`]);
    for (const file of files) {
      const [closest, ...others] = patterns(file);
      assert.equal(filesMatching([closest ?? ''], files).length, 1, `${file} by ${closest ?? ''}`);
      for (const pattern of others)
        assert.equal(filesMatching([pattern], [file]).length, 1, `${file} by ${pattern}`);
    }
  });

  it('come from all files of a commit: what they share first', () => {
    const proposed = proposeScopesOfFiles(['src/http/a.ts', 'src/http/b.ts', 'src/log.ts']);
    assert.deepEqual(
      proposed.map(({ pattern }) => pattern),
      ['src/**', '**/*.ts', 'src/http/**', 'src/http/a.ts', 'src/http/b.ts', 'src/log.ts'],
    );
    assert.deepEqual(proposeScopesOfFiles([]), []);
    assert.ok(proposeScopesOfFiles(Array.from({ length: 500 }, (_, at) => `${at}/x.ts`)).length <= 12);
  });

  it('are the folders at the root for somebody who points at nothing', () => {
    const files = ['README.md', 'docs/a.md', 'src/a.ts', 'src/b/c.ts'];
    assert.deepEqual(
      proposeTopFolders(files).map(({ pattern }) => pattern),
      ['**', 'src/**', 'docs/**'],
    );
  });
});

describe('a pattern that somebody types', () => {
  it('is brought to the form that records have', () => {
    const forms: Record<string, string> = {
      'src\\http\\**': 'src/http/**',
      'src\\**': 'src/**',
      '/src/**': 'src/**',
      './src//a.ts': 'src/a.ts',
      './a.ts': '/a.ts',
      '/a.ts': '/a.ts',
      'src/': 'src/**',
      '.\\src\\': 'src/**',
      '!src\\gen\\': '!src/gen/**',
      ' *.sql ': '*.sql',
      'app/\\{a\\}.ts': 'app/\\{a\\}.ts',
      './': '**',
    };
    for (const [typed, expected] of Object.entries(forms)) assert.equal(normalisePattern(typed), expected);
  });

  it('is told what is wrong with it', () => {
    const wrong: Record<string, RegExp> = {
      '': /must say which files/,
      '!': /must say which files/,
      'src/{a,b': /\{ is never closed/,
      'src/[ab': /\[ is never closed/,
      '../other/**': /leads out/,
      'C:\\work\\src': /relative to the folder/,
      '~/x': /relative to the folder/,
      'a\u200bb': /U\+200B/,
      [`${'*/'.repeat(65)}x`]: /more than 64 wildcards/,
    };
    for (const [typed, message] of Object.entries(wrong)) {
      const problem = checkPattern(typed);
      assert.equal(problem?.severity, 'error', typed);
      assert.match(problem.message, message);
    }
    const files = ['src/a.gen.ts', 'app/(auth)/[...slug]/page.tsx', 'b/c.ts'];
    for (const typed of ['src/**', 'app/(auth)/[...slug]/page.tsx', '{a,b}/*.ts', '!**/*.gen.ts'])
      assert.equal(checkPattern(typed, files), undefined, typed);
    assert.deepEqual(checkPattern('lib/**', ['src/a.ts']), {
      severity: 'warning',
      message: 'No file matches it yet.',
    });
  });

  it('counts the files it is about, without those that are taken away', () => {
    const files = ['src/a.ts', 'src/b.gen.ts', 'docs/a.md'];
    assert.equal(filesMatching(['src/**'], files).length, 2);
    assert.equal(filesMatching(['src/**', '*.md', '!*.gen.ts'], files).length, 2);
    assert.equal(filesMatching(['!*.gen.ts'], files).length, 0);
    assert.deepEqual(splitPatterns('src/{a,b}/**,*.md'), ['src/{a,b}/**', '*.md']);
  });
});

describe('near-duplicates', () => {
  const summaries = [
    'Never retry a POST to the billing service: it charges twice.',
    'Compare outputs before you call something faster.',
    'Keep heights in millimetres, as integers.',
    'Use tabs.',
  ];
  const learnings = summaries.map((summary) => ({ record: { summary } }));
  const found = (text: string, atLeast?: number): string[] =>
    findSimilar(text, learnings, { ...(atLeast !== undefined && { atLeast }) }).map(
      ({ learning }) => learning.record.summary,
    );

  it('are found by half a sentence, in other words of the same stem, and not by a word they share', () => {
    assert.deepEqual(found('never retrying POSTs'), [summaries[0]]);
    assert.deepEqual(found('Outputs must be compared before anything is called faster'), [summaries[1]]);
    assert.deepEqual(found('Retry'), []);
    assert.deepEqual(found('the it is'), []);
    assert.deepEqual(found(''), []);
  });

  it('are the more alike the more they share, the same sentence being 1', () => {
    for (const summary of summaries) assert.equal(findSimilar(summary, learnings)[0]?.overlap, 1);
    const [similar] = findSimilar('Keep heights in metres, never as integers.', learnings);
    assert.ok(similar && similar.overlap > 0.6 && similar.overlap < 1);
    assert.deepEqual(found('Keep heights in metres, never as integers.', 0.9), []);
  });

  it('are found among a thousand faster than anybody types', () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({
      record: {
        summary: `Rule ${at}: what the module ${at * 7} does with requests must be checked at the door.`,
      },
    }));
    const similar = indexSummaries(many);
    similar('warm up');
    const start = performance.now();
    for (let round = 0; round < 10; round++) similar('Requests must be checked at the door');
    assert.ok((performance.now() - start) / 10 < 25);
  });
});

describe('a learning as Markdown', () => {
  const record = fillDefaults({
    id: 'L-0007',
    schemaVersion: 1,
    summary: 'Never retry\na POST.\u202e',
    rationale: 'It charged twice.',
    body: 'See `charge`.\n\n- once\n',
    scope: { paths: ['src/http/**', 'a`b.ts'], tags: ['http'], symbols: ['charge'] },
    evidence: [
      { kind: 'commit', ref: '3edf00ed' },
      { kind: 'quote', ref: 'session 4a59', quote: 'no, not twice' },
      { kind: 'url', ref: 'https://example.com/a' },
    ],
    created_by: 'Ada',
    created_at: '2026-05-09T18:00:00Z',
  });

  it('says all there is, to be pasted as it is', () => {
    assert.equal(
      renderMarkdown(record, 1),
      `**Never retry a POST.**

It charged twice.

See \`charge\`.

- once

- About: \`src/http/**\`, \`\`a\`b.ts\`\`, #http, \`charge\`
- Evidence: commit \`3edf00ed\`, quote \`session 4a59\` “no, not twice”, <https://example.com/a>
- L-0007: rule, 1 vote, Ada, 2026-05-09
`,
    );
  });

  it('quotes code in a fence that the code cannot close, and not without end', () => {
    assert.equal(
      renderExcerpt('const a = 1;\r\n```\n\n', { ref: 'src/a.ts:3-4', language: 'typescript' }),
      'From `src/a.ts:3-4`:\n\n````typescript\nconst a = 1;\n```\n````\n',
    );
    const long = renderExcerpt('const line = 1;\n'.repeat(10_000), { ref: 'a.ts:1', language: 'x`y' });
    assert.ok(long.length < 4200);
    assert.match(long, /```\nconst line = 1;\n[\s\S]*const line = 1;\n…\n```\n$/);
  });
});
