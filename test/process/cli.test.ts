import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundle, runNode, temporaryFolder } from './product';
import { repository, scope } from './repository';

describe('learnings', () => {
  it('makes a store that git knows how to merge and what to ignore', () => {
    const { read } = repository();
    assert.equal(read('.learnings/.gitattributes'), 'votes.jsonl merge=union\n');
    assert.equal(read('.learnings/.gitignore'), '.cache/\n');
  });

  it('adds from flags and standard input, and shows what it added', () => {
    const { cli, json, read } = repository();
    const args = [
      'add',
      '--summary',
      'Compare outputs first.',
      ...scope,
      '--evidence',
      'task=T-1',
      '--body-file',
      '-',
      '--json',
    ];
    const { status, stdout, stderr } = cli(args, { input: 'A longer text.\n' });
    assert.equal(status, 0, stderr);
    assert.deepEqual(JSON.parse(stdout), { id: 'L-0001' });
    const shown = json('show', 'L-0001');
    assert.deepEqual(
      {
        scope: shown['scope'],
        body: shown['body'],
        evidence: shown['evidence'],
        by: shown['createdBy'],
        votes: shown['vote_count'],
      },
      {
        scope: { paths: ['src/{a,b}/**', 'lib/'], tags: ['perf'], symbols: [] },
        body: 'A longer text.\n',
        evidence: [{ kind: 'task', ref: 'T-1' }],
        by: 'Ada',
        votes: 0,
      },
    );
    assert.match(read('.learnings/L-0001/learning.yaml'), /^summary: Compare outputs first\.$/m);
  });

  it('updates, supersedes, votes, archives and restores', () => {
    const { cli, json } = repository();
    for (const summary of ['One.', 'Two.']) json('add', '--summary', summary, ...scope);
    json('update', 'L-0001', '--summary', 'One, changed.', '--priority', '5');
    assert.equal(json('show', 'L-0001')['summary'], 'One, changed.');
    assert.deepEqual(json('upvote', 'L-0001'), { id: 'L-0001', added: true, vote_count: 1 });
    assert.deepEqual(json('upvote', '--id', 'L-0001'), { id: 'L-0001', added: false, vote_count: 1 });
    json('supersede', 'L-0001', '--with', 'L-0002');
    const about = json('list', '--path', 'src/a/x.ts') as { results: { id: string }[] };
    assert.deepEqual(
      about.results.map(({ id }) => id),
      ['L-0002'],
    );
    json('archive', 'L-0002', '--reason', 'gone');
    assert.equal(cli(['list', '--status', 'archived']).stdout, 'L-0002  Two.\n');
    json('restore', 'L-0002');
    assert.equal(cli(['archive', 'L-0009']).status, 1);
    assert.match(cli(['archive', '../x']).stderr, /"\.\.\/x" is not an id/);
  });

  it('keeps candidates apart until they are promoted', () => {
    const { cli, json } = repository();
    const { id } = json('add', '--candidate', '--summary', 'Perhaps.', ...scope);
    assert.equal(cli(['list']).stdout, 'Nothing matches.\n');
    assert.deepEqual(json('promote', String(id)), { id: 'L-0001' });
    assert.equal(cli(['list']).stdout, 'L-0001  Perhaps.\n');
  });

  it('takes an id that no branch and no worktree has', () => {
    const { root, git, json } = repository();
    json('add', '--summary', 'On main.', ...scope);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'one');
    git('checkout', '--quiet', '-b', 'other');
    json('add', '--summary', 'On a branch.', ...scope);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'two');
    git('checkout', '--quiet', 'main');
    const worktree = temporaryFolder();
    git('worktree', 'add', '--quiet', join(worktree, 'tree'), '-b', 'third');
    mkdirSync(join(worktree, 'tree', '.learnings', 'L-0007'));
    assert.deepEqual(json('add', '--summary', 'On main again.', ...scope), { id: 'L-0008' });
    assert.ok(root);
  });

  it('merges branches that both voted and both added, with git alone', () => {
    const { git, json, cli } = repository();
    json('add', '--summary', 'Shared.', ...scope);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'base');
    git('checkout', '--quiet', '-b', 'other');
    json('upvote', 'L-0001', '--model', 'claude', '--task', 'T-1');
    json('add', '--summary', 'Added on the branch.', ...scope);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'branch');
    git('checkout', '--quiet', 'main');
    json('upvote', 'L-0001', '--model', 'copilot', '--task', 'T-2');
    json('add', '--summary', 'Added on main.', ...scope);
    git('add', '-A');
    git('commit', '--quiet', '-m', 'main');
    git('merge', '--quiet', '--no-edit', 'other');
    assert.equal(json('show', 'L-0001')['vote_count'], 2);
    assert.equal(cli(['list']).stdout.trim().split('\n').length, 3);
    assert.equal(cli(['sync']).status, 0);
  });

  it('moves the old flat layout when asked, and says so until then', () => {
    const { root, cli, json } = repository();
    writeFileSync(
      join(root, '.learnings/L-0004.yaml'),
      'id: L-0004\nschema_version: 1\nsummary: Flat.\nscope: {tags: [a]}\n',
    );
    const { status, stderr } = cli(['sync']);
    assert.equal(status, 3);
    assert.match(stderr, /^\.learnings\/L-0004\.yaml:1:1: .*learnings migrate-layout/);
    assert.deepEqual(json('migrate-layout'), { moved: ['L-0004'], failed: [] });
    assert.equal(cli(['sync']).status, 0);
  });

  it('works where git is absent', () => {
    const root = temporaryFolder();
    const run = (...args: string[]) => runNode([bundle('cli'), ...args], { cwd: root, env: { PATH: '' } });
    assert.equal(run('init').status, 0);
    assert.equal(run('add', '--summary', 'No git.', ...scope).status, 0);
    const { status, stderr } = run('upvote', 'L-0001');
    assert.equal(status, 1);
    assert.match(stderr, /give --model NAME/);
    assert.equal(run('upvote', 'L-0001', '--model', 'a', '--task', 't').status, 0);
  });

  it('keeps the commas of a quote and of braces within braces, and adds evidence to what is there', () => {
    const { json } = repository();
    json(
      'add',
      '--summary',
      'x',
      '--scope',
      'paths=src/{a,{b,c}}/**,lib/',
      '--evidence',
      'quote=no, compare first',
    );
    json('update', 'L-0001', '--scope', 'tags=perf', 'task=T-9');
    const { scope: about, evidence } = json('show', 'L-0001');
    assert.deepEqual(about, { paths: ['src/{a,{b,c}}/**', 'lib/'], tags: ['perf'], symbols: [] });
    assert.deepEqual(evidence, [
      { kind: 'quote', ref: 'no, compare first' },
      { kind: 'task', ref: 'T-9' },
    ]);
  });

  it('says what is wrong where it could crash', async () => {
    const { cli, root, json } = repository();
    const missing = cli(['add', '--summary', 'x', ...scope, '--body-file', 'nope.md']);
    assert.deepEqual([missing.status, missing.stderr], [1, 'learnings: There is no file nope.md.\n']);
    for (const name of ['constructor', 'toString']) assert.equal(cli([name]).status, 2, name);
    assert.equal(cli(['completion', 'constructor']).status, 2);

    for (let index = 0; index < 3; index++) json('add', '--summary', 'x'.repeat(1900), ...scope);
    const reader = spawn(process.execPath, [bundle('cli'), 'list'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    reader.stdout.destroy();
    let errors = '';
    reader.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    await once(reader, 'close');
    assert.equal(errors, '');
  });

  it('explains every command, with an example that names it', () => {
    const { cli } = repository();
    const names = [...cli(['--help']).stdout.matchAll(/^ {2}([\w-]+) {2,}/gm)].map(([, name]) => name ?? '');
    const wanted =
      'init add list show update supersede upvote archive restore sync prune stale promote reject search explain migrate-layout doctor config tool mcp receipts test-delivery completion';
    assert.deepEqual(names.toSorted(), wanted.split(' ').toSorted());
    for (const name of names.filter((command) => command !== 'completion')) {
      const { stdout, status } = cli([name, '--help']);
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`Examples:\\n {2}.*learnings ${name}`), name);
    }
    for (const shell of ['bash', 'zsh', 'fish'])
      assert.match(cli(['completion', shell]).stdout, /migrate-layout/);
  });

  it('exits 2 on a wrong call and says how to call it', () => {
    const { cli } = repository();
    for (const args of [
      ['add'],
      ['list', '--nonsense'],
      ['show'],
      ['supersede', 'L-0001'],
      ['add', '--summary', 'x', 'loose'],
      ['list', '--status', 'odd'],
      ['stale', '--personal'],
      ['prune', '--personal', '--stale-only'],
      ['config', '--unset'],
      ['config', 'enabled', 'false', '--unset'],
    ]) {
      const { status, stderr } = cli(args);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /^learnings: ./);
    }
  });
});
