import { basename } from 'node:path';

import * as vscode from 'vscode';

import { oneLine, type Held, type Learnings } from '../../core/api';
import { commandIds } from '../ids';
import type { Entry } from '../workspace';
import { kindFaces, statusFaces } from './faces';

/** A learning in a tree. Commands are called with it. */
export interface LearningRow extends Entry {
  readonly type: 'learning';
  /** Stays the same from refresh to refresh, so that what is selected and expanded stays too. */
  readonly id: string;
}

interface LearningItemOptions {
  /** What is said after the summary. */
  readonly details: readonly string[];
  readonly collapsibleState?: vscode.TreeItemCollapsibleState;
}

/** Longer than any sidebar is wide. */
const MAX_LABEL = 200;

const dimColor = new vscode.ThemeColor('disabledForeground');
const dimIcons = {
  superseded: new vscode.ThemeIcon('history', dimColor),
  archived: new vscode.ThemeIcon('archive', dimColor),
} as const;

/** A row has no colour of its own; it takes that of the file it stands for. All dimmed rows stand for this one. */
const dimmed = vscode.Uri.from({ scheme: 'learnings-dimmed', path: '/' });

/** Gives dimmed rows their colour. */
export const dimming: vscode.FileDecorationProvider = {
  provideFileDecoration: ({ scheme }) => (scheme === dimmed.scheme ? { color: dimColor } : undefined),
};

/** The row of a learning, all but its tooltip: that is made when it is asked for. */
export function learningItem(
  row: LearningRow,
  { details, collapsibleState = vscode.TreeItemCollapsibleState.None }: LearningItemOptions,
): vscode.TreeItem {
  const { record, status } = row.held;
  const label = oneLine(record.summary, MAX_LABEL);
  const facts = details.map((detail) => oneLine(detail, MAX_LABEL));
  const item = new vscode.TreeItem(label, collapsibleState);
  item.id = row.id;
  item.description = facts.join(' · ');
  item.contextValue = contextValueOf(row.held);
  item.accessibilityInformation = {
    label: [label, kindFaces[record.kind].title(), statusFaces[status].title(), ...facts].join(', '),
  };
  if (status === 'superseded' || status === 'archived') {
    item.iconPath = dimIcons[status];
    item.resourceUri = dimmed;
  } else item.iconPath = kindFaces[record.kind].icon;
  item.command = {
    command: commandIds.openRecord,
    title: vscode.l10n.t('Open Learning'),
    arguments: [row],
  };
  return item;
}

/** What the menus of package.json offer for it. */
function contextValueOf({ status, origin }: Held): string {
  if (status === 'candidate') return 'candidate';
  return origin.kind === 'repository' ? `learning.${status}` : 'learning.foreign';
}

/** What a repository is called among several. */
export const nameOf = ({ root }: Learnings): string => basename(root);
