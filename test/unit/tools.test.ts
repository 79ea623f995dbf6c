import assert from 'node:assert/strict';

import manifest from '../../package.json';
import strings from '../../package.nls.json';
import { findLearningsTool, LearningsError, openLearnings } from '../../src/core/api';
import { nodeHash } from '../../src/node/hash';
import { memoryFileSystem, recordText } from './memoryFiles';
import { systemClock } from './stores';

const open = (records: readonly string[]) =>
  openLearnings({
    root: '/repo',
    clock: systemClock,
    hash: nodeHash,
    files: memoryFileSystem(
      Object.fromEntries(
        records.map((text) => [`.learnings/${(JSON.parse(text) as { id: string }).id}/learning.yaml`, text]),
      ),
    ),
  });

describe('find_learnings', () => {
  it('gives the model ids, summaries and reasons, and nothing else', async () => {
    const updated_at = '2026-05-09T18:00:00Z';
    const learnings = await open([
      recordText('L-0001', { updated_at, scope: { paths: ['src/**'], tags: ['perf'] }, body: 'long' }),
    ]);
    assert.equal(
      findLearningsTool.run(learnings, { paths: ['src/a.ts'], tags: ['perf'] }),
      '{"results":[{"id":"L-0001","summary":"About L-0001.","tags":["perf"],' +
        '"matched_by":["path:src/a.ts ~ src/**","tag:perf"],"updated_at":"2026-05-09T18:00:00Z"}],"omitted":0}',
    );
  });

  it('gives five unless asked for more, and counts the rest', async () => {
    const learnings = await open(Array.from({ length: 8 }, (_, index) => recordText(`L-${1000 + index}`)));
    const { results, omitted } = answer(findLearningsTool.run(learnings, { paths: ['a.ts'] }));
    assert.equal(results.length, 5);
    assert.equal(omitted, 3);
    assert.equal(answer(findLearningsTool.run(learnings, { paths: ['a.ts'], limit: 50 })).results.length, 8);
  });

  it('stays below 8,000 characters by leaving the last ones out', async () => {
    const long = Array.from({ length: 50 }, (_, index) =>
      recordText(`L-${1000 + index}`, { summary: 'x'.repeat(900) }),
    );
    const text = findLearningsTool.run(await open(long), { paths: ['a.ts'], limit: 50 });
    const { results, omitted } = answer(text);
    assert.ok(
      text.length <= 8000 && results.length > 5,
      `${results.length} results in ${text.length} characters`,
    );
    assert.equal(results.length + omitted, 50);
  });

  it('says what to pass when it is asked for nothing or given nonsense', async () => {
    const learnings = await open([]);
    const refused = (input: unknown) => (): void => void findLearningsTool.run(learnings, input);
    for (const input of [{}, undefined, { paths: [] }, { paths: 'src/a.ts' }, { path: ['a.ts'] }]) {
      assert.throws(
        refused(input),
        (error) => error instanceof LearningsError && error.message.includes('Pass '),
      );
    }
  });

  it('is declared in package.json exactly as it is defined', () => {
    const [declared] = manifest.contributes.languageModelTools;
    assert.equal(declared?.name, findLearningsTool.name);
    assert.equal(strings['tool.find_learnings.name'], findLearningsTool.title);
    assert.equal(declared.modelDescription, findLearningsTool.description);
    assert.deepEqual(declared.inputSchema, findLearningsTool.inputSchema);
  });
});

function answer(text: string): { results: unknown[]; omitted: number } {
  return JSON.parse(text) as { results: unknown[]; omitted: number };
}
