import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { workingChange } from '../../src/node/workingChange';
import { repository } from './repository';

describe('what has changed since the last commit', () => {
  it('is every changed, removed and new file but the records, with what is different', async () => {
    const { root, commit, json } = repository();
    mkdirSync(join(root, 'src'));
    for (const name of ['a.ts', 'b.ts', 'c.ts']) writeFileSync(join(root, 'src', name), 'before\n');
    commit('all');
    writeFileSync(join(root, 'src', 'a.ts'), 'after\n');
    rmSync(join(root, 'src', 'b.ts'));
    writeFileSync(join(root, 'src', 'new.ts'), 'made\n');
    writeFileSync(join(root, 'src', 'binary.bin'), '\0\0');
    json('add', '--summary', 'A learning.', '--scope', 'paths=src/');
    const { files, diff } = await workingChange(root);
    assert.deepEqual(files.toSorted(), ['src/a.ts', 'src/b.ts', 'src/binary.bin', 'src/new.ts']);
    assert.match(diff, /-before\n\+after/);
    assert.match(diff, /\+\+\+ b\/src\/new\.ts\n\+made/);
    assert.doesNotMatch(diff, /A learning/);
  });

  it('is nothing in a clean checkout', async () => {
    const { root, commit } = repository();
    commit('all');
    assert.deepEqual(await workingChange(root), { files: [], diff: '' });
  });
});
