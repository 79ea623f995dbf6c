import * as vscode from 'vscode';

/** What a view says beside its title. */
export interface Heading {
  readonly badge?: vscode.ViewBadge;
  readonly description?: string;
  /** Said in place of rows. */
  readonly message?: string;
}

/** What the trees of the sidebar have in common: they are made anew when one of their sources changes. */
export abstract class Tree<Row> implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  protected constructor(sources: readonly vscode.Event<void>[]) {
    this.subscriptions = [this.changed, ...sources.map((source) => source(() => this.refresh()))];
  }

  abstract readonly heading: Heading;
  abstract getChildren(parent?: Row): Row[];
  abstract getTreeItem(row: Row): vscode.TreeItem;
  abstract resolveTreeItem(item: vscode.TreeItem, row: Row): vscode.TreeItem;
  /** Forgets what was made of the sources as they were. */
  protected abstract forget(): void;

  protected refresh(): void {
    this.forget();
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
