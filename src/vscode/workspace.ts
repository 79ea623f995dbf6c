import * as vscode from 'vscode';

import type { Learnings, Match } from '../core/api';
import { findRoot, openFrom } from '../node/open';

/** The learnings of every open folder, and one event when any of them changed. */
export class Workspace implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher('**/.learnings/**');
  private readonly subscriptions: vscode.Disposable[];
  private stores: readonly Learnings[] = [];
  private running: Promise<void> | undefined;
  private asked = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    const refresh = (): void => void this.refresh();
    this.subscriptions = [
      this.changed,
      this.watcher,
      this.watcher.onDidChange(refresh),
      this.watcher.onDidCreate(refresh),
      this.watcher.onDidDelete(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    ];
  }

  all(): readonly Learnings[] {
    return this.stores;
  }

  /** The learnings about a file, and the store they come from. */
  find(uri: vscode.Uri): { store: Learnings; matches: readonly Match[] } | undefined {
    const root = uri.scheme === 'file' ? findRoot(uri.fsPath) : undefined;
    const store = this.stores.find((candidate) => candidate.root === root);
    return store && { store, matches: store.find({ paths: [uri.fsPath] }) };
  }

  /** Reads the folders again. Calls that arrive while it runs share one further run. */
  async refresh(): Promise<void> {
    this.asked++;
    this.running ??= this.load().finally(() => (this.running = undefined));
    return this.running;
  }

  private async load(): Promise<void> {
    for (let answered = 0; answered < this.asked;) {
      answered = this.asked;
      const roots = new Set(
        (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => findRoot(uri.fsPath) ?? []),
      );
      this.stores = await Promise.all([...roots].map((root) => openFrom(root)));
    }
    this.asked = 0;
    for (const store of this.stores) {
      this.log.info(`${store.root}: ${store.all().length} learnings, ${store.problems().length} problems`);
      for (const { file, line, message } of store.problems()) this.log.warn(`${file}:${line}: ${message}`);
    }
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
