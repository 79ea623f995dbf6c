import assert from 'node:assert/strict';

import { recordText } from './memoryFiles';
import { memoryStore } from './stores';

const record = (id: string): string => `.learnings/${id}/learning.yaml`;
const scaffolding = {
  '.learnings/.gitattributes': 'votes.jsonl merge=union\n',
  '.learnings/.gitignore': '.cache/\n',
};
const vote = (voter: string): string =>
  `{"learning_id":"L-0001","voter_model":"${voter}","voted_at":"2026-05-17T12:00:00Z","task_id":"t"}`;

/** A record as a person reads it, line by line, so that git can conflict in the middle. */
const lines = (id: string, fields: Record<string, string>): string =>
  [
    'id: ' + id,
    'schemaVersion: 1',
    ...Object.entries(fields).map(([key, value]) => `${key}: ${value}`),
    '',
  ].join('\n');
const conflict = (before: string, ours: string, theirs: string, after: string): string =>
  `${before}<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> topic\n${after}`;

const archived = (id: string): string => `.learnings/archive/${id}/learning.yaml`;

/** Heals, and gives what the records say afterwards. */
async function heal(files: Record<string, string>, options: Parameters<typeof memoryStore>[1] = {}) {
  const test = memoryStore({ ...scaffolding, ...files }, options);
  const before = await test.store.diagnose();
  const { done, left, failed } = await test.store.heal();
  const scan = await test.store.read();
  const records = new Map(scan.learnings.map((learning) => [learning.record.id, learning.record]));
  return { ...test, before, done, left, failed, scan, records };
}

describe('doctor', () => {
  it('finds nothing wrong with a store that is in order', async () => {
    const { before, done, left } = await heal({ [record('L-0001')]: recordText('L-0001') });
    assert.deepEqual([before, done, left], [[], [], []]);
  });

  it('puts the two sides of one record together: the newer text, all of scope and evidence, the later time', async () => {
    const head = lines('L-0001', { created_at: '2026-01-01T00:00:00Z', created_by: 'Ada' });
    const side = (day: string, summary: string, path: string): string =>
      `updated_at: 2026-01-${day}T00:00:00Z\nscope: { paths: [${path}] }\nsummary: ${summary}\n`;
    const { records, left, before, done } = await heal({
      [record('L-0001')]: conflict(head, side('02', 'Ours.', 'a/**'), side('03', 'Theirs.', 'b/**'), ''),
    });
    const merged = records.get('L-0001');
    assert.equal(merged?.summary, 'Theirs.');
    assert.deepEqual(merged.scope.paths.toSorted(), ['a/**', 'b/**']);
    assert.equal(merged.updatedAt, '2026-01-03T00:00:00Z');
    assert.match(before[0]?.remedy ?? '', /put both sides together; .*summary: theirs, the newer one/);
    assert.match(done[0]?.did ?? '', /summary: theirs, the newer one/);
    assert.deepEqual(left, []);
  });

  it('takes the side that it is told to take', async () => {
    const head = lines('L-0001', { created_at: '2026-01-01T00:00:00Z', scope: '{ paths: ["**"] }' });
    const file = conflict(head, 'summary: Ours.\n', 'summary: Theirs.\n', '');
    for (const keep of ['ours', 'theirs'] as const) {
      const { store } = memoryStore({ ...scaffolding, [record('L-0001')]: file });
      await store.heal({ keep });
      const summary = (await store.read()).learnings[0]?.record.summary;
      assert.equal(summary, keep === 'ours' ? 'Ours.' : 'Theirs.');
    }
  });

  it('keeps both of two records that took one id, and follows what refers to the one that moves', async () => {
    const ours = lines('L-0002', { scope: '{ paths: ["**"] }', summary: 'Ours.' });
    const theirs = lines('L-0002', {
      scope: '{ paths: ["**"] }',
      summary: 'Theirs.',
      supersedes: 'L-0001',
      superseded_by: 'L-0003',
      status: 'superseded',
    });
    const { records, left } = await heal(
      {
        [record('L-0001')]: recordText('L-0001', { status: 'superseded', superseded_by: 'L-0002' }),
        [record('L-0002')]: conflict('', ours, theirs, ''),
        [record('L-0003')]: recordText('L-0003', { supersedes: 'L-0002' }),
      },
      { conflicts: [[record('L-0002'), 'added']] },
    );
    assert.equal(records.get('L-0002')?.summary, 'Ours.');
    assert.equal(records.get('L-0002')?.status, 'active');
    assert.equal(records.get('L-0004')?.summary, 'Theirs.');
    assert.equal(records.get('L-0001')?.supersededBy, 'L-0004');
    assert.deepEqual(records.get('L-0003')?.supersedes, ['L-0004']);
    assert.deepEqual(left, []);
  });

  it('keeps whole what somebody else made of ids that we took too, and leaves ours alone', async () => {
    const side = (id: string, summary: string, fields: Record<string, string> = {}): string =>
      lines(id, { scope: '{ paths: ["**"] }', summary, ...fields });
    const ours = [side('L-0001', 'Our first.'), side('L-0002', 'Our second.')];
    const theirs = [
      side('L-0001', 'Their first.', { status: 'superseded', superseded_by: 'L-0002' }),
      side('L-0002', 'Their second.', {
        status: 'superseded',
        supersedes: 'L-0001',
        superseded_by: 'L-0003',
      }),
    ];
    const { records, left, done } = await heal(
      {
        [record('L-0001')]: conflict('', ours[0] ?? '', theirs[0] ?? '', ''),
        [record('L-0002')]: conflict('', ours[1] ?? '', theirs[1] ?? '', ''),
        [record('L-0003')]: recordText('L-0003', { summary: 'Their third.', supersedes: 'L-0002' }),
      },
      {
        conflicts: [
          [record('L-0001'), 'added'],
          [record('L-0002'), 'added'],
        ],
      },
    );
    assert.deepEqual(
      [...records.values()].map(({ id, summary, supersedes, supersededBy }) =>
        [id, summary, supersedes.join(), supersededBy ?? ''].join(' | '),
      ),
      [
        'L-0001 | Our first. |  | ',
        'L-0002 | Our second. |  | ',
        'L-0003 | Their third. | L-0005 | ',
        'L-0004 | Their first. |  | L-0005',
        'L-0005 | Their second. | L-0004 | L-0003',
      ],
    );
    assert.equal(done.filter(({ file }) => file === record('L-0001')).length, 1);
    assert.deepEqual(left, []);
  });

  it('loses neither side where it dies at any call', async () => {
    const side = (id: string, summary: string, fields: Record<string, string> = {}): string =>
      lines(id, { scope: '{ paths: ["**"] }', summary, ...fields });
    const theirs = { status: 'superseded', superseded_by: 'L-0002' };
    const start = (): ReturnType<typeof memoryStore> =>
      memoryStore({
        ...scaffolding,
        [record('L-0001')]: conflict('', side('L-0001', 'Our 1.'), side('L-0001', 'Their 1.', theirs), ''),
        [record('L-0002')]: conflict(
          '',
          side('L-0002', 'Our 2.'),
          side('L-0002', 'Their 2.', { supersedes: 'L-0001' }),
          '',
        ),
        [record('L-0003')]: side('L-0003', 'Their 3.'),
      });
    const whole = start();
    await whole.store.heal();
    for (let at = 1; at <= whole.files.calls; at++) {
      const test = start();
      test.files.fault = ({ step }) => {
        if (step >= at) throw new Error('dead');
      };
      await test.store.heal().catch(() => undefined);
      test.files.fault = () => undefined;
      const next = test.restart();
      assert.deepEqual((await next.heal()).left, [], `death at call ${at}`);
      const { learnings } = await next.read();
      const summaries = learnings.map((one) => `${one.record.summary} ${one.record.status}`);
      assert.deepEqual(
        summaries.toSorted(),
        ['Our 1. active', 'Our 2. active', 'Their 1. superseded', 'Their 2. active', 'Their 3. active'],
        `death at call ${at}`,
      );
    }
  });

  it('follows a moved id in their half of a record that both sides superseded', async () => {
    const old = (by: string): string => `status: superseded\nsuperseded_by: ${by}\n`;
    const added = (summary: string): string =>
      lines('L-0002', { scope: '{ paths: ["**"] }', summary, supersedes: 'L-0001' });
    const head = lines('L-0001', { scope: '{ paths: ["**"] }', summary: 'Old.' });
    const { records, left } = await heal(
      {
        [record('L-0001')]: conflict(head, old('L-0003'), old('L-0002'), ''),
        [record('L-0002')]: conflict('', added('Ours.').replace(/supersedes.*\n/, ''), added('Theirs.'), ''),
        [record('L-0003')]: recordText('L-0003', { supersedes: 'L-0001' }),
      },
      {
        conflicts: [
          [record('L-0001'), 'edited'],
          [record('L-0002'), 'added'],
        ],
        bases: { [record('L-0001')]: head },
      },
    );
    assert.equal(records.get('L-0001')?.supersededBy, 'L-0003');
    assert.deepEqual(records.get('L-0002')?.supersedes, []);
    assert.deepEqual(records.get('L-0004')?.supersedes, ['L-0001']);
    assert.deepEqual(left, []);
  });

  it('takes from each side what that side alone changed, where the base is known', async () => {
    const version = (fields: string): string => `id: L-0001\nschemaVersion: 1\n${fields}`;
    const base =
      'updated_at: 2026-01-01T00:00:00Z\nscope: { paths: [a, b, c] }\nsummary: Base.\nrationale: Base.\npriority: 1\n';
    const ours =
      'updated_at: 2026-01-03T00:00:00Z\nscope: { paths: [a, c, d] }\nsummary: Ours.\nrationale: Base.\npriority: 1\n';
    const theirs =
      'updated_at: 2026-01-02T00:00:00Z\nscope: { paths: [a, b, e] }\nsummary: Base.\nrationale: Theirs.\n';
    const file = record('L-0001');
    const inFile = `${version('')}<<<<<<< HEAD\n${ours}||||||| base\n${base}=======\n${theirs}>>>>>>> topic\n`;
    const cases: [string, Parameters<typeof memoryStore>[1]][] = [
      [
        conflict(version(''), ours, theirs, ''),
        { conflicts: [[file, 'edited']], bases: { [file]: version(base) } },
      ],
      [inFile, {}],
    ];
    for (const [text, options] of cases) {
      const { records, left, done } = await heal({ [file]: text }, options);
      const merged = records.get('L-0001');
      assert.equal(merged?.summary, 'Ours.');
      assert.equal(merged.rationale, 'Theirs.');
      assert.equal(merged.priority, 0, 'they took priority away, and we left it alone');
      assert.deepEqual(merged.scope.paths, ['a', 'd', 'e']);
      assert.equal(merged.updatedAt, '2026-01-03T00:00:00Z');
      assert.match(done[0]?.did ?? '', /rationale: theirs/);
      assert.deepEqual(left, []);
    }
  });

  it('asks which side stands where both changed the same text and neither is newer', async () => {
    const head = lines('L-0001', { created_at: '2026-01-01T00:00:00Z', scope: '{ paths: ["**"] }' });
    const text = conflict(head, 'summary: Ours.\n', 'summary: Theirs.\n', '');
    const { before, left, done, files } = await heal({ [record('L-0001')]: text });
    assert.equal(before[0]?.remedy, undefined);
    assert.equal(before[0]?.asks, 'keep');
    assert.match(
      before[0].problem.hint,
      /both sides changed summary and neither is newer: give --keep ours or --keep theirs/,
    );
    assert.match(left[0]?.hint ?? '', /both sides changed summary/);
    assert.deepEqual(done, []);
    assert.equal(files.snapshot()[record('L-0001')], text);
  });

  it('gives no new ids while a record names one of both sides and is undecided', async () => {
    const head = lines('L-0001', { created_at: '2026-01-01T00:00:00Z', scope: '{ paths: ["**"] }' });
    const side = (summary: string): string => lines('L-0002', { scope: '{ paths: ["**"] }', summary });
    const { store, failed, done } = await heal(
      {
        [record('L-0001')]: conflict(
          head,
          'summary: A.\n',
          'summary: B.\nsuperseded_by: L-0002\nstatus: superseded\n',
          '',
        ),
        [record('L-0002')]: conflict('', side('Ours.'), side('Theirs.') + 'supersedes: L-0001\n', ''),
      },
      {
        conflicts: [
          [record('L-0001'), 'edited'],
          [record('L-0002'), 'added'],
        ],
      },
    );
    assert.deepEqual(done, []);
    assert.match(failed[0]?.why ?? '', /L-0001.* must be decided first/);
    assert.deepEqual((await store.heal({ keep: 'ours' })).left, []);
    const { learnings } = await store.read();
    assert.deepEqual(
      learnings.map(({ record: one }) => [
        one.id,
        one.summary,
        one.supersededBy ?? '',
        one.supersedes.join(),
      ]),
      [
        ['L-0001', 'A.', 'L-0003', ''],
        ['L-0002', 'Ours.', '', ''],
        ['L-0003', 'Theirs.', '', 'L-0001'],
      ],
    );
  });

  it('leaves what was archived or only proposed where it is', async () => {
    const side = (id: string, summary: string, day = '01'): string =>
      lines(id, { scope: '{ paths: ["**"] }', summary, updated_at: `2026-01-${day}T00:00:00Z` });
    const candidate = '.learnings/candidates/C-0000000a/learning.yaml';
    const { scan, left } = await heal(
      {
        [archived('L-0002')]: conflict('', side('L-0002', 'Ours.'), side('L-0002', 'Theirs.'), ''),
        [candidate]: conflict('', side('C-0000000a', 'Ours.'), side('C-0000000a', 'Theirs.', '02'), ''),
      },
      { conflicts: [[archived('L-0002'), 'added']] },
    );
    const summaries = (place: 'learnings' | 'candidates' | 'archived'): unknown =>
      scan[place].map((one) => [one.record.id, one.record.summary]);
    assert.deepEqual(summaries('learnings'), []);
    assert.deepEqual(summaries('candidates'), [['C-0000000a', 'Theirs.']]);
    assert.deepEqual(summaries('archived'), [
      ['L-0002', 'Ours.'],
      ['L-0003', 'Theirs.'],
    ]);
    assert.deepEqual(left, []);
  });

  it('puts a record together that both branches brought along, though neither had it from the other', async () => {
    const side = (day: string, summary: string): string =>
      lines('L-0001', {
        created_at: '2026-01-01T00:00:00Z',
        updated_at: `2026-01-${day}T00:00:00Z`,
        scope: '{ paths: ["**"] }',
        summary,
      });
    const { records } = await heal(
      { [record('L-0001')]: conflict('', side('02', 'Ours.'), side('03', 'Theirs.'), '') },
      { conflicts: [[record('L-0001'), 'added']] },
    );
    assert.deepEqual(
      [...records.values()].map(({ summary }) => summary),
      ['Theirs.'],
    );
  });

  it('says of a file that one side deleted and the other changed that somebody must choose', async () => {
    const { before, left } = await heal(
      { [record('L-0001')]: recordText('L-0001') },
      {
        conflicts: [
          [record('L-0001'), 'removed'],
          ['src/a.ts', 'removed'],
        ],
      },
    );
    assert.equal(before.length, 1);
    assert.match(left[0]?.message ?? '', /one side of the merge removed it/);
    assert.match(left[0]?.hint ?? '', /git add .*git rm/);
  });

  it('leaves a conflict alone that it cannot read, and says that somebody must look', async () => {
    const broken = conflict('', 'id: [\n', 'summary: x\n', '');
    const { before, done, left, files } = await heal({ [record('L-0001')]: broken });
    assert.equal(before[0]?.remedy, undefined);
    assert.deepEqual(done, []);
    assert.deepEqual(
      left.map(({ code, line }) => ({ code, line })),
      [{ code: 'conflict-markers', line: 1 }],
    );
    assert.equal(files.snapshot()[record('L-0001')], broken);
  });

  it('removes what is no vote from a vote file and keeps every vote', async () => {
    const file = '.learnings/L-0001/votes.jsonl';
    const torn = `${vote('a')}\n<<<<<<< HEAD\n${vote('b')}\n=======\n${vote('c')}\n>>>>>>> x\n{"learning_i`;
    const { files, left } = await heal({ [record('L-0001')]: recordText('L-0001'), [file]: torn });
    assert.equal(files.snapshot()[file], `${vote('a')}\n${vote('b')}\n${vote('c')}\n`);
    assert.deepEqual(left, []);
  });

  it('sets the id of a record to its folder, and follows it if the folder was renamed', async () => {
    const { records, left } = await heal({
      [record('L-0005')]: recordText('L-0003', { supersedes: 'L-0001' }),
      [record('L-0001')]: recordText('L-0001', { status: 'superseded', superseded_by: 'L-0003' }),
    });
    assert.ok(records.get('L-0005'));
    assert.equal(records.get('L-0001')?.supersededBy, 'L-0005');
    assert.deepEqual(left, []);
  });

  it('gives an archived record another id if one in use has it and differs, and removes a mere copy', async () => {
    const { scan, left } = await heal({
      [record('L-0001')]: recordText('L-0001'),
      [archived('L-0001')]: recordText('L-0001', { summary: 'Something else.' }),
      [record('L-0002')]: recordText('L-0002'),
      [archived('L-0002')]: recordText('L-0002'),
    });
    assert.deepEqual(
      scan.archived.map((learning) => [learning.record.id, learning.record.summary]),
      [['L-0003', 'Something else.']],
    );
    assert.equal(scan.learnings.length, 2);
    assert.deepEqual(left, []);
  });

  it('makes both records say it where only one does', async () => {
    const { records, left, before } = await heal({
      [record('L-0001')]: recordText('L-0001'),
      [record('L-0002')]: recordText('L-0002', { supersedes: 'L-0001' }),
      [record('L-0003')]: recordText('L-0003', { status: 'superseded', superseded_by: 'L-0002' }),
    });
    assert.deepEqual(
      before.map(({ problem }) => problem.file),
      [record('L-0001'), record('L-0003')],
    );
    assert.equal(records.get('L-0001')?.supersededBy, 'L-0002');
    assert.deepEqual(records.get('L-0002')?.supersedes, ['L-0001', 'L-0003']);
    assert.deepEqual(left, []);
  });

  it('keeps the last changed of records that supersede each other in a circle', async () => {
    const one = (id: string, other: string, day: string): string =>
      recordText(id, {
        status: 'superseded',
        supersedes: other,
        superseded_by: other,
        updated_at: `2026-01-0${day}T00:00:00Z`,
      });
    const { records, left, before } = await heal({
      [record('L-0001')]: one('L-0001', 'L-0002', '5'),
      [record('L-0002')]: one('L-0002', 'L-0001', '4'),
    });
    assert.match(before[0]?.problem.message ?? '', /supersede each other, so none is delivered/);
    assert.equal(records.get('L-0001')?.status, 'active');
    assert.equal(records.get('L-0002')?.status, 'superseded');
    assert.deepEqual(left, []);
  });

  it('leaves a circle to a person where none was changed last, and does as it is told', async () => {
    const one = (id: string, other: string): string =>
      recordText(id, { status: 'superseded', supersedes: other, superseded_by: other });
    const circle = {
      [record('L-0001')]: one('L-0001', 'L-0002'),
      [record('L-0002')]: one('L-0002', 'L-0001'),
    };
    const { before, left, done, store } = await heal(circle);
    assert.equal(before[0]?.remedy, undefined);
    assert.deepEqual(before[0]?.asks, { inUse: ['L-0001', 'L-0002'] });
    assert.match(left[0]?.hint ?? '', /doctor --fix --in-use L-0001, or L-0002/);
    assert.deepEqual(done, []);
    assert.deepEqual((await store.heal({ inUse: 'L-0002' })).left, []);
    const { learnings } = await store.read();
    assert.deepEqual(
      learnings.map((learning) => learning.record.status),
      ['superseded', 'active'],
    );
  });

  it('puts a record into use again that is superseded by itself', async () => {
    const { records, left, before } = await heal({
      [record('L-0001')]: recordText('L-0001', {
        status: 'superseded',
        supersedes: ['L-0001', 'L-0002'],
        superseded_by: 'L-0001',
      }),
      [record('L-0002')]: recordText('L-0002', { status: 'superseded', superseded_by: 'L-0001' }),
    });
    assert.match(before[0]?.problem.message ?? '', /L-0001 is superseded by itself/);
    assert.equal(records.get('L-0001')?.status, 'active');
    assert.deepEqual(records.get('L-0001')?.supersedes, ['L-0002']);
    assert.deepEqual(left, []);
  });

  it('loses nothing but the one record that cannot be mended, and says why', async () => {
    const full = recordText('L-0001', { body: 'x'.repeat(65_536 - 170) });
    const { records, done, left, failed } = await heal({
      [record('L-0001')]: full,
      [record('L-0002')]: recordText('L-0002'),
      [record('L-0003')]: recordText('L-0003', { supersedes: ['L-0001', 'L-0002'] }),
      [record('L-0004')]: recordText('L-0009'),
    });
    assert.equal(records.get('L-0002')?.supersededBy, 'L-0003');
    assert.ok(records.get('L-0004'));
    assert.equal(done.length, 2);
    assert.deepEqual(
      failed.map(({ file }) => file),
      [record('L-0001')],
    );
    assert.match(failed[0]?.why ?? '', /bytes; a record has at most/);
    assert.deepEqual(
      left.map(({ file }) => file),
      [record('L-0001')],
    );
  });

  it('takes an archived copy for the same only if nothing but its times differs', async () => {
    const text = recordText('L-0001', { updated_at: '2026-01-01T00:00:00Z' });
    const times = { updated_at: '2026-02-01T00:00:00Z', archived: { at: '2026-02-01T00:00:00Z' } };
    const { scan } = await heal({
      [record('L-0001')]: text,
      [archived('L-0001')]: `${text} # and a word that somebody wrote beside it`,
      [record('L-0002')]: recordText('L-0002', { updated_at: '2026-01-01T00:00:00Z' }),
      [archived('L-0002')]: recordText('L-0002', times),
    });
    assert.deepEqual(
      scan.archived.map((learning) => learning.record.id),
      ['L-0003'],
    );
  });

  it('brings votes that were left behind to the record that was archived meanwhile', async () => {
    const file = '.learnings/archive/L-0001/votes.jsonl';
    const { files, left, before } = await heal({
      [archived('L-0001')]: recordText('L-0001'),
      [file]: `${vote('a')}\n${vote('b')}\n`,
      '.learnings/L-0001/votes.jsonl': `${vote('b')}\n${vote('c')}\n`,
    });
    assert.deepEqual(
      before.map(({ remedy }) => remedy),
      ['move its votes to the archived record'],
    );
    assert.equal(files.snapshot()[file], `${vote('a')}\n${vote('b')}\n${vote('c')}\n`);
    assert.equal(await files.stat('.learnings/L-0001'), undefined);
    assert.deepEqual(left, []);
  });

  it('adds what git should know to a file that says something else, and keeps the rest', async () => {
    const { store, files } = memoryStore({
      '.learnings/.gitattributes': '*.md text\n*/votes.jsonl merge=union',
      '.learnings/.gitignore': 'mine\r\n.cache/\r\n',
    });
    const [finding] = await store.diagnose();
    assert.match(finding?.remedy ?? '', /add votes\.jsonl merge=union/);
    const { done, left } = await store.heal();
    assert.equal(done.length, 1);
    assert.deepEqual(left, []);
    assert.equal(
      files.snapshot()['.learnings/.gitattributes'],
      '*.md text\n*/votes.jsonl merge=union\nvotes.jsonl merge=union\n',
    );
  });

  it('moves every flat record that it can, and tells of the others one by one', async () => {
    const { store, files } = memoryStore({
      ...scaffolding,
      '.learnings/L-0001.yaml': 'id: [\n',
      '.learnings/L-0002.yaml': recordText('L-0002'),
      '.learnings/L-0003.yaml': recordText('L-0003'),
      '.learnings/L-0004.yaml': recordText('L-0004'),
      [record('L-0004')]: recordText('L-0004'),
    });
    files.putLink('.learnings/L-0005.yaml');
    const { done, failed } = await store.heal();
    assert.deepEqual(
      done.map(({ file }) => file),
      [record('L-0002'), record('L-0003')],
    );
    assert.deepEqual(
      failed.map(({ file }) => file),
      ['.learnings/L-0001.yaml', '.learnings/L-0004.yaml', '.learnings/L-0005.yaml'],
    );
    const linked = memoryStore({ '.learnings/superseded/L-0001.yaml': recordText('L-0001') });
    linked.files.putLink('.learnings/superseded');
    const { moved, failed: refused } = await linked.store.migrateLayout();
    assert.deepEqual([moved, refused.map(({ file }) => file)], [[], ['.learnings/superseded']]);
  });

  it('finds a secret in what is archived, configured or voted too', async () => {
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const { left } = await heal({
      [archived('L-0001')]: recordText('L-0001', { body: token }),
      [record('L-0002')]: recordText('L-0002'),
      '.learnings/L-0002/votes.jsonl': `${vote(token)}\n`,
      '.learnings/config.yaml': `extends: [${token}]\n`,
      '.learnings/tags.yaml': `perf: ${token}\n`,
    });
    assert.deepEqual(
      left.filter(({ code }) => code === 'secret').map(({ file, message }) => `${file}: ${message}`),
      [
        archived('L-0001'),
        '.learnings/L-0002/votes.jsonl',
        '.learnings/config.yaml',
        '.learnings/tags.yaml',
      ].map((file) => `${file}: what looks like a GitHub token`),
    );
  });

  it('tells of a successor that is nowhere, and leaves the choice to a person', async () => {
    const { before, done, left } = await heal({
      [record('L-0001')]: recordText('L-0001', { status: 'superseded', superseded_by: 'L-0009' }),
    });
    assert.equal(before[0]?.remedy, undefined);
    assert.match(left[0]?.hint ?? '', /Get L-0009 back from git/);
    assert.ok((left[0]?.line ?? 0) > 1, 'the place of superseded_by');
    assert.deepEqual(done, []);
  });

  it('tells of a secret in a record without repeating it', async () => {
    const token = `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`;
    const { left } = await heal({ [record('L-0001')]: recordText('L-0001', { body: `Use ${token}.` }) });
    assert.equal(left[0]?.code, 'secret');
    assert.doesNotMatch(JSON.stringify(left), /wWPw5k4a/);
  });

  it('writes what git should know, moves flat records, and removes empty folders', async () => {
    const { store, files } = memoryStore({ '.learnings/L-0001.yaml': recordText('L-0001') });
    await files.makeFolder('.learnings/L-0007');
    const { left } = await store.heal();
    assert.deepEqual(left, []);
    assert.deepEqual(Object.keys(files.snapshot()).toSorted(), [
      '.learnings/.gitattributes',
      '.learnings/.gitignore',
      record('L-0001'),
    ]);
    assert.equal(await files.stat('.learnings/L-0007'), undefined);
  });
});
