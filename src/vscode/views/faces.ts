import * as vscode from 'vscode';

import { kinds, oneLine, statuses, type LearningRecord, type Status } from '../../core/api';
import type { Grouping } from './outline';

interface Face {
  readonly icon: vscode.ThemeIcon;
  readonly title: () => string;
}

interface KindFace extends Face {
  readonly plural: () => string;
}

const icon = (id: string): vscode.ThemeIcon => new vscode.ThemeIcon(id);

export const kindFaces: Readonly<Record<LearningRecord['kind'], KindFace>> = {
  rule: { icon: icon('law'), title: () => vscode.l10n.t('Rule'), plural: () => vscode.l10n.t('Rules') },
  decision: {
    icon: icon('milestone'),
    title: () => vscode.l10n.t('Decision'),
    plural: () => vscode.l10n.t('Decisions'),
  },
  validation: {
    icon: icon('verified'),
    title: () => vscode.l10n.t('Validation'),
    plural: () => vscode.l10n.t('Validations'),
  },
  summary: {
    icon: icon('note'),
    title: () => vscode.l10n.t('Summary'),
    plural: () => vscode.l10n.t('Summaries'),
  },
  evidence: {
    icon: icon('beaker'),
    title: () => vscode.l10n.t('Evidence'),
    plural: () => vscode.l10n.t('Evidence'),
  },
  fact: { icon: icon('info'), title: () => vscode.l10n.t('Fact'), plural: () => vscode.l10n.t('Facts') },
};

export const statusFaces: Readonly<Record<Status, Face>> = {
  active: { icon: icon('lightbulb'), title: () => vscode.l10n.t('Active') },
  superseded: { icon: icon('history'), title: () => vscode.l10n.t('Superseded') },
  archived: { icon: icon('archive'), title: () => vscode.l10n.t('Archived') },
  candidate: { icon: icon('inbox'), title: () => vscode.l10n.t('Candidate') },
};

const folder = icon('folder');
const wholeRepository = icon('repo');
const tag = icon('tag');
const nowhere = icon('circle-slash');

/** How a group of a tree looks. */
export function groupFace(
  name: string | undefined,
  grouping: Grouping,
): { readonly icon: vscode.ThemeIcon; readonly title: string } {
  const kind = kinds.find((one) => grouping === 'kind' && one === name);
  if (kind) return { icon: kindFaces[kind].icon, title: kindFaces[kind].plural() };
  const status = statuses.find((one) => grouping === 'status' && one === name);
  if (status) return { icon: statusFaces[status].icon, title: statusFaces[status].title() };
  if (grouping === 'tag')
    return name === undefined
      ? { icon: nowhere, title: vscode.l10n.t('No tags') }
      : { icon: tag, title: oneLine(name, 200) };
  if (name === undefined) return { icon: nowhere, title: vscode.l10n.t('No paths') };
  return name === ''
    ? { icon: wholeRepository, title: vscode.l10n.t('Whole repository') }
    : { icon: folder, title: oneLine(name, 200) };
}
