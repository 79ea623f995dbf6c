import assert from 'node:assert/strict';

import { openLearnings } from '../../src/core/api';
import { nodeHash } from '../../src/node/hash';
import { memoryFileSystem, recordText } from './memoryFiles';
import { systemClock } from './stores';

const open = (records: Record<string, string>) =>
  openLearnings({
    root: '/repo',
    clock: systemClock,
    hash: nodeHash,
    files: memoryFileSystem(
      Object.fromEntries(
        Object.entries(records).map(([id, text]) => [`.learnings/${id}/learning.yaml`, text]),
      ),
    ),
  });

describe('openLearnings', () => {
  it('puts the higher priority first, then the newer, then the lower id', async () => {
    const learnings = await open({
      'L-0001': recordText('L-0001', { updated_at: '2026-01-01T00:00:00Z' }),
      'L-0002': recordText('L-0002', { updated_at: '2026-02-01T00:00:00Z' }),
      'L-0003': recordText('L-0003', { updated_at: '2026-02-01T00:00:00Z' }),
      'L-0004': recordText('L-0004', { priority: 7 }),
    });
    assert.deepEqual(
      learnings.find({ paths: ['a.ts'] }).matches.map(({ record }) => record.id),
      ['L-0004', 'L-0002', 'L-0003', 'L-0001'],
    );
  });

  it('never finds a superseded learning, though it lists it', async () => {
    const learnings = await open({
      'L-0001': recordText('L-0001', { status: 'superseded', superseded_by: 'L-0002' }),
      'L-0002': recordText('L-0002'),
    });
    assert.deepEqual(
      learnings.find({ paths: ['a.ts'] }).matches.map(({ record }) => record.id),
      ['L-0002'],
    );
    assert.deepEqual(
      learnings.list().map(({ record }) => record.id),
      ['L-0002', 'L-0001'],
    );
  });

  it('serves the good records beside a broken one, and says what is wrong with it', async () => {
    const learnings = await open({ 'L-0001': recordText('L-0001'), 'L-0002': 'id: [' });
    assert.equal(learnings.list().length, 1);
    assert.equal(learnings.problems()[0]?.file, '.learnings/L-0002/learning.yaml');
  });

  it('says of a pattern that is out of bounds that it matches nothing, on its line', async () => {
    const text = `id: L-0001\nschemaVersion: 1\nsummary: x\nscope:\n  paths:\n    - src/**\n    - "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"\n`;
    const learnings = await open({ 'L-0001': text });
    assert.deepEqual(
      learnings.problems().map(({ code, line, severity }) => ({ code, line, severity })),
      [{ code: 'pattern', line: 7, severity: 'warning' }],
    );
    assert.equal(learnings.find({ paths: ['src/a.ts'] }).total, 1);
  });

  it('takes absolute paths, and ignores those outside the root', async () => {
    const learnings = await open({ 'L-0001': recordText('L-0001', { scope: { paths: ['src/**'] } }) });
    assert.equal(learnings.find({ paths: ['/repo/src/a.ts'] }).total, 1);
    assert.equal(learnings.find({ paths: ['/elsewhere/src/a.ts'] }).total, 0);
  });

  it('knows the symbols that active learnings name, and those that a change brings', async () => {
    const files = memoryFileSystem({
      '.learnings/L-0001/learning.yaml': recordText('L-0001', { scope: { symbols: ['findExtrema'] } }),
      '.learnings/L-0002/learning.yaml': recordText('L-0002'),
    });
    const learnings = await openLearnings({ root: '/repo', clock: systemClock, hash: nodeHash, files });
    assert.deepEqual([...learnings.symbols()], ['findExtrema']);
    await files.makeFolder('.learnings/L-0003');
    const text = recordText('L-0003', { scope: { symbols: ['Cache.get'] } });
    await files.writeNew('.learnings/L-0003/learning.yaml', new TextEncoder().encode(text));
    await learnings.reload();
    assert.deepEqual([...learnings.symbols()].toSorted(), ['Cache.get', 'findExtrema']);
  });

  const store = (name: string, files: Record<string, string>) => ({
    origin: { kind: name === 'personal' ? 'personal' : 'extended', name, root: `/${name}` } as const,
    files: memoryFileSystem(files),
  });
  const further = (config: string) =>
    openLearnings({
      root: '/repo',
      clock: systemClock,
      hash: nodeHash,
      files: memoryFileSystem({
        '.learnings/config.yaml': config,
        '.learnings/L-0001/learning.yaml': recordText('L-0001'),
      }),
      openExtended: (folder) =>
        folder === '../shared'
          ? store('shared', {
              '.learnings/L-0001/learning.yaml': recordText('L-0001', { summary: 'Shared.' }),
            })
          : undefined,
      personal: store('personal', { '.learnings/P-0001/learning.yaml': recordText('P-0001') }),
    });

  it('finds what the repository extends and what is personal, the nearer first, each by its own id', async () => {
    const learnings = await further('extends: [../shared]');
    assert.deepEqual(
      learnings.find({ paths: ['a.ts'] }).matches.map(({ record, origin }) => [origin.kind, record.id]),
      [
        ['repository', 'L-0001'],
        ['extended', 'L-0001'],
        ['personal', 'P-0001'],
      ],
    );
    assert.equal(learnings.get('L-0001')?.record.summary, 'About L-0001.');
    assert.equal(learnings.get('shared/L-0001')?.record.summary, 'Shared.');
    assert.equal(learnings.get('P-0001')?.origin.kind, 'personal');
    assert.equal(learnings.list().length, 1);
  });

  it('keeps to the repository where its scope is local, and gives nothing where it is off', async () => {
    const local = await further('extends: [../shared]\nscope: local');
    assert.deepEqual(
      local.find({ paths: ['a.ts'] }).matches.map(({ record }) => record.id),
      ['L-0001'],
    );
    assert.equal((await further('enabled: false')).find({ paths: ['a.ts'] }).total, 0);
  });

  it('says on its line that a folder it extends is not there', async () => {
    const learnings = await further('version: 1\nextends: [../gone]');
    assert.deepEqual(
      learnings.problems().map(({ file, line, code }) => ({ file, line, code })),
      [{ file: '.learnings/config.yaml', line: 2, code: 'missing-store' }],
    );
  });

  it('leaves out what is older than allowed, counting from its last change', async () => {
    const old = { updated_at: '2020-01-01T00:00:00Z' };
    const fresh = { updated_at: new Date().toISOString() };
    const learnings = await openLearnings({
      root: '/repo',
      clock: systemClock,
      hash: nodeHash,
      files: memoryFileSystem({
        '.learnings/config.yaml': 'max_age_days: 30',
        '.learnings/L-0001/learning.yaml': recordText('L-0001', old),
        '.learnings/L-0002/learning.yaml': recordText('L-0002', fresh),
      }),
    });
    assert.deepEqual(
      learnings.find({ paths: ['a.ts'] }).matches.map(({ record }) => record.id),
      ['L-0002'],
    );
    assert.equal(learnings.list().length, 2);
  });
});
