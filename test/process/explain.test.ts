import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository, type Repository } from './repository';

describe('learnings explain', () => {
  let repo: Repository;
  const add = (summary: string, ...paths: string[]): void =>
    void repo.json('add', '--summary', summary, '--scope', `paths=${paths.join(',')}`);
  before(() => {
    repo = repository();
    mkdirSync(join(repo.root, 'src'));
    writeFileSync(join(repo.root, 'src', 'a.ts'), '');
    add('Of the file.', 'src/a.ts', 'src/gone.ts');
    add('Of the folder.', 'src/**');
    add('Of others.', 'src/**', '!**/a.ts');
    repo.json('archive', 'L-0002');
  });

  it('says what a file gets and why, what not, what nearly, and which patterns are dead', () => {
    const { stdout, status } = repo.cli(['explain', 'src/a.ts']);
    assert.equal(status, 0);
    assert.match(stdout, /^L-0001 {2}Of the file\.$/m);
    assert.match(stdout, /^ {2}path:src\/a\.ts ~ src\/a\.ts$/m);
    assert.match(stdout, /^ {2}rank: no votes, priority 0, rule \(5\), fit 10008, \d{4}-/m);
    assert.match(stdout, /^Not given: L-0002, archived\.$/m);
    assert.match(stdout, /^Near miss: L-0003, src\/\*\* matches, but !\*\*\/a\.ts takes it out\.$/m);
    assert.match(stdout, /^Matches no file: src\/gone\.ts of L-0001\.$/m);
  });

  it('gives the same as JSON', () => {
    const { results, withheld, near_misses, dead_globs, per_call } = repo.json('explain', 'src/a.ts') as {
      results: { id: string; rank: Record<string, number>; beyond_cap: boolean }[];
      withheld: { id: string; rule: string; why: string }[];
      near_misses: { id: string; miss: string; pattern: string }[];
      dead_globs: unknown[];
      per_call: number;
    };
    assert.deepEqual(
      results.map(({ id, rank, beyond_cap }) => [id, rank['specificity'], beyond_cap]),
      [['L-0001', 10_008, false]],
    );
    assert.deepEqual(
      withheld.map(({ id, rule, why }) => [id, rule, why]),
      [['L-0002', 'archived', 'archived']],
    );
    assert.deepEqual(
      near_misses.map(({ id, miss, pattern }) => [id, miss, pattern]),
      [['L-0003', 'excluded', 'src/**']],
    );
    assert.deepEqual(dead_globs, [{ id: 'L-0001', pattern: 'src/gone.ts' }]);
    assert.equal(per_call, 5);
  });
});
