import * as vscode from 'vscode';

import { escapeMarkdown, nameOf, renderReviewPrompt, type Learnings, type Match } from '../../core/api';
import { workingChange, type WorkingChange } from '../../node/workingChange';
import { linkTo } from './answers';
import type { Question } from './question';

/** A model loses sight of more. */
const MAX_LEARNINGS = 40;
const MAX_CHARS = 120_000;

/** What applies to a change, with the files that each learning is about. */
interface Applying {
  readonly store: Learnings;
  readonly change: WorkingChange;
  readonly learnings: readonly { readonly match: Match; readonly files: readonly string[] }[];
}

/** `/review`: compares what is not committed yet with what is recorded about the files it touches. */
export async function reviewChange(
  question: Question,
  changeOf: (root: string) => Promise<WorkingChange> = workingChange,
): Promise<void> {
  const { surface, stream } = question;
  stream.progress(vscode.l10n.t('Looking at what has changed'));
  const changes = await Promise.all(
    surface.workspace.all().map(async (store) => ({ store, change: await changeOf(store.root) })),
  );
  const changed = changes.filter(({ change }) => change.files.length > 0);
  if (changed.length === 0) {
    stream.markdown(vscode.l10n.t('Nothing has changed since the last commit.'));
    return;
  }
  const applying = changed.map(apply).filter(({ learnings }) => learnings.length > 0);
  if (applying.length === 0) {
    stream.markdown(vscode.l10n.t('No learning is about the files that have changed.'));
    return;
  }
  for (const one of applying) {
    const answered = await compare(question, one);
    stream.markdown(`${answered ? '\n\n---\n\n' : ''}${listing(one)}\n`);
  }
}

function apply({ store, change }: { store: Learnings; change: WorkingChange }): Applying {
  const found = new Map<string, { match: Match; files: string[] }>();
  for (const file of change.files) {
    for (const match of store.find({ paths: [file] }).matches) {
      const name = nameOf(match.origin, match.record);
      const known = found.get(name) ?? { match, files: [] };
      known.files.push(file);
      found.set(name, known);
    }
  }
  return { store, change, learnings: [...found.values()].slice(0, MAX_LEARNINGS) };
}

/** Has the user's model compare; false, and a word about it, where there is none that can. */
async function compare(
  { request, stream, token }: Question,
  { change, learnings }: Applying,
): Promise<boolean> {
  const { model } = request;
  if (!model) {
    stream.markdown(
      `${vscode.l10n.t('No model is selected that could compare them, so here is what applies.')}\n\n`,
    );
    return false;
  }
  const maxChars = Math.min(MAX_CHARS, model.maxInputTokens * 3);
  const prompt = renderReviewPrompt({
    learnings: learnings.map(({ match, files }) => ({
      name: nameOf(match.origin, match.record),
      record: match.record,
      files,
    })),
    diff: change.diff,
    maxChars,
  });
  stream.progress(vscode.l10n.t('Comparing the change with {0} learnings', learnings.length));
  try {
    const answer = await model.sendRequest([vscode.LanguageModelChatMessage.User(prompt)], {}, token);
    for await (const part of answer.text) stream.markdown(part);
    return true;
  } catch (error) {
    if (!(error instanceof vscode.LanguageModelError)) throw error;
    const why = escapeMarkdown(error.message);
    stream.markdown(
      `${vscode.l10n.t('The model could not compare them ({0}), so here is what applies.', why)}\n\n`,
    );
    return false;
  }
}

function listing({ store, change, learnings }: Applying): string {
  const title =
    change.files.length === 1
      ? vscode.l10n.t('Recorded about the changed file:')
      : vscode.l10n.t('Recorded about the {0} changed files:', change.files.length);
  const rows = learnings.map(({ match, files }) => {
    const [first = '', ...others] = files;
    const where =
      others.length === 0
        ? escapeMarkdown(first)
        : vscode.l10n.t('{0} and {1} more', escapeMarkdown(first), others.length);
    return `- ${linkTo(store, match)} ${escapeMarkdown(match.record.summary, 300)} *${where}*`;
  });
  return [title, '', ...rows].join('\n');
}
