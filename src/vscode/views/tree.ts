import * as vscode from 'vscode';

import { learningCard } from '../card';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { refOf, type Entry } from '../workspace';

interface Item extends Entry {
  readonly matchedBy: readonly string[];
}

/** The learnings about the active editor's file, or all of them. */
export class LearningsTree implements vscode.TreeDataProvider<Item>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly surface: Surface,
    private readonly content: 'thisFile' | 'all',
  ) {
    const refresh = (): void => this.changed.fire();
    this.subscriptions = [this.changed, surface.workspace.onDidChange(refresh)];
    if (content === 'thisFile') this.subscriptions.push(surface.activeFile.onDidChange(refresh));
  }

  getChildren(parent?: Item): Item[] {
    if (parent) return [];
    const { workspace, activeFile } = this.surface;
    if (this.content === 'all') {
      return workspace.all().flatMap((store) => store.list().map((held) => ({ store, held, matchedBy: [] })));
    }
    const found = activeFile.uri && workspace.findForFile(activeFile.uri);
    return (
      found?.matches.flatMap((match) => {
        const entry = workspace.get(refOf(found.store.root, match));
        return entry ? [{ ...entry, matchedBy: match.matchedBy }] : [];
      }) ?? []
    );
  }

  getTreeItem(element: Item): vscode.TreeItem {
    const { record, status } = element.held;
    const superseded = status === 'superseded';
    const item = new vscode.TreeItem(plainLabel(record.summary));
    item.description = superseded ? vscode.l10n.t('{0} superseded', record.id) : record.id;
    item.tooltip = learningCard(element, { matchedBy: element.matchedBy });
    item.iconPath = new vscode.ThemeIcon(superseded ? 'history' : 'lightbulb');
    item.command = { command: commandIds.openRecord, title: vscode.l10n.t('Open'), arguments: [element] };
    return item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
