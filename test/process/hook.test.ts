import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

import { agentSession } from '../../src/node/agentSession';
import { hookFuzz } from '../torture/hook';
import { bundle, productFolder, runNode, temporaryFolder } from './product';
import { repository, type Repository } from './repository';

interface Said {
  readonly additionalContext?: string;
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
}
interface Output extends Said {
  readonly hookSpecificOutput: Said & { readonly hookEventName: string };
}

interface Options {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

/** A repository with learnings, and the hook that an agent's harness would run in it. */
function agentIn(repo: Repository): {
  readonly hook: (payload: object, options?: Options) => string;
  readonly reads: (file: string, more?: object, options?: Options) => string;
} {
  const hook = (payload: object, { args = [], env = {} }: Options = {}): string => {
    const { status, stdout, stderr } = runNode([bundle('hook'), ...args], {
      cwd: repo.root,
      input: JSON.stringify({ session_id: 's1', cwd: repo.root, ...payload }),
      env: { HOME: repo.home, USERPROFILE: repo.home, ...env },
    });
    assert.equal(status, 0);
    assert.equal(stderr, '');
    if (stdout === '') return '';
    const { hookSpecificOutput, ...outside } = JSON.parse(stdout) as Output;
    const { hookEventName, ...inside } = hookSpecificOutput;
    assert.ok(hookEventName.length > 0);
    // Some harnesses look inside, some outside.
    assert.deepEqual(inside, outside);
    return inside.additionalContext ?? inside.permissionDecisionReason ?? assert.fail('neither');
  };
  return {
    hook,
    reads: (file, more = {}, options) =>
      hook(
        { hook_event_name: 'PreToolUse', tool_name: 'Read', tool_input: { file_path: file }, ...more },
        options,
      ),
  };
}

const idsIn = (said: string): string[] => [...said.matchAll(/^- \[([^\]]+)\]/gm)].map(([, id = '']) => id);

function teach(repo: Repository, summary: string, ...more: string[]): string {
  const args = ['add', '--summary', summary, ...(more.length > 0 ? more : ['--scope', 'paths=src/**'])];
  return repo.json(...args)['id'] as string;
}

/** Writes a record as an editor does, in place, with a time that has settled. */
function editByHand(repo: Repository, id: string, change: (text: string) => string): void {
  const file = join(repo.root, '.learnings', id, 'learning.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** As if everything had been there for a minute. */
function settle(repo: Repository): void {
  const store = join(repo.root, '.learnings');
  const then = new Date(Date.now() - 60_000);
  for (const id of readdirSync(store).filter((name) => name.startsWith('L-')))
    utimesSync(join(store, id, 'learning.yaml'), then, then);
}

const cacheFile = (repo: Repository, name: string): string => join(repo.root, '.learnings', '.cache', name);

describe('dist/hook.js', () => {
  it('gives what is known about a file, once in a session, and in another one again', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    teach(repo, 'Compare outputs first.');
    assert.match(reads('src/a.ts'), /^- \[L-0001\] Compare outputs first\.$/m);
    assert.equal(reads('src/a.ts'), '');
    assert.equal(reads('src/b.ts'), '');
    assert.deepEqual(idsIn(reads('src/b.ts', { session_id: 's2' })), ['L-0001']);
    const [first] = readFileSync(cacheFile(repo, 'receipts.jsonl'), 'utf8').split('\n');
    const receipt = JSON.parse(first ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [receipt['agent'], receipt['session'], receipt['path'], receipt['ids']],
      ['claude-code', 's1', 'src/a.ts', ['L-0001']],
    );
  });

  it('says nothing about files that nothing is known about, outside the root, or of the store itself', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    teach(repo, 'Compare outputs first.');
    for (const file of ['docs/a.md', '/etc/src/a.ts', '../src/a.ts', '.learnings/L-0001/learning.yaml', ''])
      assert.equal(reads(file), '', file);
    const elsewhere = temporaryFolder();
    assert.equal(reads(join(elsewhere, 'src/a.ts'), { cwd: elsewhere }), '');
  });

  it('knows a file by every way to write its path', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.');
    const { reads } = agentIn(repo);
    mkdirSync(join(repo.root, 'src', 'deep'), { recursive: true });
    const paths = [
      join(repo.root, 'src', 'a.ts'),
      './src/../src/a.ts',
      'src\\a.ts',
      pathToFileURL(join(repo.root, 'src', 'a b.ts')).href,
    ];
    for (const [index, path] of paths.entries())
      assert.deepEqual(idsIn(reads(path, { session_id: `p${index}` })), ['L-0001'], path);
    const below = { session_id: 'below', cwd: join(repo.root, 'src', 'deep') };
    assert.deepEqual(idsIn(reads('../a.ts', below)), ['L-0001']);
  });

  it('serves a worktree from its own checkout, also an agent that works in the other one', () => {
    const repo = repository();
    teach(repo, 'On main.');
    repo.commit('learn');
    const worktree = join(temporaryFolder(), 'tree');
    repo.git('worktree', 'add', '--quiet', worktree, '-b', 'side');
    const file = join(worktree, '.learnings', 'L-0001', 'learning.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('On main.', 'On the side.'));
    const { reads } = agentIn(repo);
    assert.match(reads(join(worktree, 'src', 'a.ts'), { cwd: worktree }), /On the side\./);
    assert.match(reads(join(worktree, 'src', 'a.ts'), { session_id: 's2' }), /On the side\./);
    assert.match(reads(join(repo.root, 'src', 'a.ts')), /On main\./);
  });

  it('never gives text that differs from the YAML, nor what was superseded, archived or is only proposed', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    for (const word of ['one', 'two', 'three', 'four']) teach(repo, `Number ${word}.`);
    settle(repo);
    assert.equal(idsIn(reads('src/a.ts')).length, 4);
    editByHand(repo, 'L-0001', (yaml) => yaml.replace('Number one.', 'Number eins.'));
    repo.json('supersede', 'L-0002', '--with', 'L-0003');
    repo.json('archive', 'L-0004');
    const said = reads('src/a.ts', { session_id: 's2' });
    assert.deepEqual(idsIn(said).toSorted(), ['L-0001', 'L-0003']);
    assert.match(said, /Number eins\./);
    editByHand(repo, 'L-0003', (yaml) => yaml.replace('id: L-0003', 'id: ['));
    assert.deepEqual(idsIn(reads('src/a.ts', { session_id: 's3' })), ['L-0001']);
  });

  it('sees a record that starts to be about a file, whoever wrote it', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    teach(repo, 'Elsewhere until now.', '--scope', 'paths=docs/**');
    settle(repo);
    assert.equal(reads('src/a.ts'), '');
    editByHand(repo, 'L-0001', (yaml) => yaml.replace('docs/**', 'src/**'));
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0001']);
    mkdirSync(join(repo.root, '.learnings', 'L-0002'));
    const byHand = { id: 'L-0002', schemaVersion: 1, summary: 'By hand.', scope: { paths: ['src/**'] } };
    writeFileSync(join(repo.root, '.learnings', 'L-0002', 'learning.yaml'), JSON.stringify(byHand));
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0002']);
  });

  it('sees it by the second call where there are too many records to look at', async () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    const then = new Date(Date.now() - 60_000);
    for (let number = 1; number <= 1100; number++) {
      const id = `L-${String(number).padStart(4, '0')}`;
      const folder = join(repo.root, '.learnings', id);
      mkdirSync(folder);
      const record = {
        id,
        schemaVersion: 1,
        summary: `About ${id}.`,
        scope: { paths: [`docs/${number}.md`] },
      };
      writeFileSync(join(folder, 'learning.yaml'), JSON.stringify(record));
      utimesSync(join(folder, 'learning.yaml'), then, then);
    }
    assert.deepEqual(idsIn(reads('docs/7.md')), ['L-0007']);
    await gone(cacheFile(repo, 'checking'));
    // What is about to be given is looked at in any case.
    editByHand(repo, 'L-0008', (text) => text.replace('About', 'All about'));
    assert.match(reads('docs/8.md'), /All about L-0008/);
    editByHand(repo, 'L-0009', (text) => text.replace('docs/9.md', 'src/9.ts'));
    reads('src/other.ts');
    // The next call waits for the look at every file, but on a busy machine not as long as that may take.
    await gone(cacheFile(repo, 'checking'));
    assert.deepEqual(idsIn(reads('src/9.ts')), ['L-0009']);
  });

  it('leaves out what depends on something that has changed, and what is too old', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    writeFileSync(join(repo.root, 'Makefile'), 'all:\n');
    teach(repo, 'Run make all.');
    const fingerprint = 'fingerprint:\n  - {input: Makefile, hash: "sha256:0"}\n';
    editByHand(repo, 'L-0001', (yaml) => yaml + fingerprint);
    assert.equal(reads('src/a.ts'), '');
    teach(repo, 'Long ago.');
    editByHand(repo, 'L-0002', (yaml) => yaml.replace(/updated_at: .*/, 'updated_at: 2020-01-01T00:00:00Z'));
    assert.equal(reads('src/a.ts', {}, { env: { LEARNINGS_MAX_AGE_DAYS: '30' } }), '');
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0002']);
  });

  it('heeds config.yaml and the environment', () => {
    const repo = repository();
    const { reads } = agentIn(repo);
    for (let count = 0; count < 4; count++) teach(repo, `Number ${count} of them.`);
    repo.json('config', 'caps.per_call', '2');
    assert.match(reads('src/a.ts'), /… 2 more apply; call find_learnings/);
    assert.equal(
      idsIn(reads('src/a.ts', { session_id: 's2' }, { env: { LEARNINGS_PER_CALL_CAP: '1' } })).length,
      1,
    );
    assert.equal(reads('src/a.ts', { session_id: 's3' }, { env: { LEARNINGS_ENABLED: 'false' } }), '');
    repo.json('config', 'inject.read', 'false');
    assert.equal(reads('src/a.ts', { session_id: 's4' }), '');
    assert.equal(idsIn(reads('src/a.ts', { session_id: 's4', tool_name: 'Edit' })).length, 2);
  });

  it('brings personal learnings along, unless the repository wants none', () => {
    const repo = repository();
    repo.json('add', '--personal', '--yes', '--summary', 'My own way.', '--scope', 'paths=**');
    const { reads } = agentIn(repo);
    assert.deepEqual(idsIn(reads('src/a.ts')), ['personal/P-0001']);
    assert.equal(reads('src/a.ts', { session_id: 's2' }, { env: { LEARNINGS_SCOPE: 'local' } }), '');
  });

  it('makes what it needs in a fresh clone, and mends it when it is spoilt', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.');
    const { reads } = agentIn(repo);
    rmSync(cacheFile(repo, ''), { recursive: true });
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0001']);
    assert.ok(existsSync(cacheFile(repo, 'deliver.bin')));
    assert.equal(repo.git('status', '--porcelain', '.learnings/.cache'), '');
    const bytes = readFileSync(cacheFile(repo, 'deliver.bin'));
    for (const [index, spoil] of [
      (): Buffer => Buffer.alloc(0),
      (): Buffer => bytes.subarray(0, 100),
      (): Buffer => Buffer.from(bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte))),
    ].entries()) {
      writeFileSync(cacheFile(repo, 'deliver.bin'), spoil());
      assert.deepEqual(idsIn(reads('src/a.ts', { session_id: `spoilt-${index}` })), ['L-0001']);
    }
    // Rows of another snapshot than the head belongs to.
    writeFileSync(cacheFile(repo, 'deliver-rows.bin'), 'x'.repeat(1000));
    assert.deepEqual(idsIn(reads('src/a.ts', { session_id: 'rows' })), ['L-0001']);
  });

  it('still gives where nothing can be written, and no more than once', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.');
    rmSync(cacheFile(repo, ''), { recursive: true });
    writeFileSync(cacheFile(repo, ''), 'a file where the folder should be');
    const { reads } = agentIn(repo);
    const session_id = `read-only-${process.pid}-${Date.now()}`;
    assert.deepEqual(idsIn(reads('src/a.ts', { session_id })), ['L-0001']);
    assert.equal(reads('src/a.ts', { session_id }), '');
  });

  it('gives a session what is about the whole repository when it starts, and again after it forgot', () => {
    const repo = repository();
    teach(repo, 'About everything.', '--scope', 'paths=**');
    teach(repo, 'About some files.');
    const { hook, reads } = agentIn(repo);
    const starts = (source: string): string[] => idsIn(hook({ hook_event_name: 'SessionStart', source }));
    assert.deepEqual(starts('startup'), ['L-0001']);
    assert.deepEqual(starts('resume'), []);
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0002']);
    assert.deepEqual(starts('compact'), ['L-0001']);
    assert.deepEqual(idsIn(reads('src/a.ts')), ['L-0002']);
    assert.deepEqual(starts('clear'), ['L-0001']);
    hook({ hook_event_name: 'PreCompact' });
    assert.deepEqual(idsIn(hook({ hook_event_name: 'SubagentStart', agent_id: 'inner' })), ['L-0001']);
    assert.deepEqual(idsIn(reads('src/a.ts')).toSorted(), ['L-0001', 'L-0002']);
  });

  it('answers a prompt that asks for code about what it names, and no other prompt', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.', '--scope', 'paths=src/**', 'tags=performance');
    const { hook } = agentIn(repo);
    const asks = (prompt: string, session_id: string): string[] =>
      idsIn(hook({ hook_event_name: 'UserPromptSubmit', prompt, session_id }));
    assert.deepEqual(asks('What does src/a.ts do?', 's1'), []);
    assert.deepEqual(asks('Add a test for docs/a.md', 's1'), []);
    assert.deepEqual(asks('Add a retry to src/a.ts', 's1'), ['L-0001']);
    assert.deepEqual(asks('Improve the performance', 's2'), ['L-0001']);
    assert.deepEqual(asks('Fix everything in src/', 's3'), ['L-0001']);
  });

  it('keeps what is to be remembered as a candidate with the words of the user, once', () => {
    const repo = repository();
    const { hook } = agentIn(repo);
    writeFileSync(join(repo.root, 'a.ts'), '');
    const prompt = 'remember: a.ts must stay free of imports';
    const says = (): string => hook({ hook_event_name: 'UserPromptSubmit', prompt });
    const [, id = ''] = /candidate (C-[0-9a-f]{8})/.exec(says()) ?? [];
    assert.equal(says(), '');
    const yaml = repo.read(`.learnings/candidates/${id}/learning.yaml`);
    assert.match(yaml, /summary: a\.ts must stay free of imports/);
    assert.match(yaml, /quote: a\.ts must stay free of imports/);
    assert.match(yaml, /paths: \[a\.ts\]/);
    const secret = `remember: the token is ghp_${'a1B2'.repeat(9)}`;
    assert.match(
      hook({ hook_event_name: 'UserPromptSubmit', prompt: secret }),
      /could not be kept: .*GitHub/i,
    );
    // Said again it means something else.
    for (const prompt of ['Remember this!', 'Remember this!'])
      assert.match(hook({ hook_event_name: 'UserPromptSubmit', prompt }), /Call add_learning/);
  });

  it('holds the first write for what must not be missed, where that is switched on, and only once', () => {
    const repo = repository();
    teach(repo, 'Must not be missed.', '--scope', 'paths=src/**', '--priority', '100');
    repo.json('config', 'inject.verify', 'true');
    const { hook } = agentIn(repo);
    const edits = (session_id: string): object => ({
      hook_event_name: 'PreToolUse',
      session_id,
      tool_name: 'Edit',
      tool_input: { file_path: 'src/a.ts' },
    });
    const { stdout } = runNode([bundle('hook')], {
      cwd: repo.root,
      input: JSON.stringify({ cwd: repo.root, ...edits('raw') }),
      env: { HOME: repo.home },
    });
    const { hookSpecificOutput } = JSON.parse(stdout) as Output;
    assert.equal(hookSpecificOutput.permissionDecision, 'deny');
    assert.match(hook(edits('s1')), /Must not be missed/);
    assert.equal(hook(edits('s1')), '');
  });

  it('never decides for the user otherwise', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.', '--scope', 'paths=src/**', '--priority', '100');
    const input = { session_id: 's', cwd: repo.root, hook_event_name: 'PreToolUse', tool_name: 'Edit' };
    const { stdout } = runNode([bundle('hook')], {
      cwd: repo.root,
      input: JSON.stringify({ ...input, tool_input: { file_path: 'src/a.ts' } }),
      env: { HOME: repo.home },
    });
    assert.match(stdout, /Compare outputs first/);
    assert.doesNotMatch(stdout, /permissionDecision/);
  });

  it('answers each harness where it listens, in its own words', () => {
    const repo = repository();
    teach(repo, 'Compare outputs first.');
    const { hook } = agentIn(repo);
    const agentHost = { timestamp: 1, toolName: 'edit', toolArgs: JSON.stringify({ path: 'src/a.ts' }) };
    assert.deepEqual(idsIn(hook({ ...agentHost, sessionId: 'h' }, { args: ['PreToolUse'] })), ['L-0001']);
    const cli = { timestamp: '2026-05-09T18:00:00Z', session_id: 'c', hook_event_name: 'PreToolUse' };
    const view = { ...cli, tool_name: 'view', tool_input: { path: 'src/a.ts' } };
    assert.deepEqual(idsIn(hook(view, { env: { COPILOT_CLI: '1' } })), ['L-0001']);
    const chat = { timestamp: '2026-05-09T18:00:00Z', hook_event_name: 'PreToolUse', session_id: 'v' };
    const many = {
      replacements: [{ filePath: join(repo.root, 'x.md') }, { filePath: join(repo.root, 'src/a.ts') }],
    };
    assert.deepEqual(idsIn(hook({ ...chat, tool_name: 'multi_replace_string_in_file', tool_input: many })), [
      'L-0001',
    ]);
    const receipts = readFileSync(cacheFile(repo, 'receipts.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual(
      receipts.map((line) => (JSON.parse(line) as { agent: string }).agent),
      ['agent-host', 'copilot-cli', 'copilot-chat'],
    );
  });

  it('gives fifty calls at once no learning twice, and no more than the cap', async () => {
    const repo = repository();
    for (let count = 0; count < 30; count++) teach(repo, `Number ${count} of many.`);
    const { reads } = agentIn(repo);
    reads('docs/none.md');
    const said = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const child = spawn(process.execPath, [bundle('hook')], {
          stdio: ['pipe', 'pipe', 'inherit'],
          env: { ...process.env, HOME: repo.home },
        });
        child.stdin.end(
          JSON.stringify({
            session_id: 'at-once',
            cwd: repo.root,
            hook_event_name: 'PreToolUse',
            tool_name: 'Read',
            tool_input: { file_path: `src/${index}.ts` },
          }),
        );
        const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
        return output;
      }),
    );
    const given = said.flatMap((one) =>
      one === '' ? [] : idsIn((JSON.parse(one) as Said).additionalContext ?? ''),
    );
    assert.equal(new Set(given).size, given.length, 'one was given twice');
    // On a busy machine some give up in time; what was claimed has arrived all the same.
    const claimed = agentSession(repo.root, 'at-once').given();
    assert.deepEqual(new Set(given), claimed);
    assert.ok(given.length > 0 && given.length <= 20, String(given.length));
    for (const one of said) assert.ok((one.match(/\n- \[/g) ?? []).length <= 5);
  });

  it('is silent on whatever it does not understand', () => {
    const documents = [
      '',
      'not JSON',
      '[]',
      'null',
      '{"hook_event_name":"Stop"}',
      '{"hook_event_name":"PreToolUse"}',
    ];
    for (const input of documents) {
      const { stdout, stderr, status } = runNode([bundle('hook')], { input });
      assert.deepEqual({ stdout, stderr, status }, { stdout: '', stderr: '', status: 0 }, input);
    }
  });

  it('ends by itself where nobody closes its input, and says nothing', async () => {
    const child = spawn(process.execPath, [bundle('hook')], { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = once(child, 'close') as Promise<[number | null]>;
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.deepEqual([output, errors, code], ['', '', 0]);
  }).timeout(20_000);

  it('ends well whatever it is told', async () => {
    const figures = await hookFuzz(join(productFolder(), 'dist', 'hook.js'), { seed: 7, count: 150 });
    assert.ok(figures.answered > 5, JSON.stringify(figures));
  });

  it('loads nothing that it does not need', () => {
    const size = statSync(bundle('hook')).size;
    const source = readFileSync(bundle('hook'), 'utf8');
    assert.ok(size < 64 * 1024, `${size} bytes`);
    assert.doesNotMatch(source, /ZodError|parseDocument/);
  });
});

/** Waits until a file is not there. */
async function gone(file: string): Promise<void> {
  while (existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}
