import * as vscode from 'vscode';

import { LearningsError } from '../../core/api';
import { remember } from '../../node/remember';
import { commandIds } from '../ids';
import { escapeMarkdown } from '../text';
import type { Question } from './question';
import { activeFile, attachedFiles, storeFor } from './place';

/** `/remember <words>`: keeps them as a candidate, about the files that are attached or the one that is open. */
export async function rememberWords(question: Question): Promise<void> {
  const { surface, request, stream } = question;
  const words = request.prompt.trim();
  if (words === '') {
    const message = vscode.l10n.t('Say what to remember, such as: @learnings /remember Never retry a POST.');
    throw new LearningsError('input-invalid', message);
  }
  const attached = attachedFiles(question);
  const files = attached.length > 0 ? attached : activeFile(question);
  const { root } = storeFor(question, files);
  const paths = files.filter(({ store }) => store.root === root).map(({ path }) => path);
  const kept = await remember(surface.workspace.writer(root), {
    words,
    scope: { paths, tags: [] },
    session: undefined,
  });
  if ('refused' in kept) throw new LearningsError('refused', kept.refused);
  await surface.workspace.refresh();
  const about =
    paths.length === 0
      ? vscode.l10n.t('the whole repository')
      : paths.map((path) => escapeMarkdown(path)).join(', ');
  stream.markdown(
    vscode.l10n.t('Kept as the candidate {0}, about {1}:', `**${kept.id}**`, about) +
      `\n\n> ${escapeMarkdown(words)}\n\n` +
      vscode.l10n.t('Agents are given it once you promote it.'),
  );
  const ref = { root, id: kept.id };
  stream.button({ command: commandIds.promote, title: vscode.l10n.t('Promote'), arguments: [ref] });
  stream.button({ command: commandIds.edit, title: vscode.l10n.t('Edit…'), arguments: [ref] });
  stream.button({ command: commandIds.openRecord, title: vscode.l10n.t('Open'), arguments: [ref] });
}
