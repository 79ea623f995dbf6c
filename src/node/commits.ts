import { runGit } from './git';

export interface Commit {
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  /** Such as `3 days ago`. */
  readonly age: string;
}

const COMMITS = 200;

/** The latest commits of the branch; none where there is no git. */
export async function recentCommits(root: string): Promise<readonly Commit[]> {
  const format = '--format=%H%x00%s%x00%an%x00%ar';
  const output = await runGit(root, ['log', `--max-count=${COMMITS}`, format]);
  return output
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [id = '', subject = '', author = '', age = ''] = line.split('\0');
      return { id, subject, author, age };
    });
}

/** The files that a commit touched and that lie below the root, relative to it. */
export async function filesOfCommit(root: string, id: string): Promise<readonly string[]> {
  const args = [
    'show',
    '--first-parent',
    '--format=',
    '--name-only',
    '-z',
    '--relative',
    '--end-of-options',
    id,
  ];
  const names = (await runGit(root, args)).split('\0');
  // A learning is about other files, not about records.
  return names.filter((name) => name !== '' && !name.startsWith('.learnings/'));
}
