import assert from 'node:assert/strict';

import { openLearnings, type Learnings, type PackedIndex, type SavedFiles } from '../../src/core/api';
import { packSections, unpackSections } from '../../src/core/index/sections';
import { nodeHash } from '../../src/node/hash';
import { dice } from '../torture/random';
import { memoryFileSystem, recordText, type MemoryFiles } from './memoryFiles';
import { systemClock } from './stores';

const record = (id: string): string => `.learnings/${id}/learning.yaml`;
const idOf = (number: number): string => `L-${String(number).padStart(4, '0')}`;
const targets = ['src/a.ts', 'src/b/c.ts', 'lib/x.md', 'deep/er/y.generated.ts', 'a.ts'].map((path) => ({
  paths: [path],
  tags: ['t1'],
  symbols: ['run'],
}));
const patterns = [
  'src/**',
  '**/*.ts',
  'src/a.ts',
  '*.md',
  '**',
  'src/{a,b}/**',
  'deep/**/y*.ts',
  '!**/*.generated.ts',
];

interface Box {
  saved?: PackedIndex;
}

const filesOf = ({ head, contents }: PackedIndex): SavedFiles => ({
  head,
  contents: (start, end) => contents.subarray(start, end),
});

/** Opens a store; what it saves goes into the box. */
const open = (files: MemoryFiles, box: Box = {}): Promise<Learnings> =>
  openLearnings({
    root: '/repo',
    files,
    clock: systemClock,
    hash: nodeHash,
    savedIndex: box.saved && filesOf(box.saved),
    saveIndex: (index) => {
      box.saved = index;
      return Promise.resolve();
    },
  });

/** Everything that one can ask of it, as plain data. */
const answers = (learnings: Learnings): unknown =>
  JSON.parse(
    JSON.stringify({
      found: targets.map((target) => [learnings.find(target), learnings.find(target, { limit: 2 })]),
      lists: [undefined, 'candidate', 'archived', 'superseded'].map((status) =>
        learnings.list(status as 'candidate' | undefined),
      ),
      problems: learnings.problems(),
    }),
  );

function randomRecord(id: string, chance: ReturnType<typeof dice>): string {
  const some = (list: readonly string[]): string[] => list.filter(() => chance.roll(3) === 0);
  const scope = { paths: ['base/*', ...some(patterns)], tags: some(['t1', 't2']), symbols: some(['run']) };
  return recordText(id, {
    scope,
    priority: chance.roll(3),
    kind: chance.pick(['rule', 'fact', 'summary']),
    updated_at: `2026-0${1 + chance.roll(9)}-01T00:00:00Z`,
    summary: `Number ${chance.roll(1000)}.`,
    ...(chance.roll(6) === 0 && { supersedes: idOf(1 + chance.roll(30)) }),
  });
}

const vote = (voter: string, at: string): string =>
  `${JSON.stringify({ learning_id: 'x', voter_model: voter, voted_at: at, task_id: 't' })}\n`;

/** A change such as a person, an agent or git makes. */
async function changeSomething(files: MemoryFiles, chance: ReturnType<typeof dice>): Promise<void> {
  const id = idOf(1 + chance.roll(120));
  const folder = `.learnings/${id}`;
  switch (chance.roll(6)) {
    case 0:
      return files.put(record(id), 'id: [');
    case 1:
      await files.remove(record(id));
      await files.remove(`${folder}/votes.jsonl`);
      await files.removeFolder(folder);
      return;
    case 2:
      if (await files.stat(record(id)))
        files.put(
          `${folder}/votes.jsonl`,
          vote(`v${chance.roll(9)}`, `2026-0${1 + chance.roll(9)}-02T00:00:00Z`),
        );
      return;
    case 3:
      return files.put(`.learnings/archive/${id}/learning.yaml`, randomRecord(id, chance));
    default:
      return files.put(record(id), randomRecord(id, chance));
  }
}

async function store(
  count: number,
  seed: number,
): Promise<{ files: MemoryFiles; chance: ReturnType<typeof dice> }> {
  const chance = dice(seed);
  const files = memoryFileSystem();
  for (let number = 1; number <= count; number++)
    files.put(record(idOf(number)), randomRecord(idOf(number), chance));
  for (let change = 0; change < count / 4; change++) await changeSomething(files, chance);
  return { files, chance };
}

describe('the index', () => {
  it('answers after every change as though everything were read anew', async () => {
    for (const seed of [1, 2, 3]) {
      const { files, chance } = await store(100, seed);
      const kept = await open(files);
      for (let round = 0; round < 25; round++) {
        for (let change = 0; change <= chance.roll(round === 20 ? 90 : 4); change++)
          await changeSomething(files, chance);
        await kept.reload();
        assert.deepEqual(answers(kept), answers(await open(files)), `seed ${seed}, round ${round}`);
      }
    }
  }).timeout(60_000);

  it('answers the same from what an earlier process saved, whatever has changed since', async () => {
    const { files, chance } = await store(100, 4);
    const box: Box = {};
    await (await open(files, box)).save();
    for (let round = 0; round < 10; round++) {
      const { saved } = box;
      assert.ok(saved);
      assert.deepEqual(answers(await open(files, { saved })), answers(await open(files)), `round ${round}`);
      for (let change = 0; change < round; change++) await changeSomething(files, chance);
    }
  });

  it('reads no file again that has not changed, and one that has once', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => idOf(index + 1));
    const files = memoryFileSystem(Object.fromEntries(ids.map((id) => [record(id), recordText(id)])));
    const box: Box = {};
    await (await open(files, box)).save();
    const reads: string[] = [];
    files.fault = ({ verb, path }) => {
      if (verb === 'read' && path.includes('/L-')) reads.push(path);
    };
    const again = await open(files, box);
    assert.deepEqual(reads, []);
    files.put(record('L-0007'), recordText('L-0007', { summary: 'Changed.' }));
    assert.deepEqual((await again.reload()).changed, ['.learnings/L-0007']);
    assert.deepEqual(reads, [record('L-0007')]);
  });

  it('says what was added, changed, removed and broken', async () => {
    const files = memoryFileSystem({
      [record('L-0001')]: recordText('L-0001'),
      [record('L-0002')]: recordText('L-0002'),
      [record('L-0003')]: recordText('L-0003'),
    });
    const learnings = await open(files);
    assert.deepEqual(await learnings.reload(), { added: [], changed: [], removed: [], broken: [] });
    files.put(record('L-0001'), recordText('L-0001', { priority: 4 }));
    files.put(record('L-0002'), 'id: [');
    await files.remove(record('L-0003'));
    await files.removeFolder('.learnings/L-0003');
    files.put(record('L-0004'), recordText('L-0004'));
    assert.deepEqual(await learnings.reload(), {
      added: ['.learnings/L-0004'],
      changed: ['.learnings/L-0001', '.learnings/L-0002'],
      removed: ['.learnings/L-0003'],
      broken: ['.learnings/L-0002'],
    });
  });

  it('says what is wrong with the folder as a whole though no record has changed', async () => {
    const files = memoryFileSystem({ [record('L-0001')]: recordText('L-0001') });
    const learnings = await open(files);
    files.put('.learnings/L-0002.yaml', recordText('L-0002'));
    await learnings.reload();
    assert.deepEqual(
      learnings.problems().map(({ code }) => code),
      ['legacy-layout'],
    );
    await files.remove('.learnings/L-0002.yaml');
    await learnings.reload();
    assert.deepEqual(learnings.problems(), []);
  });

  it('is not used where a single byte of it is not what was written', async () => {
    const { files } = await store(70, 6);
    const box: Box = {};
    await (await open(files, box)).save();
    const whole = box.saved ?? assert.fail();
    const expected = answers(await open(files));
    const chance = dice(9);
    const spoil = (bytes: Uint8Array): Uint8Array => {
      const spoilt = bytes.slice(0, chance.roll(5) === 0 ? chance.roll(bytes.length) : bytes.length);
      const at = chance.roll(Math.max(1, spoilt.length));
      spoilt[at] = (spoilt[at] ?? 0) ^ (1 << chance.roll(8));
      return spoilt;
    };
    for (let round = 0; round < 60; round++) {
      const { head, contents } = whole;
      const saved = round % 2 ? { head: spoil(head), contents } : { head, contents: spoil(contents) };
      assert.deepEqual(answers(await open(files, { saved })), expected, `round ${round}`);
    }
  });

  it('is made anew when votes begin to age at another pace', async () => {
    const files = memoryFileSystem({
      [record('L-0001')]: recordText('L-0001'),
      '.learnings/L-0001/votes.jsonl': vote('a', '2016-01-01T00:00:00Z') + vote('b', '2016-01-01T00:00:00Z'),
      [record('L-0002')]: recordText('L-0002'),
      '.learnings/L-0002/votes.jsonl': vote('a', '2026-10-01T00:00:00Z'),
    });
    const box: Box = {};
    const learnings = await open(files, box);
    const order = (): string[] => learnings.find({ paths: ['a'] }).matches.map((match) => match.record.id);
    assert.deepEqual(order(), ['L-0002', 'L-0001']);
    await learnings.save();
    files.put('.learnings/config.yaml', 'vote_half_life_days: 0');
    await learnings.reload();
    assert.deepEqual(order(), ['L-0001', 'L-0002']);
    assert.deepEqual(answers(await open(files, box)), answers(learnings));
  });
});

describe('sections', () => {
  const sections = { a: Uint32Array.of(1, 2, 3), b: Float64Array.of(NaN, 0.5), c: Uint8Array.of(7) };

  it('come back as they were, wherever the bytes lie', () => {
    const packed = packSections(sections, 'f', nodeHash);
    for (const offset of [0, 1, 3]) {
      const shifted = new Uint8Array(packed.length + offset).subarray(offset);
      shifted.set(packed);
      assert.deepEqual(unpackSections(shifted, 'f', nodeHash), sections);
    }
  });

  it('of another format, or of none, are refused', () => {
    assert.equal(unpackSections(packSections(sections, 'g', nodeHash), 'f', nodeHash), undefined);
    for (const bytes of [[], [1, 2, 3], Array<number>(100).fill(0)])
      assert.equal(unpackSections(Uint8Array.from(bytes), 'f', nodeHash), undefined);
  });
});
