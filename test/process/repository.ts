import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundle, runNode, temporaryFolder } from './product';

export interface Repository {
  readonly root: string;
  /** The home folder of whoever works here. */
  readonly home: string;
  readonly git: (...args: string[]) => string;
  readonly commit: (message: string) => void;
  readonly cli: (args: readonly string[], options?: RunOptions) => Outcome;
  /** Runs a command that must succeed, and gives its JSON. */
  readonly json: (...args: string[]) => Record<string, unknown>;
  readonly read: (path: string) => string;
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type RunOptions = NonNullable<Parameters<typeof runNode>[1]>;

/** A git repository with a store, and the command line in it. */
export function repository(): Repository {
  const root = temporaryFolder();
  const home = temporaryFolder();
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  const cli: Repository['cli'] = (args, { env, ...options } = {}) => {
    const { status, stdout, stderr } = runNode([bundle('cli'), ...args], {
      cwd: root,
      env: { HOME: home, USERPROFILE: home, ...env },
      ...options,
    });
    return { status, stdout, stderr };
  };
  const json = (...args: string[]): Record<string, unknown> => {
    const { status, stdout, stderr } = cli([...args, '--json']);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  json('init');
  const commit = (message: string): void => {
    git('add', '-A');
    git('commit', '--quiet', '-m', message);
  };
  return {
    root,
    home,
    git,
    commit,
    cli,
    json,
    read: (path: string): string => readFileSync(join(root, path), 'utf8'),
  };
}

export const scope = ['--scope', 'paths=src/{a,b}/**,lib/', 'tags=perf'];
