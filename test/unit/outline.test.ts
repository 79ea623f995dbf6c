import assert from 'node:assert/strict';

import type { Held, LearningRecord } from '../../src/core/api';
import { leadingFolder, outlineOf, type Grouping } from '../../src/vscode/views/outline';

type Listed = Pick<Held, 'record' | 'status'>;

interface Given {
  readonly paths?: readonly string[];
  readonly tags?: readonly string[];
  readonly kind?: LearningRecord['kind'];
  readonly status?: Held['status'];
  readonly by?: string;
  readonly summary?: string;
}

function learning(id: string, { paths = [], tags = [], status = 'active', ...given }: Given = {}): Listed {
  return {
    status,
    record: {
      id,
      status: status === 'superseded' ? 'superseded' : 'active',
      kind: given.kind ?? 'rule',
      priority: 0,
      confidence: 'high',
      createdAt: undefined,
      updatedAt: undefined,
      createdBy: undefined,
      scope: { paths, tags, symbols: [] },
      summary: given.summary ?? `About ${id}.`,
      rationale: undefined,
      evidence: [],
      fingerprint: [],
      supersedes: [],
      supersededBy: given.by,
    },
  };
}

/** Each group with its members, and below each of them what it took the place of. */
function drawn(listed: readonly Listed[], grouping: Grouping, filter = ''): Record<string, unknown> {
  const outline = outlineOf(listed, { grouping, filter });
  const draw = (one: Listed): string => {
    const older = outline.before(one).map(draw);
    return one.record.id + (older.length > 0 ? `(${older.join(' ')})` : '');
  };
  return Object.fromEntries(
    outline.groups.map(({ name, members }) => [String(name), members.map(draw).join(' ')]),
  );
}

const superseded = (id: string, by: string, given: Given = {}): Listed =>
  learning(id, { status: 'superseded', by, ...given });

describe('the outline of learnings', () => {
  it('groups by the leading folders of their patterns, in every folder that one names', () => {
    const listed = [
      learning('L-0001', { paths: ['src/http/**', 'test/http/*.ts', 'src/http/server.ts'] }),
      learning('L-0002', { paths: ['**/*.sql', '!src/old/**'] }),
      learning('L-0003', { tags: ['style'] }),
      learning('L-0004', { paths: ['src/http/{a,b}.ts'] }),
    ];
    const expected = {
      '': 'L-0002',
      'src/http': 'L-0001 L-0004',
      'test/http': 'L-0001',
      undefined: 'L-0003',
    };
    assert.deepEqual(drawn(listed, 'folder'), expected);
    assert.deepEqual(Object.keys(drawn(listed, 'folder')), Object.keys(expected));
  });

  it('knows the folder of every sort of pattern', () => {
    const folders = {
      'src/engine/**/perf*.ts': 'src/engine',
      'src/engine/': 'src/engine',
      'src/engine/run.ts': 'src/engine',
      './src/run.ts': 'src',
      '/README.md': '',
      'README.md': '',
      '*.sql': '',
      '**': '',
      'src/{a/b,c}/d.ts': 'src',
      '{src,test}/d.ts': '',
      'src/[ab]/d.ts': 'src',
      'src//deep/x.ts': 'src/deep',
      'src/+(a|b)/x.ts': 'src',
    };
    for (const [pattern, folder] of Object.entries(folders))
      assert.equal(leadingFolder(pattern), folder, pattern);
  });

  it('groups by tag, kind and status, those without one last', () => {
    const listed = [
      learning('L-0001', { tags: ['b', 'a', 'b'], kind: 'fact' }),
      learning('L-0002', { status: 'archived' }),
      learning('L-0003', { tags: ['a'], kind: 'decision' }),
      superseded('L-0004', 'L-0003'),
    ];
    const current = listed.filter(({ status }) => status !== 'archived');
    assert.deepEqual(Object.entries(drawn(current, 'tag')), [
      ['a', 'L-0001 L-0003(L-0004)'],
      ['b', 'L-0001'],
    ]);
    assert.deepEqual(Object.entries(drawn(current, 'kind')), [
      ['decision', 'L-0003(L-0004)'],
      ['fact', 'L-0001'],
    ]);
    assert.deepEqual(Object.entries(drawn(listed, 'status')), [
      ['active', 'L-0001 L-0003'],
      ['superseded', 'L-0004'],
      ['archived', 'L-0002'],
    ]);
    assert.deepEqual(Object.entries(drawn([learning('L-0009'), ...current], 'tag')).at(-1), [
      'undefined',
      'L-0009',
    ]);
  });

  it('shows what was superseded below its successor, and that below its own', () => {
    const listed = [
      learning('L-0003', { paths: ['src/**'] }),
      superseded('L-0002', 'L-0003', { paths: ['lib/**'] }),
      superseded('L-0001', 'L-0002'),
      superseded('L-0005', 'L-0099'),
    ];
    assert.deepEqual(drawn(listed, 'folder'), { src: 'L-0003(L-0002(L-0001))', undefined: 'L-0005' });
    assert.deepEqual(drawn(listed, 'none'), { undefined: 'L-0003(L-0002(L-0001)) L-0005' });
  });

  it('shows learnings that name each other as successors, each once', () => {
    const listed = [
      superseded('L-0001', 'L-0002'),
      superseded('L-0002', 'L-0001'),
      superseded('L-0003', 'L-0003'),
    ];
    assert.deepEqual(drawn(listed, 'none'), { undefined: 'L-0001 L-0002 L-0003' });
  });

  it('keeps those that have every word of the filter in summary, id or tags', () => {
    const listed = [
      learning('L-0001', { tags: ['Performance'], summary: 'Compare outputs first.' }),
      learning('L-0002', { summary: 'Compare nothing.' }),
    ];
    assert.deepEqual(drawn(listed, 'none', 'compare PERF'), { undefined: 'L-0001' });
    assert.deepEqual(drawn(listed, 'none', 'l-0002'), { undefined: 'L-0002' });
    assert.deepEqual(drawn(listed, 'none', 'absent'), {});
    assert.deepEqual(drawn(listed, 'none', '  '), { undefined: 'L-0001 L-0002' });
    const { found, total } = outlineOf(listed, { grouping: 'tag', filter: 'perf' });
    assert.deepEqual({ found, total }, { found: 1, total: 2 });
  });

  it('shows the successor of what passes the filter, so that it is found in its place', () => {
    const listed = [
      learning('L-0002'),
      superseded('L-0001', 'L-0002', { summary: 'Old words.' }),
      learning('L-0003'),
    ];
    assert.deepEqual(drawn(listed, 'none', 'old'), { undefined: 'L-0002(L-0001)' });
  });

  it('takes a succession of ten thousand without running out of stack', () => {
    const listed = Array.from({ length: 10_000 }, (_, index) =>
      index === 0 ? learning('L-0') : superseded(`L-${index}`, `L-${index - 1}`),
    );
    const { groups } = outlineOf(listed, { grouping: 'none', filter: 'L-9999' });
    assert.deepEqual(
      groups.map(({ members }) => members.length),
      [1],
    );
  });
});
