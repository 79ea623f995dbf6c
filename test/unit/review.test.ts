import assert from 'node:assert/strict';

import {
  differenceOf,
  filesMatching,
  keyAt,
  keysBelow,
  nearest,
  reviewFile,
  type ReviewContext,
} from '../../src/core/api';
import { nodeSecrets } from '../../src/node/secrets';

const FILE = '.learnings/L-0001/learning.yaml';
const files = ['src/engine/perf.ts', 'src/http/server.ts', 'docs/api.md'];
const plain: ReviewContext = {
  workingFiles: files,
  secrets: nodeSecrets(),
  tags: new Map([['performance', 'Speed.']]),
  get: (id) =>
    id === 'L-0007'
      ? { summary: 'Compare outputs before you call it a perf win.', supersedes: ['L-0005'] }
      : undefined,
  similar: () => [],
};

const record = (lines: string): string => `id: L-0001
schemaVersion: 1
summary: Never declare a perf win on latency alone.
${lines}`;

/** Each problem as `line:column-column code message`, with what may stand there instead. */
async function review(text: string, context: Partial<ReviewContext> = {}, file = FILE): Promise<string[]> {
  const problems = await reviewFile(file, text, { ...plain, ...context });
  return problems.map(({ line, column, end, code, message, instead = [] }) => {
    const place = `${line}:${column}${end ? `-${end.column}` : ''}`;
    return `${place} ${code} ${message}${instead.length > 0 ? ` → ${instead.join(', ')}` : ''}`;
  });
}

describe('reviewFile', () => {
  it('has nothing to say of a record that is true', async () => {
    const text = record('scope: {paths: ["src/engine/**"], tags: [performance]}\n');
    assert.deepEqual(await review(text), []);
  });

  it('finds a pattern that matches no file, and where the file has gone', async () => {
    const text = record('scope:\n  paths:\n    - src/perf.ts\n    - "old/engine/*.ts"\n    - "!gone/**"\n');
    assert.deepEqual(await review(text), [
      '6:7-18 dead-glob no file matches src/perf.ts → src/engine/perf.ts',
      '7:8-23 dead-glob no file matches old/engine/*.ts → src/engine/*.ts',
    ]);
    const stat = (path: string) =>
      Promise.resolve(
        path === 'src/perf.ts' ? ({ kind: 'file', size: 1, modifiedMs: 1 } as const) : undefined,
      );
    const ignored = record('scope: {paths: [src/perf.ts]}\n');
    assert.deepEqual(await review(ignored, { files: { stat } }), []);
    assert.deepEqual(await review(ignored, { workingFiles: undefined }), []);
  });

  it('tells a pattern for everything from one that says so on purpose', async () => {
    assert.deepEqual(await review(record('scope: {paths: ["**"]}\n')), []);
    assert.deepEqual(await review(record('scope: {paths: ["**", "!docs/**"]}\n')), []);
    const text = record(
      'scope:\n  paths: ["src/**", "**/*"]\nevidence:\n  - {kind: file, ref: "docs/api.md:12"}\n',
    );
    assert.deepEqual(await review(text), [
      '5:22-26 too-broad **/* matches every file, so the patterns beside it say nothing → docs/api.md, docs/**',
    ]);
  });

  it('finds evidence commits that the branch does not have', async () => {
    const text = record(
      'scope: {tags: [performance]}\nevidence:\n  - {kind: commit, ref: 3edf00ed}\n  - {kind: task, ref: T-1}\n',
    );
    const git = { missingCommits: () => Promise.resolve(['3edf00ed']) };
    assert.deepEqual(await review(text, { git }), [
      '6:25-33 missing-commit this branch has no commit 3edf00ed',
    ]);
    assert.deepEqual(await review(text), []);
  });

  it('finds a learning that says the same, unless one takes the place of the other', async () => {
    const similar = () => [{ id: 'L-0007', overlap: 0.8 }];
    const text = record('scope: {tags: [performance]}\n');
    assert.deepEqual(await review(text, { similar }), [
      '3:10-52 similar much the same as L-0007: Compare outputs before you call it a perf win. → L-0007',
    ]);
    assert.deepEqual(await review(`${text}supersedes: L-0007\n`, { similar }), []);
    const older = text.replace('L-0001', 'L-0005');
    assert.deepEqual(await review(older, { similar }, '.learnings/L-0005/learning.yaml'), []);
  });

  it('finds tags that tags.yaml does not have, if there is one', async () => {
    const text = record('scope: {tags: [perfomance, other]}\n');
    assert.deepEqual(await review(text), [
      '4:16-26 unknown-tag perfomance is not in tags.yaml → performance',
      '4:28-33 unknown-tag other is not in tags.yaml',
    ]);
    assert.deepEqual(await review(text, { tags: new Map() }), []);
  });

  it('finds ids that name nothing', async () => {
    const text = record(
      'scope: {tags: [performance]}\nsupersedes: [L-0007, L-0099]\nsuperseded_by: L-0098\n',
    );
    assert.deepEqual(await review(text), [
      '5:22-28 unknown-id it supersedes L-0099, which is not there',
      '6:16-22 lost-successor L-0001 is superseded by L-0098, which is not there',
    ]);
  });

  it('finds an id that is not that of the folder', async () => {
    const text = record('scope: {tags: [performance]}\n');
    assert.deepEqual(await review(text, {}, '.learnings/L-0002/learning.yaml'), [
      '1:5-11 id-mismatch id L-0001 in the folder L-0002 → L-0002',
    ]);
  });

  it('finds misspelt keys and values, and what they should be', async () => {
    const text = record(
      'kind: rul\nscope: {tag: [performance], paths: [docs/**]}\nratoinale: x\nmy_own: 1\n',
    );
    const found = await review(text);
    assert.match(found[0] ?? '', /^4:7-10 schema kind must be rule, .* → rule, decision/);
    assert.deepEqual(found.slice(1), [
      '5:9-12 unknown-key tag is not a key that is known here → tags',
      '6:1-10 unknown-key ratoinale is not a key that is known here → rationale',
    ]);
  });

  it('goes on where a value is wrong', async () => {
    const found = await review(record('kind: rul\nscope: {tags: [htpt]}\n'));
    assert.deepEqual(
      found.map((one) => one.split(' ')[1]),
      ['schema', 'unknown-tag'],
    );
  });

  it('finds missing keys, conflict markers and broken YAML', async () => {
    assert.deepEqual(await review('id: L-0001\nschemaVersion: 1\nscope: {tags: [performance]}\n'), [
      '1:1 schema summary is missing',
    ]);
    assert.deepEqual(await review('id: L-0001\n<<<<<<< HEAD\nsummary: a\n=======\nsummary: b\n>>>>>>> x\n'), [
      '2:1 conflict-markers merge-conflict markers',
    ]);
    assert.match((await review('id: L-0001\nscope: {tags: [a\nsummary: x\n'))[0] ?? '', /^\d+:\d+ yaml /);
  });

  it('finds a secret where it stands, whatever else is wrong', async () => {
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const [found] = await review(`id: L-0001\nbody: |\n  Use ${token} there.\n`).then((all) =>
      all.filter((one) => one.includes('secret')),
    );
    assert.equal(found, `3:7-${7 + token.length} secret this looks like a GitHub token`);
    assert.ok(!found.includes(token));
  });

  it('leaves what is put away alone', async () => {
    const text = record('scope: {paths: [gone.ts], tags: [unheard]}\n');
    assert.deepEqual(await review(text, {}, '.learnings/archive/L-0001/learning.yaml'), []);
  });

  it('reviews config.yaml and tags.yaml', async () => {
    const config = 'enable: true\ncaps:\n  per_cal: 3\n  per_session: 0\nscope: lokal\n';
    assert.deepEqual(await review(config, {}, '.learnings/config.yaml'), [
      '1:1-7 schema enable is not a setting → enabled',
      '3:3-10 schema caps.per_cal is not a setting → per_call',
      '4:16-17 schema caps.per_session must be at least 1',
      '5:8-13 schema scope must be local or global → local, global',
    ]);
    assert.deepEqual(await review('performance: [a]\n', {}, '.learnings/tags.yaml'), [
      '1:1-12 schema performance must be a line that says what the tag means',
    ]);
    assert.deepEqual(await review('x: 1\n', {}, 'src/learning.yaml'), []);
  });
});

describe('filesMatching', () => {
  it('takes away what ! patterns match, and stops at the limit', () => {
    assert.deepEqual(filesMatching(['src/**', '!**/server.ts'], files), ['src/engine/perf.ts']);
    assert.deepEqual(filesMatching(['**'], files, 1), ['src/engine/perf.ts']);
    assert.deepEqual(filesMatching(['!docs/**'], files), []);
  });
});

describe('the keys of a file', () => {
  it('are those of the schema, with what they mean and may be', () => {
    assert.deepEqual(
      keysBelow('record', ['evidence', 0]).map(({ name, isRequired }) => `${name}${isRequired ? '!' : ''}`),
      ['kind!', 'ref!', 'author', 'quote'],
    );
    assert.deepEqual(keyAt('record', ['confidence'])?.values, ['high', 'medium']);
    assert.equal(keyAt('record', ['scope', 'tags', 3])?.isList, true);
    assert.equal(keyAt('record', ['supersedes'])?.isList, false);
    for (const { name, help } of keysBelow('record', [])) assert.ok(help.length > 5, name);
  });

  it('are the settings in config.yaml', () => {
    assert.deepEqual(
      keysBelow('config', ['inject']).map(({ name }) => name),
      ['prompt', 'read', 'write', 'verify'],
    );
    assert.deepEqual(keyAt('config', ['scope'])?.values, ['local', 'global']);
    assert.deepEqual(keyAt('config', ['enabled'])?.values, ['true', 'false']);
    assert.match(
      keyAt('config', ['caps', 'per_call'])?.help ?? '',
      /^Learnings given at once\. Unless said: 5/,
    );
  });
});

describe('nearest', () => {
  it('knows slips of the finger, and puts the likeliest first', () => {
    assert.deepEqual(nearest('raitonale', ['rationale', 'body', 'summary']), ['rationale']);
    assert.deepEqual(nearest('sumary', ['summary', 'symbols']), ['summary']);
    assert.deepEqual(nearest('perf', ['performance', 'http']), ['performance']);
    assert.deepEqual(nearest('owner', ['id', 'scope', 'body']), []);
  });
});

describe('differenceOf', () => {
  it('is the one stretch that differs', () => {
    assert.deepEqual(differenceOf('a: 1\nb: 2\n', 'a: 1\nb: 3\n'), { start: 8, end: 9, text: '3' });
    assert.deepEqual(differenceOf('a\nb\n', 'a\n'), { start: 2, end: 4, text: '' });
    assert.equal(differenceOf('a', 'a'), undefined);
  });

  it('never cuts a character or a line ending in two', () => {
    for (const [before, after] of [
      ['x😀y', 'x😁y'],
      ['a\r\nb', 'a\rb'],
      ['a😀', 'a'],
      ['a\r\nc\r\n', 'a\r\nb\r\nc\r\n'],
    ] as const) {
      const { start, end, text } = differenceOf(before, after) ?? assert.fail();
      assert.equal(before.slice(0, start) + text + before.slice(end), after);
      for (const at of [start, end])
        assert.doesNotMatch(before.slice(at - 1, at + 1), /^(\r\n|[\ud800-\udbff][\udc00-\udfff])$/);
    }
  });
});
