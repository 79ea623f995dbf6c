import assert from 'node:assert/strict';

import { findStale, ioError } from '../../src/core/api';
import type { Git } from '../../src/core/ports';
import { parseRecord } from '../../src/core/record/parse';
import { memoryFileSystem, recordText } from './memoryFiles';

const record = (fields: Record<string, unknown>) => {
  const parsed = parseRecord(new TextEncoder().encode(recordText('L-0001', fields)), 'x').record;
  assert.ok(parsed);
  return parsed;
};
const about = (...paths: string[]) => record({ scope: { paths } });

/** Git, where only these files and no commits are known. */
const git = (known: readonly string[] | undefined): Git => ({
  entriesEverywhere: () => Promise.resolve([]),
  conflicts: () => Promise.resolve(new Map()),
  base: () => Promise.resolve(undefined),
  workingFiles: () => Promise.resolve(known),
  renames: () => Promise.resolve([]),
  missingCommits: (commits) => Promise.resolve(commits),
  branch: () => Promise.resolve(undefined),
  userName: () => Promise.resolve(undefined),
});
const hash = { sha256: () => '0', quick: () => '0' };

describe('findStale', () => {
  it('says of which kind each reason is', async () => {
    const stale = await findStale({ files: memoryFileSystem({ 'a.ts': '' }), git: git(['a.ts']), hash }, [
      record({
        scope: { paths: ['gone/**'] },
        evidence: [{ kind: 'commit', ref: '0123456' }],
        fingerprint: [{ input: 'a.ts', hash: 'sha256:1' }],
      }),
    ]);
    assert.deepEqual(
      stale[0]?.reasons.map(({ kind }) => kind),
      ['files', 'commits', 'inputs'],
    );
  });

  it('takes a plain path for there that git ignores', async () => {
    const files = memoryFileSystem({ 'dist/app.js': '', '.env': '' });
    const stale = await findStale({ files, git: git(['a.ts']), hash }, [
      about('dist/app.js'),
      about('dist/'),
      about('.env'),
      about('dist/other.js'),
      about('../etc/passwd'),
    ]);
    assert.deepEqual(
      stale.map((one) => one.record.scope.paths[0]),
      ['dist/other.js', '../etc/passwd'],
    );
  });

  it('passes over a folder that it may not look into', async () => {
    const files = memoryFileSystem({ 'src/a.ts': '', 'locked/b.ts': '' });
    files.fault = ({ verb, path }) => {
      if (verb === 'list' && path === 'locked') throw ioError('EACCES', { verb, path });
    };
    assert.deepEqual(await findStale({ files, git: git(undefined), hash }, [about('src/**')]), []);
  });
});
