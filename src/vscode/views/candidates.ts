import * as vscode from 'vscode';

import { learningCard } from '../card';
import { escapeMarkdown } from '../text';
import type { Entry, Workspace } from '../workspace';
import { learningItem, nameOf, type LearningRow } from './row';
import { Tree, type Heading } from './tree';

const DAY_MS = 86_400_000;

/** What somebody proposed and nobody has decided on, the oldest first. */
export class Candidates extends Tree<LearningRow> {
  private rows: LearningRow[] | undefined;

  constructor(private readonly workspace: Pick<Workspace, 'all' | 'onDidChange'>) {
    super([workspace.onDidChange]);
  }

  protected forget(): void {
    this.rows = undefined;
  }

  private list(): LearningRow[] {
    this.rows ??= this.workspace
      .all()
      .flatMap((store) =>
        store
          .list('candidate')
          .map((held): LearningRow => ({ type: 'learning', id: `${store.root}\n${held.file}`, store, held })),
      )
      .sort((a, b) => (createdMs(a) ?? 0) - (createdMs(b) ?? 0));
    return this.rows;
  }

  get heading(): Heading {
    const { length } = this.list();
    if (length === 0) return {};
    const tooltip =
      length === 1
        ? vscode.l10n.t('1 candidate waits for a decision')
        : vscode.l10n.t('{0} candidates wait for a decision', length);
    return { badge: { value: length, tooltip } };
  }

  getChildren(parent?: LearningRow): LearningRow[] {
    return parent ? [] : this.list();
  }

  getTreeItem(row: LearningRow): vscode.TreeItem {
    const by = row.held.record.createdBy;
    const age = ageOf(row);
    const details = [
      ...(by === undefined ? [] : [vscode.l10n.t('by {0}', by)]),
      ...(age === undefined ? [] : [age]),
      ...(this.workspace.all().length > 1 ? [nameOf(row.store)] : []),
    ];
    return learningItem(row, { details });
  }

  resolveTreeItem(item: vscode.TreeItem, row: LearningRow): vscode.TreeItem {
    const card = learningCard(row);
    for (const line of storyOf(row)) card.appendMarkdown(`\n\n${line}`);
    item.tooltip = card;
    return item;
  }
}

function createdMs({ held: { record } }: Entry): number | undefined {
  return record.createdAt === undefined ? undefined : Date.parse(record.createdAt);
}

/** How long it has waited. */
function ageOf(entry: Entry): string | undefined {
  const created = createdMs(entry);
  if (created === undefined) return undefined;
  const days = Math.floor((Date.now() - created) / DAY_MS);
  if (days <= 0) return vscode.l10n.t('today');
  return days === 1 ? vscode.l10n.t('1 day ago') : vscode.l10n.t('{0} days ago', days);
}

/** As Markdown: who proposed it, and what becomes of it. */
function storyOf(entry: Entry): string[] {
  const { createdBy } = entry.held.record;
  const created = createdMs(entry);
  const by = createdBy === undefined ? vscode.l10n.t('somebody') : escapeMarkdown(createdBy);
  return [
    created === undefined
      ? vscode.l10n.t('Proposed by {0}.', by)
      : vscode.l10n.t('Proposed by {0} on {1}.', by, dateOf(created)),
    vscode.l10n.t('Waits until somebody promotes or rejects it.'),
  ];
}

const dateOf = (ms: number): string =>
  new Date(ms).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
