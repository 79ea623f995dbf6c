import assert from 'node:assert/strict';

import { openLearnings } from '../../src/core/api';
import { memoryFileSystem, recordText } from './memoryFiles';

const open = (records: Record<string, string>) =>
  openLearnings({
    root: '/repo',
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
      learnings.find({ paths: ['a.ts'] }).map(({ record }) => record.id),
      ['L-0004', 'L-0002', 'L-0003', 'L-0001'],
    );
  });

  it('never finds a superseded learning, though it lists it', async () => {
    const learnings = await open({
      'L-0001': recordText('L-0001', { status: 'superseded', superseded_by: 'L-0002' }),
      'L-0002': recordText('L-0002'),
    });
    assert.deepEqual(
      learnings.find({ paths: ['a.ts'] }).map(({ record }) => record.id),
      ['L-0002'],
    );
    assert.deepEqual(
      learnings.all().map(({ id }) => id),
      ['L-0002', 'L-0001'],
    );
  });

  it('serves the good records beside a broken one, and says what is wrong with it', async () => {
    const learnings = await open({ 'L-0001': recordText('L-0001'), 'L-0002': 'id: [' });
    assert.equal(learnings.all().length, 1);
    assert.equal(learnings.problems()[0]?.file, '.learnings/L-0002/learning.yaml');
  });

  it('takes absolute paths, and ignores those outside the root', async () => {
    const learnings = await open({ 'L-0001': recordText('L-0001', { scope: { paths: ['src/**'] } }) });
    assert.equal(learnings.find({ paths: ['/repo/src/a.ts'] }).length, 1);
    assert.equal(learnings.find({ paths: ['/elsewhere/src/a.ts'] }).length, 0);
  });
});
