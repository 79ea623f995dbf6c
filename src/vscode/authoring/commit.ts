import * as vscode from 'vscode';

import { filesOfCommit, recentCommits, type Commit } from '../../node/commits';
import { plainLabel } from '../text';
import type { Ask } from './ask';

interface ChosenCommit extends Commit {
  readonly files: readonly string[];
}

/** The commit that a row of the timeline stands for, or one that is picked among the latest. */
export async function chooseCommit(root: string, item: unknown, ask: Ask): Promise<ChosenCommit | undefined> {
  const commit = commitOf(item) ?? (await pickCommit(root, ask));
  return commit && { ...commit, files: await filesOfCommit(root, commit.id) };
}

/** What VS Code's git extension hands to commands on its timeline: `ref` is the commit, `message` its subject. */
function commitOf(item: unknown): Commit | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { ref, message, label } = item as { ref?: unknown; message?: unknown; label?: unknown };
  if (typeof ref !== 'string' || !/^[0-9a-f]{7,64}$/.test(ref)) return undefined;
  const subject = [message, label].find((text) => typeof text === 'string') ?? '';
  return { id: ref, subject: subject.split('\n', 1)[0] ?? '', author: '', age: '' };
}

async function pickCommit(root: string, ask: Ask): Promise<Commit | undefined> {
  const commits = await recentCommits(root);
  if (commits.length === 0) {
    void ask.tell(vscode.l10n.t('There are no commits to learn from here.'));
    return undefined;
  }
  const answer = await ask.pickOne({
    title: vscode.l10n.t('Add Learning from Commit'),
    placeholder: vscode.l10n.t('Which commit taught it?'),
    rows: (typed) =>
      commits
        .filter(({ id, subject, author }) =>
          `${id} ${subject} ${author}`.toLowerCase().includes(typed.trim().toLowerCase()),
        )
        .map((commit) => ({
          label: `$(git-commit) ${plainLabel(commit.subject)}`,
          description: plainLabel(`${commit.id.slice(0, 8)}, ${commit.author}, ${commit.age}`),
          value: commit,
        })),
  });
  return typeof answer === 'object' ? answer.value : undefined;
}
