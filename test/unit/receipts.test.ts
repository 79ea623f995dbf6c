import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  namesIn,
  openLearnings,
  parseReceipts,
  receiptsOfSession,
  renderFooter,
  selectReceipts,
  tallyReceipts,
  type Receipt,
} from '../../src/core/api';
import { deliveryCounter } from '../../src/node/deliveryCounts';
import { nodeHash } from '../../src/node/hash';
import { memoryFileSystem, recordText } from './memoryFiles';
import { systemClock } from './stores';

const gave = (at: string, ids: readonly string[], rest: Partial<Receipt> = {}): Receipt => ({
  at: `2026-05-${at}:00Z`,
  did: 'gave',
  ids,
  ...rest,
});
const ids = (receipts: readonly Receipt[]): string[] => receipts.flatMap((one) => one.ids);

describe('receipts', () => {
  it('pass over lines that are none', () => {
    const good = JSON.stringify(gave('01T10:00', ['L-0001']));
    const lines = [
      '',
      '{',
      'null',
      '[]',
      '{"at":"yesterday","did":"gave","ids":[]}',
      good,
      '{"at":"2026-05-0',
    ];
    assert.deepEqual(ids(parseReceipts(lines.join('\n'))), ['L-0001']);
  });

  it('say how often a learning was given, opened and upvoted, and when last', () => {
    const receipts = [
      gave('02T10:00', ['L-0001', 'L-0002']),
      gave('01T10:00', ['L-0001']),
      { ...gave('03T10:00', ['L-0001']), did: 'opened' as const },
      { ...gave('04T10:00', ['L-0001']), did: 'upvoted' as const },
    ];
    const first = { given: 2, opened: 1, upvoted: 1, lastGiven: '2026-05-02T10:00:00Z' };
    assert.deepEqual(tallyReceipts(receipts).get('L-0001'), first);
    const [early, late] = [receipts.slice(0, 2), receipts.slice(2)];
    assert.deepEqual(tallyReceipts(late, tallyReceipts(early)).get('L-0001'), first, 'counted in two parts');
  });

  it('are chosen by time, agent and learning', () => {
    const receipts = [
      gave('01T10:00', ['L-0001'], { agent: 'claude-code' }),
      gave('02T10:00', ['L-0002'], { agent: 'copilot-chat' }),
      gave('03T10:00', ['L-0001', 'L-0003'], { agent: 'claude-code' }),
    ];
    assert.equal(selectReceipts(receipts, {}).length, 3);
    assert.deepEqual(ids(selectReceipts(receipts, { sinceMs: Date.parse('2026-05-02T00:00Z') })), [
      'L-0002',
      'L-0001',
      'L-0003',
    ]);
    assert.deepEqual(ids(selectReceipts(receipts, { agent: 'copilot-chat' })), ['L-0002']);
    assert.equal(selectReceipts(receipts, { learning: 'L-0001' }).length, 2);
  });

  it('of a session are the latest, with those of the agents within it', () => {
    const receipts = [
      gave('01T10:00', ['L-0001'], { session: 'one' }),
      gave('02T10:00', ['L-0002'], { session: 'two' }),
      gave('02T10:01', ['L-0003'], { session: 'two.inner' }),
    ];
    assert.deepEqual(namesIn(receiptsOfSession(receipts)), ['L-0002', 'L-0003']);
    assert.deepEqual(namesIn(receiptsOfSession(receipts, 'one')), ['L-0001']);
    assert.deepEqual(receiptsOfSession(receipts, 'none'), []);
    assert.deepEqual(receiptsOfSession([]), []);
  });

  it('of agents that name no session belong together until somebody pauses', () => {
    const receipts = [
      gave('02T10:00', ['L-0001']),
      gave('02T12:00', ['L-0002']),
      gave('02T12:20', ['L-0003']),
    ];
    assert.deepEqual(namesIn(receiptsOfSession(receipts)), ['L-0002', 'L-0003']);
  });
});

describe('the count of deliveries', () => {
  it('reads what is new alone, and all of it after the file was put aside', () => {
    const root = mkdtempSync(join(tmpdir(), 'counts-'));
    try {
      const cache = join(root, '.learnings', '.cache');
      mkdirSync(cache, { recursive: true });
      const add = (text: string): void => appendFileSync(join(cache, 'receipts.jsonl'), text);
      const line = JSON.stringify(gave('01T10:00', ['L-0001']));
      const count = deliveryCounter(root);
      assert.equal(count().size, 0);
      add(`${line}\n${line.slice(0, 9)}`);
      assert.equal(count().get('L-0001')?.given, 1);
      add(`${line.slice(9)}\n`);
      assert.equal(count().get('L-0001')?.given, 2, 'the torn line was finished');
      renameSync(join(cache, 'receipts.jsonl'), join(cache, 'receipts.old.jsonl'));
      assert.equal(count().get('L-0001')?.given, 2);
      add(`${line}\n`);
      assert.equal(count().get('L-0001')?.given, 3);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('the footer', () => {
  const records = {
    'L-0009': {
      kind: 'decision',
      created_at: '2026-05-19T08:00:00Z',
      created_by: 'claude',
      scope: { paths: ['src/predict/nodal.ts', 'src/**/`odd`.ts'], tags: ['astronomy'] },
      summary: 'Take nodal corrections at the middle of the window.',
      rationale: 'One set per year leaves a step at New Year.',
      evidence: [
        { kind: 'pr', ref: '#79', author: 'chrisleekr' },
        { kind: 'commit', ref: '3edf00ed' },
        { kind: 'url', ref: 'https://evil.example/?"><script>' },
      ],
    },
    'L-0010': {
      scope: { paths: ['**'] },
      created_by: '@everyone',
      summary:
        '</details> <script>alert(1)</script> ![x](https://evil.example) @team closes #1 \u202e<!-- - [ ] | `a`',
      rationale: '# Heading\n\n</details>\n- [ ] task\n```\nopen',
    },
  };
  const render = async (): Promise<string> => {
    const files = memoryFileSystem(
      Object.fromEntries(
        Object.entries(records).map(([id, fields]) => [
          `.learnings/${id}/learning.yaml`,
          recordText(id, fields),
        ]),
      ),
    );
    const learnings = await openLearnings({ root: '/repo', clock: systemClock, hash: nodeHash, files });
    const names = ['L-0009', 'L-0010', 'L-0042'];
    return renderFooter(
      names.map((name) => ({ name, held: learnings.get(name) })),
      ['claude-code'],
    );
  };

  it('says what was given, why it holds and where it comes from', async () => {
    assert.equal((await render()).replace(/- \*\*L-0010[\s\S]*?(?=- \*\*L-0042)/, ''), FOOTER);
  });

  it('cannot be left by what a record says', async () => {
    const text = (await render()).replaceAll(/(?<!\\)`[^`\n]+(?<!\\)`/g, '');
    assert.equal(text.match(/<\/details>/g)?.length, 1);
    assert.doesNotMatch(text, /<script|!\[|\u202e|^#|```|(?<!\\)\]\(/m);
    // Whoever is named is not called, and nothing is closed.
    assert.doesNotMatch(text, /@\w/);
    assert.doesNotMatch(text.replace('pr #79', ''), /(?<!&)#\d/);
  });
});

const FOOTER = `<details>
<summary>🧠 Learnings used (3)</summary>

Recorded by this repository's team in \`.learnings\`, and given to Claude Code while it made this change.

- **L-0009** Take nodal corrections at the middle of the window.
  - Why: One set per year leaves a step at New Year.
  - About: \`src/predict/nodal.ts\`, src/\\*\\*/\\\`odd\\\`\\.ts, tag \`astronomy\`
  - Source: pr #79 by chrisleekr, commit \`3edf00ed\`, url \`https://evil.example/?"><script>\`
  - Recorded: 2026-05-19 by claude
- **L-0042** is no longer recorded.

</details>
`;
