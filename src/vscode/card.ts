import * as vscode from 'vscode';

import type { Tally } from '../core/api';
import { deliveryText } from './deliveries';
import { commandIds, type CommandId } from './ids';
import { escapeMarkdown } from './text';
import { refOf, type Entry } from './workspace';

interface CardOptions {
  /** Why it is shown here. */
  readonly matchedBy?: readonly string[];
  /** How often it was given to agents, where that is known. */
  readonly deliveries?: Tally | undefined;
  /** Links that act on it; only where a person can click them. */
  readonly withActions?: boolean;
}

const actions: readonly [CommandId, () => string][] = [
  [commandIds.openRecord, () => vscode.l10n.t('Open')],
  [commandIds.upvote, () => vscode.l10n.t('Upvote')],
  [commandIds.supersede, () => vscode.l10n.t('Supersede…')],
  [commandIds.copyAsMarkdown, () => vscode.l10n.t('Copy')],
];

/** A learning as Markdown, for tooltips and hovers. Nothing in its text can format, link or run anything. */
export function learningCard(
  entry: Entry,
  { matchedBy = [], deliveries, withActions = false }: CardOptions = {},
): vscode.MarkdownString {
  const { store, held } = entry;
  const { record, votes, origin, status } = held;
  const lines = [`**${escapeMarkdown(record.summary)}**`];
  if (record.rationale) lines.push(escapeMarkdown(record.rationale));
  const facts = [
    record.id,
    ...(origin.kind === 'repository' ? [] : [origin.name]),
    status === 'superseded' ? vscode.l10n.t('superseded by {0}', record.supersededBy ?? '?') : status,
    record.kind,
    ...(record.priority === 0 ? [] : [vscode.l10n.t('priority {0}', record.priority)]),
    votes.length === 1 ? vscode.l10n.t('1 vote') : vscode.l10n.t('{0} votes', votes.length),
  ];
  const given = status === 'active' ? deliveryText(deliveries) : undefined;
  if (given !== undefined) facts.push(given);
  lines.push(facts.map((fact) => escapeMarkdown(fact)).join(' · '));
  if (matchedBy.length > 0)
    lines.push(vscode.l10n.t('Matched by {0}', matchedBy.map((reason) => escapeMarkdown(reason)).join(', ')));
  if (record.evidence.length > 0) {
    const evidence = record.evidence.map(({ kind, ref, quote }) =>
      escapeMarkdown(`${kind} ${ref}${quote ? `: “${quote}”` : ''}`, 300),
    );
    lines.push(vscode.l10n.t('Evidence: {0}', evidence.join(', ')));
  }
  const card = new vscode.MarkdownString(lines.join('\n\n'));
  if (withActions) {
    const argument = encodeURIComponent(JSON.stringify([refOf(store.root, held)]));
    card.appendMarkdown(
      `\n\n${actions.map(([id, title]) => `[${title()}](command:${id}?${argument})`).join(' · ')}`,
    );
    card.isTrusted = { enabledCommands: actions.map(([id]) => id) };
  }
  return card;
}
