import * as vscode from 'vscode';

import { explainFile, LearningsError, nameOf, type Held, type Learnings } from '../../core/api';
import { footerOf, sessionsOf } from '../authoring/used';
import { commandIds } from '../ids';
import { escapeMarkdown } from '../text';
import { recordUri, refOf } from '../workspace';
import type { Question } from './question';
import { activeFile, attachedFiles, namedFiles, type AskedFile } from './place';

/** An answer in a chat is read from top to bottom, so it is short. */
const MAX_ROWS = 8;
const MAX_FILES = 3;

/** A learning by its name, which opens its record. */
export function linkTo(store: Learnings, learning: Pick<Held, 'record' | 'origin'>): string {
  const name = nameOf(learning.origin, learning.record);
  const held = store.get(refOf(store.root, learning).id);
  return held
    ? `[**${escapeMarkdown(name)}**](<${recordUri({ held }).toString()}>)`
    : `**${escapeMarkdown(name)}**`;
}

/** `/why <file>`: what applies to a file and why, and what nearly does. */
export async function answerWhy(question: Question): Promise<void> {
  const { stream, request } = question;
  const asked = [...(await namedFiles(question, request.prompt)), ...attachedFiles(question)];
  const files = asked.length > 0 ? asked : activeFile(question);
  if (files.length === 0) {
    const message =
      request.prompt.trim() === ''
        ? vscode.l10n.t('Which file? Open it, attach it, or name it: @learnings /why src/http/server.ts')
        : vscode.l10n.t('No repository that keeps learnings has such a file.');
    throw new LearningsError('input-invalid', message);
  }
  for (const file of files.slice(0, MAX_FILES)) explain(question, file);
  const [first] = files;
  stream.button({ command: commandIds.explain, title: vscode.l10n.t('Explain'), arguments: [first?.uri] });
  stream.button({
    command: commandIds.testDelivery,
    title: vscode.l10n.t('What Agents Get'),
    arguments: [first?.uri],
  });
}

function explain({ stream }: Question, { store, path, uri }: AskedFile): void {
  const { given, withheld, nearMisses, settings } = explainFile(store, path, { now: new Date() });
  const summary = ({ record }: Pick<Held, 'record'>): string => escapeMarkdown(record.summary, 300);
  const shown = `[${escapeMarkdown(path)}](<${uri.toString()}>)`;
  const lines = [
    given.length === 0
      ? vscode.l10n.t('No learning is about {0}.', shown)
      : given.length === 1
        ? vscode.l10n.t('1 learning is about {0}:', shown)
        : vscode.l10n.t('{0} learnings are about {1}, best first:', given.length, shown),
    '',
    ...given.slice(0, MAX_ROWS).flatMap(({ match, beyondCap }) => {
      const { record, matchedBy } = match;
      const by = matchedBy.map((reason) => escapeMarkdown(reason.replace(/^path:.* ~ /, ''))).join(', ');
      const notes = [
        vscode.l10n.t('matched by {0}', by),
        ...(beyondCap
          ? [vscode.l10n.t('beyond the {0} that an agent is given at once', settings.perCall)]
          : []),
      ];
      return [
        `- ${linkTo(store, match)} ${summary(match)}`,
        ...(record.rationale === undefined ? [] : [`  ${escapeMarkdown(record.rationale, 300)}`]),
        `  *${notes.join('; ')}*`,
      ];
    }),
    ...(given.length > MAX_ROWS ? [`- ${vscode.l10n.t('and {0} more', given.length - MAX_ROWS)}`] : []),
    ...withheld
      .slice(0, MAX_ROWS)
      .map(
        ({ match, why }) =>
          `- ${linkTo(store, match)} ${vscode.l10n.t('is left out')}: *${escapeMarkdown(why)}*`,
      ),
    ...(given.length === 0
      ? nearMisses
          .slice(0, 3)
          .map(
            ({ match, why }) =>
              `- ${linkTo(store, match)} ${vscode.l10n.t('nearly is')}: *${escapeMarkdown(why)}*`,
          )
      : []),
    '',
  ];
  stream.markdown(`${lines.join('\n')}\n`);
}

/** Without a command: what is recorded about the words of a question. */
export async function answerSearch(question: Question): Promise<void> {
  const { surface, request, stream } = question;
  const words = request.prompt.trim();
  const stores = surface.workspace.all();
  if (words === '' || stores.length === 0) {
    stream.markdown(
      stores.length === 0
        ? vscode.l10n.t(
            'Nothing has been learned about this folder yet. Say what to remember with /remember.',
          )
        : vscode.l10n.t(
            'Ask about anything your team may have recorded, such as “retries”; or use /why, /review and /remember.',
          ),
    );
    return;
  }
  const found = await Promise.all(
    stores.map(async (store) => ({ store, ...(await store.search(words, { limit: MAX_ROWS })) })),
  );
  const hits = found
    .flatMap(({ store, hits: some }) => some.map((hit) => ({ store, ...hit })))
    .toSorted((a, b) => b.score - a.score);
  if (hits.length === 0) {
    stream.markdown(vscode.l10n.t('Nothing is recorded about that.'));
    stream.button({ command: commandIds.search, title: vscode.l10n.t('Search Learnings…') });
    return;
  }
  const rows = hits
    .slice(0, MAX_ROWS)
    .flatMap(({ store, held, snippet }) => [
      `- ${linkTo(store, held)} ${escapeMarkdown(held.record.summary, 300)}`,
      ...(snippet.text === held.record.summary ? [] : [`  *${escapeMarkdown(snippet.text, 300)}*`]),
    ]);
  const more = found.reduce((sum, { total }) => sum + total, 0) - Math.min(hits.length, MAX_ROWS);
  if (more > 0) rows.push(`- ${vscode.l10n.t('and {0} more', more)}`);
  stream.markdown(`${vscode.l10n.t('Recorded about that, best first:')}\n\n${rows.join('\n')}\n`);
}

/** `/footer`: what the last session was given, for a pull request. */
export function answerFooter({ surface, stream }: Question): void {
  const [latest] = sessionsOf(surface.workspace.all());
  if (!latest) {
    throw new LearningsError(
      'not-found',
      vscode.l10n.t('No agent has been given learnings in this checkout yet.'),
    );
  }
  const footer = footerOf(latest);
  stream.markdown(vscode.l10n.t('What the last session was given, to paste into a pull request:'));
  stream.markdown(`\n\n\`\`\`\`\`markdown\n${footer}\`\`\`\`\`\n`);
  stream.button({ command: commandIds.copyUsed, title: vscode.l10n.t('Copy…') });
}
