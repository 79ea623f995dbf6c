import * as vscode from 'vscode';

import type { Finder, Found, Learnings, Match } from '../core/api';
import { findRoot, openFrom } from '../node/open';

interface OpenStore {
  readonly learnings: Learnings;
  readonly watcher: vscode.Disposable;
}

/** The learnings of every open folder, and one event when any of them changed. */
export class Workspace implements vscode.Disposable, Finder {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly folders = vscode.workspace.onDidChangeWorkspaceFolders(() => this.refreshSoon());
  private readonly newStores = vscode.workspace.createFileSystemWatcher('**/.learnings/*');
  private stores: ReadonlyMap<string, OpenStore> = new Map();
  private running: Promise<void> | undefined;
  private asked = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    this.newStores.onDidCreate(() => this.refreshSoon());
  }

  all(): readonly Learnings[] {
    return [...this.stores.values()].map(({ learnings }) => learnings);
  }

  /** The learnings of all folders about a target. */
  find(...question: Parameters<Finder['find']>): Found {
    const found = this.all().map((store) => store.find(...question));
    return {
      matches: found.flatMap(({ matches }) => matches),
      total: found.reduce((sum, { total }) => sum + total, 0),
    };
  }

  /** The learnings about a file, and the store that governs it. */
  findForFile(uri: vscode.Uri): { store: Learnings; matches: readonly Match[] } | undefined {
    if (uri.scheme !== 'file') return undefined;
    const path = vscode.Uri.file(uri.fsPath).path;
    const [store] = this.all()
      .filter(({ root }) => path.startsWith(`${vscode.Uri.file(root).path}/`))
      .toSorted((a, b) => b.root.length - a.root.length);
    return store && { store, matches: store.find({ paths: [uri.fsPath] }).matches };
  }

  /** Reads the folders again. Calls that arrive while it runs share one further run. */
  async refresh(): Promise<void> {
    this.asked++;
    this.running ??= this.load().finally(() => (this.running = undefined));
    return this.running;
  }

  private refreshSoon(): void {
    this.refresh().catch((error: unknown) => this.log.error(error instanceof Error ? error : String(error)));
  }

  private async load(): Promise<void> {
    for (let answered = 0; answered < this.asked;) {
      answered = this.asked;
      const folders = vscode.workspace.workspaceFolders ?? [];
      const roots = new Set(folders.flatMap(({ uri }) => findRoot(uri.fsPath) ?? []));
      const opened = await Promise.all(
        [...roots].map(async (root) => [root, await this.open(root)] as const),
      );
      const stores = new Map(opened.flatMap(([root, store]) => (store ? [[root, store]] : [])));
      for (const [root, { watcher }] of this.stores) if (!stores.has(root)) watcher.dispose();
      this.stores = stores;
    }
    this.asked = 0;
    this.changed.fire();
  }

  /** One store; if it cannot be read, what was known of it before. */
  private async open(root: string): Promise<OpenStore | undefined> {
    const known = this.stores.get(root);
    try {
      const learnings = known?.learnings ?? (await openFrom(root));
      if (known) await learnings.reload();
      this.log.info(`${root}: ${learnings.list().length} learnings, ${learnings.problems().length} problems`);
      for (const { file, line, message } of learnings.problems())
        this.log.warn(`${file}:${line}: ${message}`);
      return { learnings, watcher: known?.watcher ?? this.watch(root) };
    } catch (error) {
      this.log.error(error instanceof Error ? error : String(error));
      return known;
    }
  }

  /** A folder opened below the root must see changes above it too, so each root has a watcher of its own. */
  private watch(root: string): vscode.Disposable {
    const pattern = new vscode.RelativePattern(vscode.Uri.file(root), '.learnings/**');
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      event(() => this.refreshSoon());
    return watcher;
  }

  dispose(): void {
    for (const { watcher } of this.stores.values()) watcher.dispose();
    for (const owned of [this.changed, this.folders, this.newStores]) owned.dispose();
  }
}
