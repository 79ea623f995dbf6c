import * as vscode from 'vscode';

import type { Learnings, Match } from '../core/api';
import { commandIds } from './ids';
import type { Workspace } from './workspace';

export interface LearningItem {
  readonly store: Learnings;
  readonly record: Match['record'];
  readonly matchedBy: readonly string[];
}

/** The learnings about the active editor's file, or all of them. */
export class LearningsTree implements vscode.TreeDataProvider<LearningItem>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly workspace: Workspace,
    private readonly content: 'thisFile' | 'all',
  ) {
    const refresh = (): void => this.changed.fire();
    this.subscriptions = [this.changed, workspace.onDidChange(refresh)];
    if (content === 'thisFile') this.subscriptions.push(vscode.window.onDidChangeActiveTextEditor(refresh));
  }

  getChildren(parent?: LearningItem): LearningItem[] {
    if (parent) return [];
    if (this.content === 'all') {
      return this.workspace
        .all()
        .flatMap((store) => store.list().map(({ record }) => ({ store, record, matchedBy: [] })));
    }
    const uri = vscode.window.activeTextEditor?.document.uri;
    const found = uri && this.workspace.findForFile(uri);
    return found ? found.matches.map((match) => ({ store: found.store, ...match })) : [];
  }

  getTreeItem(element: LearningItem): vscode.TreeItem {
    const { record, matchedBy } = element;
    const superseded = record.status === 'superseded';
    const item = new vscode.TreeItem(record.summary);
    item.description = superseded ? vscode.l10n.t('{0} superseded', record.id) : record.id;
    item.tooltip = [record.summary, record.rationale ?? '', ...matchedBy].filter(Boolean).join('\n\n');
    item.iconPath = new vscode.ThemeIcon(superseded ? 'history' : 'lightbulb');
    item.command = { command: commandIds.openRecord, title: vscode.l10n.t('Open'), arguments: [element] };
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

export function recordUri({ store, record }: LearningItem): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(store.root), '.learnings', record.id, 'learning.yaml');
}
