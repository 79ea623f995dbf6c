import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from './attempt';
import { runGit } from './git';

/** What has not been committed yet. */
export interface WorkingChange {
  /** Relative to the root. */
  readonly files: readonly string[];
  readonly diff: string;
}

/** Of a new file so much is shown; whole files are seldom needed to see what they go against. */
const MAX_NEW_CHARS = 6000;

/** What the working tree of a root has changed since the last commit, new files included; the records are left out. */
export async function workingChange(root: string): Promise<WorkingChange> {
  const others = ['--', '.', ':(exclude).learnings'];
  const list = async (args: readonly string[]): Promise<string[]> =>
    (await runGit(root, [...args, ...others])).split('\0').filter(Boolean);
  const changed = await list(['diff', '--name-only', '--relative', '-z', 'HEAD']);
  const added = await list(['ls-files', '--others', '--exclude-standard', '-z']);
  const diff = await runGit(root, ['diff', '--relative', '--no-color', '--no-ext-diff', 'HEAD', ...others]);
  const texts = added.flatMap((file) => {
    const text = attempt(() => readFileSync(join(root, file), 'utf8')) ?? '';
    if (text === '' || text.includes('\0')) return [];
    const lines = text.slice(0, MAX_NEW_CHARS).split('\n');
    return [`--- /dev/null\n+++ b/${file}\n${lines.map((line) => `+${line}`).join('\n')}\n`];
  });
  return { files: [...changed, ...added], diff: [diff, ...texts].filter(Boolean).join('\n') };
}
