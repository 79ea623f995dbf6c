import assert from 'node:assert/strict';

import { parseRecord } from '../../src/core/record';

const minimal = `id: L-0001
schemaVersion: 1
scope:
  tags: [performance]
summary: Compare outputs first.
`;

describe('parseRecord', () => {
  it('fills in what may be left out', () => {
    const parsed = parseRecord(minimal, 'a.yaml');
    assert.ok('record' in parsed);
    assert.equal(parsed.record.status, 'active');
    assert.equal(parsed.record.kind, 'rule');
    assert.equal(parsed.record.priority, 0);
    assert.deepEqual(parsed.record.scope.paths, []);
  });

  it('names the line of a value that is not allowed', () => {
    assert.deepEqual(problemsOf(`${minimal}kind: wish\n`), [
      'a.yaml:6 kind: Invalid option: expected one of "rule"|"decision"|"validation"|"summary"|"evidence"|"fact"',
    ]);
  });

  it('names the line of a scope that is about nothing', () => {
    const [problem] = problemsOf(minimal.replace('tags: [performance]', 'tags: []'));
    assert.match(problem ?? '', /^a\.yaml:4 scope: needs at least one path, tag or symbol/);
  });

  it('names the line where YAML stops being YAML', () => {
    const [problem] = problemsOf(`${minimal}body: "never closed\n`);
    assert.match(problem ?? '', /^a\.yaml:7 Missing closing "quote/);
  });

  it('refuses a file that holds no record at all', () => {
    assert.equal(problemsOf('').length, 1);
    assert.equal(problemsOf('- just\n- a list\n').length, 1);
  });
});

function problemsOf(text: string): string[] {
  const parsed = parseRecord(text, 'a.yaml');
  return 'problems' in parsed
    ? parsed.problems.map(({ file, line, message }) => `${file}:${line} ${message}`)
    : [];
}
