import { userInfo } from 'node:os';

import * as vscode from 'vscode';

import { nameOf, voteFrom, writeReceipt } from '../../core/api';
import { receiptsJournal } from '../../node/journal';
import type { Surface } from '../surface';
import { resolveTarget, type Target } from '../target';
import type { Entry } from '../workspace';
import { announce, write } from './after';
import { windowAsk, type Ask } from './ask';
import { writerOf } from './place';

export async function upvoteLearning(surface: Surface, target: Target, ask: Ask = windowAsk): Promise<void> {
  const entry = await resolveTarget(surface, target, {
    title: vscode.l10n.t('Upvote Learning'),
    accept: ({ status }) => status === 'active',
  });
  if (entry) await upvote(surface, entry, ask);
}

/** One vote: of git's user, for the branch. Only what git does not know is asked. */
export async function upvote(surface: Surface, entry: Entry, ask: Ask): Promise<void> {
  const { id } = entry.held.record;
  const store = await writerOf(surface, entry, ask);
  if (!store) return;
  const known = await voteFrom(store.ports.git);
  const voter = known.voter ?? (await askOnce(surface, ask, voterQuestion()));
  if (!voter) return;
  const task = known.task ?? (await askOnce(surface, ask, taskQuestion()));
  if (!task) return;
  const vote = { voter, task };
  const { added, count } = await write(surface, () => store.upvote(id, vote));
  const votes = count === 1 ? vscode.l10n.t('1 vote') : vscode.l10n.t('{0} votes', count);
  if (added) {
    const { origin, record } = entry.held;
    writeReceipt(receiptsJournal(entry.store.root), {
      at: new Date().toISOString(),
      did: 'upvoted',
      ids: [nameOf(origin, record)],
    });
    const message = vscode.l10n.t('Upvoted {0} for {1}: {2}.', id, task, votes);
    announce(surface, ask, { message, undo: () => store.retractVote(id, vote) });
  } else {
    announce(surface, ask, {
      message: vscode.l10n.t('Your vote for {0} on {1} is already counted: {2}.', id, task, votes),
    });
  }
}

interface MemoryQuestion {
  /** Where the last answer is kept. */
  readonly key: string;
  readonly title: string;
  readonly prompt: string;
  readonly text: string;
}

const voterQuestion = (): MemoryQuestion => ({
  key: 'voter',
  title: vscode.l10n.t('Who Votes?'),
  prompt: vscode.l10n.t('git has no user.name here. Your name stands beside the vote.'),
  text: userInfo().username,
});

const taskQuestion = (): MemoryQuestion => ({
  key: 'task',
  title: vscode.l10n.t('For Which Work?'),
  prompt: vscode.l10n.t(
    'There is no git branch here. A vote counts once for each task it was found true in.',
  ),
  text: '',
});

async function askOnce(
  { memory }: Surface,
  ask: Ask,
  { key, title, prompt, text }: MemoryQuestion,
): Promise<string | undefined> {
  const answer = await ask.write({
    title,
    prompt,
    text: memory.get(key, text),
    check: (typed) => (typed.trim() === '' ? vscode.l10n.t('A vote needs this.') : undefined),
  });
  if (typeof answer !== 'object') return undefined;
  await memory.update(key, answer.value);
  return answer.value;
}
