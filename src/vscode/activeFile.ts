import * as vscode from 'vscode';

/** A page of ours; VS Code puts a prefix of its own before its type. */
const isOurs = (type: string): boolean => /\blearnings\.\w+$/.test(type);

/** The file in front of the person, whatever kind of editor shows it. */
export class ActiveFile implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private last: vscode.Uri | undefined;
  readonly onDidChange = this.changed.event;

  constructor() {
    const look = (): void => {
      const now = this.uri;
      if (now?.toString() === this.last?.toString()) return;
      this.last = now;
      this.changed.fire();
    };
    this.last = this.uri;
    this.subscriptions = [
      this.changed,
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.window.onDidChangeActiveNotebookEditor(look),
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
    ];
  }

  get uri(): vscode.Uri | undefined {
    const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    // Whoever reads why a file gets its learnings is still with the file.
    if (input instanceof vscode.TabInputWebview && isOurs(input.viewType)) return this.last;
    return (
      vscode.window.activeTextEditor?.document.uri ??
      vscode.window.activeNotebookEditor?.notebook.uri ??
      uriOf(input)
    );
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Of an image, a diff or another editor that shows no text of its own. */
function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff)
    return input.modified;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputNotebook ? input.uri : undefined;
}

/** Schemes under which an editor shows a file of the disk: itself, its last commit, a cell of it. */
const ofDisk = new Set(['file', 'git', 'vscode-notebook-cell']);

/** The path of the file that a document shows; undefined for one that is on no disk. */
export function pathOf(uri: vscode.Uri): string | undefined {
  return ofDisk.has(uri.scheme) ? vscode.Uri.file(uri.path).fsPath : undefined;
}
