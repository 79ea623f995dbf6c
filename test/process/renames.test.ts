import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findGone, traceMoves } from '../../src/core/api';
import { nodePorts } from '../../src/node/open';
import { repository, type Repository } from './repository';

const write = ({ root }: Repository, ...paths: string[]): void => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${path}\n`.repeat(20));
  }
};
const about = (...paths: string[]) => ({ record: { scope: { paths } } });

/** What git says of the files and folders that a pattern names. */
async function movesOf({ root }: Repository, ...patterns: string[]): Promise<string[]> {
  const { git } = nodePorts(root);
  const files = (await git.workingFiles()) ?? [];
  const moves = await traceMoves(git, findGone([about(...patterns)], files), files);
  return moves.map(({ kind, from, to }) => `${kind} ${from} → ${to}`);
}

describe('renames that git knows of', () => {
  it('are found in the commits that took the files away, however often they moved', async () => {
    const repo = repository();
    write(repo, 'src/http/a.ts', 'src/http/v1/b.ts', 'src/main.ts', 'docs/x y.md');
    repo.commit('one');
    repo.git('mv', 'src/http', 'src/net');
    repo.git('mv', 'docs/x y.md', 'docs/ü.md');
    repo.commit('two');
    write(repo, 'src/other.ts');
    repo.commit('three');
    repo.git('mv', 'src/net', 'net');
    repo.commit('four');
    assert.deepEqual(await movesOf(repo, 'src/http/**', 'docs/x y.md', 'src/main.ts', 'never/**'), [
      'folder src/http → net',
      'file docs/x y.md → docs/ü.md',
    ]);
  });

  it('are found in the index before they are committed', async () => {
    const repo = repository();
    write(repo, 'src/a.ts', 'src/b.ts');
    repo.commit('one');
    repo.git('mv', 'src/a.ts', 'src/c.ts');
    assert.deepEqual(await movesOf(repo, 'src/a.ts'), ['file src/a.ts → src/c.ts']);
  });

  it('are not made up for a file that was deleted, or where there is no git', async () => {
    const repo = repository();
    write(repo, 'src/a.ts', 'src/b.ts');
    repo.commit('one');
    repo.git('rm', '-q', 'src/a.ts');
    repo.commit('two');
    assert.deepEqual(await movesOf(repo, 'src/a.ts', ':(glob)**'), []);
    assert.deepEqual(await nodePorts('/').git.renames(['a.ts']), []);
  });

  it('are told relative to a root that is below that of git', async () => {
    const repo = repository();
    write(repo, 'packages/one/src/a.ts', 'packages/one/src/keep.ts');
    repo.commit('one');
    repo.git('mv', 'packages/one/src/a.ts', 'packages/one/src/b.ts');
    repo.commit('two');
    const { git } = nodePorts(join(repo.root, 'packages', 'one'));
    assert.deepEqual(await git.renames(['src/a.ts']), [{ from: 'src/a.ts', to: 'src/b.ts' }]);
  });
});
