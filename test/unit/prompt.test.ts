import assert from 'node:assert/strict';

import { ANY_FILE, classifyPrompt, rememberIn, targetOf } from '../../src/core/api';

const prompts = {
  'code-gen': [
    'Add a retry to src/http/client.ts',
    'fix the failing test in the parser',
    'please rename getUser to loadUser everywhere',
    'Can you implement the export as CSV?',
    'could you please refactor this class so that it takes options',
    "I'd like you to write a unit test for findExtrema",
    "let's remove the old cache",
    'We need to make the harmonics faster.',
    'Look at src/a.ts. Then change the default timeout to 30 s.',
    'The build is red.\nFix it.',
    '1. Create a tool file\n2. Register it',
    'ok, now go ahead and update the docs for the new flag',
    'Okay great. Also bump the version.',
    'Handle the empty list in `parse()`',
    "Don't use moment. Write it with Intl instead.",
  ],
  question: [
    'What does src/a.ts do?',
    'why is the cache invalidated twice',
    'Is there a test for the parser?',
    'Do you know where the datum is set?',
    'which of the two is faster?',
    'So this only happens in January?',
  ],
  exploration: [
    'Explain how the matcher works',
    'find all callers of findExtrema',
    'Show me the routes',
    'Can you look into the flaky test and tell me what you think?',
    'Review my changes, but do not change anything. Write a summary.',
    'List the places that would have to be changed to add a column',
    'Compare the two implementations',
  ],
  other: [
    '',
    'thanks!',
    'yes',
    'continue',
    'The tests in src/a.test.ts fail on my machine.',
    'Make sure you have read the guidelines.',
    '```ts\nadd(1, 2);\nfix();\n```',
    '> Add a retry\n\nSo said the reviewer.',
    'npm ERR! fix the upstream dependency conflict',
  ],
} as const;

describe('a prompt', () => {
  for (const [kind, examples] of Object.entries(prompts)) {
    it(`is taken for ${kind} where it is, and code-gen nowhere else`, () => {
      for (const prompt of examples) assert.equal(classifyPrompt(prompt), kind, prompt);
    });
  }

  it('is classified quickly however long or strange it is', () => {
    const started = process.cpuUsage().user;
    for (const text of [
      'please '.repeat(100_000),
      'a'.repeat(1_000_000),
      '<a>'.repeat(100_000),
      '/'.repeat(200_000),
    ]) {
      classifyPrompt(text);
      targetOf(text, ['tag']);
      rememberIn(text);
    }
    assert.ok((process.cpuUsage().user - started) / 1000 < 2000);
  });

  it('names files, folders, symbols and tags', () => {
    const { paths, symbols, tags } = targetOf(
      'In `src/http/client.ts` (see ./docs/), make findExtrema and parse_row handle Windows: C:\\repo\\src\\a.ts. About performance and error handling; README.md too.',
      ['performance', 'error-handling', 'go', 'caching'],
    );
    assert.deepEqual(paths, [
      'src/http/client.ts',
      './docs/',
      `./docs/${ANY_FILE}`,
      'C:\\repo\\src\\a.ts',
      'README.md',
    ]);
    assert.deepEqual(symbols, ['findExtrema', 'parse_row']);
    assert.deepEqual(tags, ['performance', 'error-handling']);
  });

  it('says a tag at the end of a sentence, and none by the folders of a path', () => {
    assert.deepEqual(targetOf('Improve the performance.', ['performance']).tags, ['performance']);
    assert.deepEqual(targetOf('Fix the rounding in src/http/health.ts', ['http', 'health']).tags, []);
  });

  it('names no more than a few', () => {
    const paths = Array.from({ length: 500 }, (_, index) => `src/file${index}.ts`).join(' ');
    assert.equal(targetOf(paths, []).paths?.length, 20);
  });
});

describe('what is to be remembered', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['remember: never cache stations', 'never cache stations'],
    ['Remember this: never cache stations.', 'never cache stations.'],
    ['please remember that tests need TZ=UTC', 'tests need TZ=UTC'],
    ['Fix it.\nremember: the order matters\n\nAnd then run the tests.', 'the order matters'],
    ['remember: two\nlines', 'two\nlines'],
    ['remember this', ''],
    ['No, compare the outputs first. \nRemember this!', ''],
    ['Do you remember the fix of last week?', undefined],
    ['I remember: it was Tuesday', undefined],
    ['Remember to run the tests', undefined],
    ['Add a checkbox "remember: me"', undefined],
  ];
  it('is what stands behind the word, and nothing that only sounds like it', () => {
    for (const [prompt, expected] of cases) assert.equal(rememberIn(prompt), expected, prompt);
  });
});
