import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository, scope, type Repository } from './repository';

/** Lets two branches grow from one base and merges the second into the first. */
function mergeBranches(
  repo: Repository,
  grow: { base: () => void; ours: () => void; theirs: () => void },
): { conflicts: string[] } {
  const { git, commit } = repo;
  grow.base();
  commit('base');
  git('checkout', '--quiet', '-b', 'other');
  grow.theirs();
  commit('theirs');
  git('checkout', '--quiet', 'main');
  grow.ours();
  commit('ours');
  try {
    git('merge', '--quiet', '--no-edit', 'other');
  } catch {
    // A conflict, which is what some of these tests are about.
  }
  return { conflicts: git('diff', '--name-only', '--diff-filter=U').split('\n').filter(Boolean) };
}

/** Adds as somebody does who cannot see the other branch: git is not asked for ids. */
const addBlindly = (repo: Repository, summary: string): void => {
  const { status, stderr } = repo.cli(['add', '--summary', summary, '--model', summary, ...scope], {
    env: { PATH: '' },
  });
  assert.equal(status, 0, stderr);
};

describe('learnings doctor, after a merge', () => {
  it('has nothing to do where both branches added, voted and superseded different records', () => {
    const repo = repository();
    const { json, cli } = repo;
    const { conflicts } = mergeBranches(repo, {
      base: () => ['One.', 'Two.'].forEach((summary) => json('add', '--summary', summary, ...scope)),
      theirs: () => {
        json('upvote', 'L-0001', '--model', 'claude', '--task', 'T-1');
        json('add', '--summary', 'Instead of one.', '--supersedes', 'L-0001', ...scope);
      },
      ours: () => {
        json('upvote', 'L-0001', '--model', 'copilot', '--task', 'T-2');
        json('add', '--summary', 'Instead of two.', '--supersedes', 'L-0002', ...scope);
      },
    });
    assert.deepEqual(conflicts, []);
    assert.equal(json('show', 'L-0001')['vote_count'], 2);
    assert.equal(cli(['doctor']).stdout, 'All is well.\n');
    const active = cli(['list', '--status', 'active']).stdout.trim().split('\n').toSorted();
    assert.deepEqual(active, ['L-0003  Instead of one.', 'L-0004  Instead of two.']);
  });

  it('joins a record that both branches superseded, each by one of its own', () => {
    const repo = repository();
    const { json, cli, git, commit } = repo;
    const { conflicts } = mergeBranches(repo, {
      base: () => json('add', '--summary', 'Old.', ...scope),
      theirs: () => json('add', '--summary', 'Their new one.', '--supersedes', 'L-0001', ...scope),
      ours: () => json('add', '--summary', 'Our new one.', '--supersedes', 'L-0001', ...scope),
    });
    assert.deepEqual(conflicts, ['.learnings/L-0001/learning.yaml']);
    const told = cli(['doctor']);
    assert.equal(told.status, 3);
    assert.match(told.stdout, /merge-conflict markers.*\n.*doctor --fix will put both sides together/);
    const fixed = cli(['doctor', '--fix']);
    assert.equal(fixed.status, 0, fixed.stdout);
    const old = json('show', 'L-0001');
    assert.deepEqual([old['status'], old['supersededBy']], ['superseded', 'L-0002']);
    assert.deepEqual((json('list', '--status', 'active')['results'] as unknown[]).length, 2);
    commit('merged');
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(cli(['doctor']).status, 0);
  });

  it('keeps both records that took one id, the second under the next, and what follows from it', () => {
    const repo = repository();
    const { json, cli } = repo;
    const { conflicts } = mergeBranches(repo, {
      base: () => json('add', '--summary', 'Old.', ...scope),
      theirs: () => {
        addBlindly(repo, 'Theirs.');
        json('supersede', 'L-0001', '--with', 'L-0002');
      },
      ours: () => addBlindly(repo, 'Ours.'),
    });
    assert.deepEqual(conflicts, ['.learnings/L-0002/learning.yaml']);
    assert.equal(cli(['doctor', '--fix']).status, 0);
    assert.equal(json('show', 'L-0002')['summary'], 'Ours.');
    assert.equal(json('show', 'L-0003')['summary'], 'Theirs.');
    assert.deepEqual(json('show', 'L-0003')['supersedes'], ['L-0001']);
    assert.equal(json('show', 'L-0001')['supersededBy'], 'L-0003');
    assert.equal(cli(['sync']).status, 0);
  });

  it('joins an edit of both branches, field by field, and takes a side where it is told one', () => {
    for (const [keep, summary] of [
      ['ours', 'Ours.'],
      ['theirs', 'Theirs.'],
    ] as const) {
      const repo = repository();
      const { json, cli } = repo;
      const { conflicts } = mergeBranches(repo, {
        base: () => json('add', '--summary', 'Base.', ...scope),
        theirs: () => json('update', 'L-0001', '--summary', 'Theirs.', '--priority', '7'),
        ours: () => json('update', 'L-0001', '--summary', 'Ours.'),
      });
      assert.deepEqual(conflicts, ['.learnings/L-0001/learning.yaml']);
      assert.equal(cli(['doctor', '--fix', '--keep', keep]).status, 0);
      const merged = json('show', 'L-0001');
      assert.deepEqual([merged['summary'], merged['priority']], [summary, 7]);
    }
  });
});

describe('learnings doctor, where two clones took the same ids', () => {
  it('keeps what they made of theirs, and touches none of ours', () => {
    const repo = repository();
    const { json, cli, commit } = repo;
    const { conflicts } = mergeBranches(repo, {
      base: () => json('config', 'enabled', 'true'),
      theirs: () => {
        addBlindly(repo, 'Their first.');
        addBlindly(repo, 'Their second.');
        json('supersede', 'L-0001', '--with', 'L-0002');
      },
      ours: () => {
        addBlindly(repo, 'Our first.');
        addBlindly(repo, 'Our second.');
      },
    });
    assert.equal(conflicts.length, 2);
    assert.equal(cli(['doctor', '--fix']).status, 0);
    const one = (id: string): unknown[] => {
      const { summary, status, supersedes, supersededBy } = json('show', id);
      return [summary, status, supersedes, supersededBy ?? null];
    };
    assert.deepEqual(one('L-0001'), ['Our first.', 'active', [], null]);
    assert.deepEqual(one('L-0002'), ['Our second.', 'active', [], null]);
    assert.deepEqual(one('L-0003'), ['Their first.', 'superseded', [], 'L-0004']);
    assert.deepEqual(one('L-0004'), ['Their second.', 'active', ['L-0003'], null]);
    commit('merged');
    assert.equal(cli(['doctor']).stdout, 'All is well.\n');
  });

  it('takes from each side what it alone changed, by what git has of the base', () => {
    const repo = repository();
    const { json, cli } = repo;
    const { conflicts } = mergeBranches(repo, {
      base: () => json('add', '--summary', 'Base.', '--rationale', 'Base.', '--scope', 'paths=a,b'),
      theirs: () => json('update', 'L-0001', '--scope', 'paths=b,c'),
      ours: () => json('update', 'L-0001', '--summary', 'Ours.', '--rationale', 'Ours.'),
    });
    assert.deepEqual(conflicts, ['.learnings/L-0001/learning.yaml']);
    assert.equal(cli(['doctor', '--fix']).status, 0);
    const merged = json('show', 'L-0001');
    assert.deepEqual([merged['summary'], merged['rationale']], ['Ours.', 'Ours.']);
    assert.deepEqual(merged['scope'], { paths: ['b', 'c'], tags: [], symbols: [] });
  });

  it('says of a record that one side removed that somebody must choose', () => {
    const repo = repository();
    const { root, json, cli, git } = repo;
    mergeBranches(repo, {
      base: () => json('add', '--summary', 'Base.', ...scope),
      theirs: () => json('update', 'L-0001', '--summary', 'Theirs.'),
      ours: () => rmSync(join(root, '.learnings/L-0001'), { recursive: true }),
    });
    const { status, stdout } = cli(['doctor']);
    assert.equal(status, 3);
    assert.match(stdout, /one side of the merge removed it.*\n {2}You have to decide/);
    git('add', '.learnings');
    assert.equal(cli(['doctor']).stdout, 'All is well.\n');
  });
});

describe('learnings, as policy and as housekeeping', () => {
  it('shows, sets and takes away what config.yaml says, with where each value comes from', () => {
    const { cli, json, read } = repository();
    const one = (): unknown => (json('config', 'caps.per_call')['settings'] as unknown[])[0];
    assert.match(cli(['config', 'caps.per_call', '8']).stdout, /caps\.per_call: 8 +config\.yaml/);
    assert.equal(read('.learnings/config.yaml'), 'version: 1\ncaps:\n  per_call: 8\n');
    const { stdout } = cli(['config', 'caps.per_call'], { env: { LEARNINGS_PER_CALL_CAP: '3' } });
    assert.match(stdout, /caps\.per_call: 3 +LEARNINGS_PER_CALL_CAP/);
    assert.match(cli(['config', 'caps.per_call', 'many']).stderr, /caps\.per_call must be a whole number/);
    cli(['config', 'caps.per_call', '--unset']);
    assert.match(JSON.stringify(one()), /"value":5,"source":"default"/);
    assert.equal(cli(['config', 'nonsense']).status, 2);
    assert.match(cli(['config', 'max_age_days', '']).stderr, /max_age_days must not be blank/);
    const folder = '../a-shared-folder-with-a-long-name';
    assert.match(cli(['config', 'extends', folder]).stdout, /long-name"\] config\.yaml/);
  });

  it('says which line of config.yaml is wrong, and goes on without it', () => {
    const { root, cli } = repository();
    writeFileSync(join(root, '.learnings/config.yaml'), 'version: 1\nenabled: perhaps\n');
    const { status, stderr } = cli(['sync']);
    assert.equal(status, 3);
    assert.match(stderr, /^\.learnings\/config\.yaml:2:1: enabled must be true or false/);
    assert.match(cli(['config', 'enabled']).stdout, /enabled: true +default/);
  });

  it('writes personal learnings only when told so, and finds them in every repository', () => {
    const { cli, json, home } = repository();
    const args = ['add', '--personal', '--summary', 'Mine.', '--scope', 'paths=**'];
    const refused = cli(args);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /only when a person says so: confirm, or give --yes/);
    assert.equal(cli([...args, '--yes']).stdout, 'Saved as P-0001.\n');
    assert.deepEqual(json('list', '--path', 'a.ts')['results'], [
      {
        id: 'P-0001',
        store: 'personal',
        summary: 'Mine.',
        tags: [],
        matched_by: ['path:a.ts ~ **'],
        updated_at: json('show', 'P-0001')['updatedAt'],
      },
    ]);
    assert.equal(cli(['list']).stdout, 'Nothing matches.\n');
    assert.equal(cli(['list', '--personal']).stdout, 'P-0001  Mine.\n');
    json('config', 'scope', 'local');
    assert.deepEqual(json('list', '--path', 'a.ts')['results'], []);
    // The home folder is nobody's repository.
    mkdirSync(join(home, 'project'));
    assert.match(cli(['list'], { cwd: join(home, 'project') }).stderr, /Make one with learnings init/);
  });

  it('finds what a shared folder holds that it extends, and never writes there', () => {
    const shared = repository();
    shared.json('add', '--summary', 'For everybody.', ...scope);
    const { cli, json } = repository();
    json('config', 'extends', shared.root);
    const [row] = json('list', '--path', 'lib/x.ts')['results'] as { id: string; store: string }[];
    assert.equal(row?.id, 'L-0001');
    assert.equal(json('show', `${row.store}/L-0001`)['summary'], 'For everybody.');
    assert.equal(cli(['upvote', `${row.store}/L-0001`]).status, 1);
    assert.match(
      cli(['config', 'extends', '../nowhere']).stderr,
      /config\.yaml:2:1: extends names \.\.\/nowhere/,
    );
  });

  it('reports what is stale and why, and archives it when asked', () => {
    const { root, cli, json, commit, git } = repository();
    mkdirSync(join(root, 'src/a'), { recursive: true });
    writeFileSync(join(root, 'src/a/x.ts'), '');
    writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"mocha"},"other":1}');
    commit('code');
    const head = git('rev-parse', '--short', 'HEAD').trim();
    const add = (summary: string, ...rest: string[]): void => {
      json('add', '--summary', summary, ...rest);
    };
    add('True.', '--scope', 'paths=src/**', '--evidence', `commit=${head}`);
    add('Files gone.', '--scope', 'paths=gone/**');
    add('Commit gone.', '--scope', 'paths=src/**', '--evidence', 'commit=0123456789');
    add('Input.', '--scope', 'paths=src/**', '--fingerprint', 'package.json#scripts.test');
    const ids = (): unknown => (json('stale')['stale'] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids(), ['L-0002', 'L-0003']);
    writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"vitest"},"other":1}');
    assert.deepEqual(ids(), ['L-0002', 'L-0003', 'L-0004']);
    rmSync(join(root, 'src'), { recursive: true });
    assert.deepEqual(ids(), ['L-0001', 'L-0002', 'L-0003', 'L-0004']);

    json('supersede', 'L-0001', '--with', 'L-0002');
    const report = cli(['prune', '--stale-only']).stdout;
    assert.match(report, /L-0002 {2}Files gone\.\n {2}No file matches gone\/\*\* any more\./);
    assert.match(report, /again with --delete/);
    assert.doesNotMatch(report, /L-0001/);
    assert.match(cli(['prune']).stdout, /L-0001[^]*Superseded by L-0002/);
    assert.match(cli(['prune', '--delete']).stdout, /Archived 4/);
    assert.equal(cli(['list']).stdout, 'Nothing matches.\n');
    json('restore', 'L-0002');
    assert.equal(json('show', 'L-0002')['status'], 'active');
  });

  it('archives nothing for want of its commits alone, and goes on after one that it cannot archive', () => {
    const { root, cli, json, commit } = repository();
    commit('base');
    json('add', '--summary', 'Squashed.', '--scope', 'paths=**', '--evidence', 'commit=0123456789');
    json('add', '--summary', 'Stuck.', '--scope', 'paths=gone/**');
    json('add', '--summary', 'Gone.', '--scope', 'paths=gone/**');
    mkdirSync(join(root, '.learnings/archive/L-0002'), { recursive: true });
    writeFileSync(join(root, '.learnings/archive/L-0002/notes.md'), '');
    const { status, stdout, stderr } = cli(['prune', '--delete']);
    assert.equal(status, 1);
    assert.match(stdout, /Archived 1\..*\nLeft in use: L-0001\. Only commits are gone/);
    assert.match(stderr, /^Not archived: L-0002: \.learnings\/archive\/L-0002 is there already/);
    assert.equal(json('show', 'L-0003')['status'], 'archived');
  });

  it('takes none of your own learnings for stale', () => {
    const { cli, json } = repository();
    const add = ['add', '--personal', '--yes', '--summary', 'Mine.', '--scope', 'paths=src/**'];
    cli(add);
    cli([...add, '--supersedes', 'P-0001']);
    const { learnings } = json('prune', '--personal') as { learnings: { id: string }[] };
    assert.deepEqual(
      learnings.map(({ id }) => id),
      ['P-0001'],
    );
  });

  it('finds stale paths where git is absent', () => {
    const { root, cli } = repository();
    rmSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, 'there.ts'), '');
    cli(['add', '--summary', 'There.', '--scope', 'paths=there.ts']);
    cli(['add', '--summary', 'Gone.', '--scope', 'paths=gone.ts']);
    assert.match(cli(['stale']).stdout, /^L-0002 {2}Gone\.\n/);
  });

  it('refuses a secret, and overwrites no field that somebody else changed', () => {
    const { cli, json, read } = repository();
    const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    const { status, stderr } = cli(['add', '--summary', `Use ${token}.`, ...scope]);
    assert.equal(status, 1);
    assert.match(stderr, /summary holds what looks like a GitHub token/);
    json('add', '--summary', 'One.', ...scope);
    const seen = read('.learnings/L-0001/learning.yaml');
    json('update', 'L-0001', '--summary', 'By somebody else.');
    const update = ['update', 'L-0001', '--expected-file', '-'];
    assert.match(
      cli([...update, '--summary', 'Mine.'], { input: seen }).stderr,
      /summary of L-0001 was changed/,
    );
    assert.equal(cli([...update, '--priority', '2'], { input: seen }).status, 0);
    assert.equal(json('show', 'L-0001')['summary'], 'By somebody else.');
  });

  it('warns of a tag that tags.yaml does not have', () => {
    const { root, cli } = repository();
    writeFileSync(join(root, '.learnings/tags.yaml'), 'performance: Speed.\n');
    const { status, stderr } = cli(['add', '--summary', 'x', ...scope]);
    assert.equal(status, 0);
    assert.equal(stderr, 'Not in .learnings/tags.yaml: perf.\n');
  });
});
