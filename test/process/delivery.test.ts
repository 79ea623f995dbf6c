import assert from 'node:assert/strict';
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundle, runNode } from './product';
import { repository, type Repository } from './repository';

const aboutA = ['--scope', 'paths=src/a.ts'];

/** What the hook says to Claude Code before it reads a file. */
function hook({ root, home }: Repository, session: string, path = 'src/a.ts'): string {
  const payload = {
    session_id: session,
    cwd: root,
    hook_event_name: 'PreToolUse',
    tool_name: 'Read',
    tool_input: { file_path: join(root, path) },
  };
  const env = { HOME: home, USERPROFILE: home };
  const { status, stdout } = runNode([bundle('hook')], { cwd: root, input: JSON.stringify(payload), env });
  assert.equal(status, 0);
  if (stdout === '') return '';
  return (JSON.parse(stdout) as { additionalContext: string }).additionalContext;
}

describe('what the hook answers from', () => {
  const stamp = ({ root }: Repository): number => {
    const { mtimeNs, ino } = statSync(join(root, '.learnings', '.cache', 'deliver.bin'), { bigint: true });
    return Number(mtimeNs + ino);
  };
  const changes: readonly [string, (repo: Repository) => void, RegExp | undefined][] = [
    ['add', (repo) => repo.json('add', '--summary', 'The second.', ...aboutA), /The second/],
    ['update', (repo) => repo.json('update', 'L-0001', '--summary', 'The first, reworded.'), /reworded/],
    ['upvote', (repo) => repo.json('upvote', 'L-0001'), /The first/],
    ['archive', (repo) => repo.json('archive', 'L-0001'), undefined],
    ['config', (repo) => repo.json('config', 'enabled', 'false'), undefined],
  ];
  for (const [name, change, expected] of changes) {
    it(`is up to date after learnings ${name}, so that the hook need not make it anew`, () => {
      const repo = repository();
      repo.json('add', '--summary', 'The first.', ...aboutA);
      change(repo);
      const before = stamp(repo);
      if (expected) assert.match(hook(repo, 's1'), expected);
      else assert.equal(hook(repo, 's1'), '');
      assert.equal(stamp(repo), before, 'the hook made it anew');
    });
  }

  it('is not believed where a text was replaced within the same tick of the clock', () => {
    const repo = repository();
    repo.json('add', '--summary', 'The first.', ...aboutA);
    const file = join(repo.root, '.learnings', 'L-0001', 'learning.yaml');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, repo.read('.learnings/L-0001/learning.yaml').replace('The first.', 'Not first.'));
    utimesSync(file, atime, mtime);
    assert.match(hook(repo, 's1'), /Not first/);
  });

  it('is not written by a command that only looks', () => {
    const repo = repository();
    repo.json('config');
    repo.json('list');
    assert.throws(() => stamp(repo), /ENOENT/);
  });
});

describe('what was set in the editor', () => {
  const left = ({ root }: Repository): string => join(root, '.learnings', '.cache', 'editor.json');

  it('reaches the hook and the command line, and ends with its file', () => {
    const repo = repository();
    repo.json('add', '--summary', 'The first.', ...aboutA);
    assert.match(hook(repo, 's1'), /The first/);
    writeFileSync(left(repo), '{"enabled": false, "caps.per_call": 0, "nonsense": 1}');
    assert.equal(hook(repo, 's2'), '');
    const settings = repo.json('config')['settings'] as { key: string; value: unknown; source: string }[];
    const sourceOf = (name: string): unknown[] => {
      const found = settings.find(({ key }) => key === name);
      return [found?.value, found?.source];
    };
    assert.deepEqual(sourceOf('enabled'), [false, 'editor']);
    assert.deepEqual(sourceOf('caps.per_call'), [5, 'default']);
    rmSync(left(repo));
    assert.match(hook(repo, 's3'), /The first/);
  });

  it('is passed over where it cannot be read', () => {
    const repo = repository();
    repo.json('add', '--summary', 'The first.', ...aboutA);
    writeFileSync(left(repo), '{"enabled": fal');
    assert.match(hook(repo, 's1'), /The first/);
  });
});

describe('learnings receipts', () => {
  const sentTo = (repo: Repository): void => {
    repo.json('add', '--summary', 'The first.', ...aboutA, '--evidence', 'pr=#79');
    repo.json('add', '--summary', 'The other.', '--scope', 'paths=lib/');
    hook(repo, 's1');
    hook(repo, 's1');
    hook(repo, 's2');
    repo.json('upvote', 'L-0001');
  };

  it('says what was given to whom, and which learning never was', () => {
    const repo = repository();
    assert.match(repo.cli(['receipts']).stdout, /^Nothing has been given to an agent/);
    sentTo(repo);
    const data = repo.json('receipts');
    const receipts = data['receipts'] as Record<string, unknown>[];
    assert.deepEqual(
      receipts.map(({ did, session, agent, event, path, ids }) => ({
        did,
        session,
        agent,
        event,
        path,
        ids,
      })),
      [
        ...['s1', 's2'].map((session) => ({
          did: 'gave',
          session,
          agent: 'claude-code',
          event: 'PreToolUse',
          path: 'src/a.ts',
          ids: ['L-0001'],
        })),
        {
          did: 'upvoted',
          session: undefined,
          agent: undefined,
          event: undefined,
          path: undefined,
          ids: ['L-0001'],
        },
      ],
    );
    assert.deepEqual(data['never_given'], ['L-0002']);
    const { stdout } = repo.cli(['receipts', '--since', '1h']);
    assert.match(stdout, /^when +agent +event +about +learnings +more +bytes +ms\n/);
    assert.match(stdout, /\nL-0001 {2}given 2 times, upvoted once, last \d{4}-.*\nNever given: L-0002\.\n$/s);
    assert.match(repo.cli(['receipts', '--agent', 'nobody']).stdout, /^No receipt is like that\./);
    assert.match(repo.cli(['receipts', '--since', 'soon']).stderr, /--since must be such as/);
  });

  it('prints what one session was given as a footer for a pull request', () => {
    const repo = repository();
    assert.match(repo.cli(['receipts', '--footer']).stderr, /No agent was given anything/);
    sentTo(repo);
    const { stdout } = repo.cli(['receipts', '--footer']);
    assert.match(stdout, /<summary>🧠 Learnings used \(1\)<\/summary>/);
    assert.match(stdout, /- \*\*L-0001\*\* The first\.\n {2}- About: `src\/a\.ts`\n {2}- Source: pr #79\n/);
    assert.deepEqual(repo.json('receipts', '--footer', '--session', 's1')['session'], 's1');
  });
});

describe('learnings test-delivery', () => {
  const taught = (): Repository => {
    const repo = repository();
    repo.json('add', '--summary', 'The first.', ...aboutA, '--priority', '3');
    repo.json('add', '--summary', 'The second.', ...aboutA);
    repo.json('add', '--summary', 'Everywhere.', '--scope', 'paths=**');
    repo.json('add', '--summary', 'An old one.', ...aboutA);
    repo.json('supersede', 'L-0004', '--with', 'L-0002');
    repo.json('config', 'caps.per_call', '2');
    return repo;
  };
  interface Call {
    readonly agent: string;
    readonly event: string;
    readonly action: string;
    readonly context: string | null;
    readonly printed: string;
    readonly ids: string[];
    readonly left_out: { id: string; why: string }[];
    readonly why_nothing: string | null;
  }
  const calls = (repo: Repository, ...more: string[]): Call[] =>
    repo.json('test-delivery', 'src/a.ts', ...more)['calls'] as Call[];

  it('shows what the hook prints to each agent, byte for byte, and why', () => {
    const repo = taught();
    const all = calls(repo);
    const reading = all.find((one) => one.agent === 'claude-code' && one.action === 'read');
    assert.equal(reading?.context, hook(repo, 'real'));
    assert.deepEqual(reading.ids, ['L-0001', 'L-0002']);
    assert.deepEqual(reading.left_out, [
      { id: 'L-0003', why: 'beyond the 2 that are given at once (caps.per_call)' },
      { id: 'L-0004', why: 'superseded by L-0002' },
    ]);
    assert.deepEqual(
      all.filter(({ context }) => context === null).map(({ agent, event }) => `${agent} ${event}`),
      ['agent-host SessionStart', 'agent-host UserPromptSubmit'],
    );
    for (const { action, ids } of all.filter(({ action }) => action === 'start'))
      assert.ok(ids.length === 0 || ids.join() === 'L-0003', action);
    for (const { context, why_nothing: why } of all) assert.equal(context === null, why !== null);
  });

  it('counts nothing as given', () => {
    const repo = taught();
    calls(repo, '--agent', 'claude-code');
    assert.deepEqual(repo.json('receipts')['receipts'], []);
    const left = readdirSync(join(repo.root, '.learnings', '.cache'));
    assert.ok(!left.includes('sessions') && !left.includes('receipts.jsonl'), left.join());
  });

  it('names the setting that keeps everything back', () => {
    const repo = taught();
    repo.json('config', 'inject.read', 'false');
    const only = ['--agent', 'copilot-chat', '--event', 'PreToolUse'];
    const [read, edit] = calls(repo, ...only);
    assert.equal(read?.why_nothing, 'inject.read is false (config.yaml)');
    assert.equal(edit?.why_nothing, null);
    const { stdout } = repo.cli(['test-delivery', 'src/a.ts', ...only]);
    assert.match(
      stdout,
      /## Nothing\n\n- Copilot Chat reads it \(PreToolUse, read_file\): inject\.read is false/,
    );
    assert.match(repo.cli(['test-delivery', '/elsewhere/a.ts']).stderr, /is outside of/);
  });

  it('also where a prompt names the file by its whole path', () => {
    const repo = taught();
    const prompt = `Fix the rounding in ${join(repo.root, 'src/a.ts')}.`;
    const payload = { session_id: 's', cwd: repo.root, hook_event_name: 'UserPromptSubmit', prompt };
    const { stdout } = runNode([bundle('hook')], { cwd: repo.root, input: JSON.stringify(payload) });
    assert.match(stdout, /L-0001/);
  });
});
