import * as vscode from 'vscode';

import { LearningsError } from '../../core/api';
import { participantId } from '../ids';
import type { Surface } from '../surface';
import { answerFooter, answerSearch, answerWhy } from './answers';
import type { Question } from './question';
import { rememberWords } from './remember';
import { reviewChange } from './review';

/** What an answer was about, for what may be asked next. */
interface Result extends vscode.ChatResult {
  readonly metadata?: { readonly command: string; readonly file?: string };
}

const commands: Readonly<Record<string, (question: Question) => unknown>> = {
  remember: rememberWords,
  why: answerWhy,
  review: (question) => reviewChange(question),
  footer: answerFooter,
};

/** Answers `@learnings`. */
export async function answer(question: Question): Promise<Result> {
  const { request, stream, surface } = question;
  if (!vscode.workspace.isTrusted) {
    stream.markdown(
      vscode.l10n.t(
        'This workspace is not trusted, so its learnings are neither given out nor written. Trust it first.',
      ),
    );
    stream.button({ command: 'workbench.trust.manage', title: vscode.l10n.t('Manage Workspace Trust') });
    return {};
  }
  try {
    // What is on disk counts, whatever the watcher has not told yet.
    await surface.workspace.refresh();
    const run = commands[request.command ?? ''] ?? answerSearch;
    await run(question);
    return { metadata: { command: request.command ?? '' } };
  } catch (error) {
    if (error instanceof LearningsError) {
      stream.markdown(error.message);
      return {};
    }
    surface.log.error(error instanceof Error ? error : String(error));
    return { errorDetails: { message: error instanceof Error ? error.message : String(error) } };
  }
}

export function registerChat(surface: Surface, icon: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, (request, _context, stream, token) =>
    answer({ surface, request, stream, token }),
  );
  participant.iconPath = icon;
  participant.followupProvider = { provideFollowups: ({ metadata }: Result) => followups(metadata?.command) };
  return participant;
}

/** What somebody may want to ask next. */
export function followups(after: string | undefined): vscode.ChatFollowup[] {
  const why = { command: 'why', prompt: '', label: vscode.l10n.t('What applies to this file, and why?') };
  const review = {
    command: 'review',
    prompt: '',
    label: vscode.l10n.t('Does my change go against any of it?'),
  };
  if (after === 'why') return [review];
  return after === '' ? [why, review] : [];
}
