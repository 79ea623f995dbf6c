import * as vscode from 'vscode';

import {
  LearningsError,
  listWorkingFiles,
  oneLine,
  type Finder,
  type Found,
  type Held,
  type Learnings,
} from '../core/api';
import { findRoot } from '../node/findUp';
import { nodePorts, openFrom, openStoreAt, type OpenStore } from '../node/open';
import { pathOf } from './activeFile';
import { editorSettings, onDidChangeSettings } from './settings';

/** One learning, in a form that fits into a command's arguments. */
export interface LearningRef {
  /** Of the repository whose learnings it was found among. */
  readonly root: string;
  /** `name/id` if it is of another store than the repository's own. */
  readonly id: string;
}

/** A learning with the repository it was found in. */
export interface Entry {
  readonly store: Learnings;
  readonly held: Held;
}

export interface FoundForFile extends Found {
  readonly store: Learnings;
  /** The file, as the store's patterns see it. */
  readonly path: string;
}

interface Opened {
  readonly learnings: Learnings;
  readonly watcher: vscode.Disposable;
}

/** The learnings of every open folder, and one event when any of them changed. */
export class Workspace implements vscode.Disposable, Finder {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: readonly vscode.Disposable[];
  private opened: ReadonlyMap<string, Opened> = new Map();
  private files = new Map<string, Promise<readonly string[]>>();
  private symbols = new WeakMap<Learnings, ReadonlySet<string>>();
  private running: Promise<void> | undefined;
  private asked = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly log: vscode.LogOutputChannel) {
    const newStores = vscode.workspace.createFileSystemWatcher('**/.learnings/*');
    const forget = (): void => this.files.clear();
    this.subscriptions = [
      this.changed,
      newStores,
      newStores.onDidCreate(() => this.refreshSoon()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.refreshSoon()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.reopen()),
      // The watcher is only a hint; a look at the window's return is what makes the views true.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        forget();
        if (focused) this.refreshSoon();
      }),
      vscode.workspace.onDidCreateFiles(forget),
      vscode.workspace.onDidDeleteFiles(forget),
      vscode.workspace.onDidRenameFiles(forget),
      onDidChangeSettings(() => this.refreshSoon()),
    ];
  }

  all(): readonly Learnings[] {
    return [...this.opened.values()].map(({ learnings }) => learnings);
  }

  /** The learnings of all folders about a target. */
  find(...question: Parameters<Finder['find']>): Found {
    const found = this.all().map((store) => store.find(...question));
    return {
      matches: found.flatMap(({ matches }) => matches),
      total: found.reduce((sum, { total }) => sum + total, 0),
    };
  }

  /** The store that governs a file: the nearest above it. */
  storeFor(uri: vscode.Uri): Learnings | undefined {
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    const slashed = vscode.Uri.file(path).path;
    return this.all()
      .filter(({ root }) => slashed.startsWith(`${vscode.Uri.file(root).path}/`))
      .reduce<Learnings | undefined>(
        (best, store) => (best && best.root.length >= store.root.length ? best : store),
        undefined,
      );
  }

  /** The learnings about a file, best first; undefined where no store governs it. */
  findForFile(uri: vscode.Uri, limit = Infinity): FoundForFile | undefined {
    const placed = this.place(uri);
    if (!placed) return undefined;
    const found = isRecordPath(placed.path)
      ? { matches: [], total: 0 }
      : placed.store.find({ paths: [placed.path] }, { limit });
    return { ...placed, ...found };
  }

  /** The symbols that learnings name, for a file that they can be in. */
  symbolsFor(uri: vscode.Uri): { store: Learnings; symbols: ReadonlySet<string> } | undefined {
    const placed = this.place(uri);
    if (!placed || isRecordPath(placed.path)) return undefined;
    const { store } = placed;
    let symbols = this.symbols.get(store);
    if (!symbols) this.symbols.set(store, (symbols = store.symbols()));
    return symbols.size > 0 ? { store, symbols } : undefined;
  }

  /** A file as the store that governs it sees it. */
  private place(uri: vscode.Uri): { store: Learnings; path: string } | undefined {
    const store = this.storeFor(uri);
    const path = pathOf(uri);
    if (!store || path === undefined) return undefined;
    return { store, path: vscode.Uri.file(path).path.slice(vscode.Uri.file(store.root).path.length + 1) };
  }

  /** A learning by its reference; undefined if it is gone. */
  get({ root, id }: LearningRef): Entry | undefined {
    const store = this.opened.get(root)?.learnings;
    const held = store?.get(id);
    return store && held && { store, held };
  }

  /** Opens a store for writing. In a workspace that nobody trusts nothing is written. */
  writer(root: string): OpenStore {
    if (!vscode.workspace.isTrusted) {
      throw new LearningsError(
        'refused',
        vscode.l10n.t('This workspace is not trusted, so nothing is written to it. Trust it first.'),
      );
    }
    return openStoreAt(root);
  }

  /** The files below a root that git has or would add; kept until files come or go. */
  listFiles(root: string): Promise<readonly string[]> {
    const known = this.files.get(root);
    if (known) return known;
    const { files, git } = nodePorts(root);
    // To ask git is to run a program, which an untrusted workspace must not cause.
    const listed = listWorkingFiles({ files, git: vscode.workspace.isTrusted ? git : undefined });
    this.files.set(root, listed);
    listed.catch(() => this.files.delete(root));
    return listed;
  }

  /** For whoever learns that files came or went without the editor's doing. */
  forgetFiles(): void {
    this.files.clear();
  }

  /** Reads the folders again. Calls that arrive while it runs share one further run. */
  async refresh(): Promise<void> {
    this.asked++;
    this.running ??= this.load().finally(() => (this.running = undefined));
    return this.running;
  }

  refreshSoon(): void {
    this.refresh().catch((error: unknown) => this.log.error(error instanceof Error ? error : String(error)));
  }

  /** Stores that were opened for reading alone are opened anew. */
  private reopen(): void {
    for (const { watcher } of this.opened.values()) watcher.dispose();
    this.opened = new Map();
    this.refreshSoon();
  }

  private async load(): Promise<void> {
    for (let answered = 0; answered < this.asked;) {
      answered = this.asked;
      const folders = vscode.workspace.workspaceFolders ?? [];
      const roots = new Set(
        folders.flatMap(({ uri }) => (uri.scheme === 'file' ? (findRoot(uri.fsPath) ?? []) : [])),
      );
      const opened = await Promise.all(
        [...roots].map(async (root) => [root, await this.open(root)] as const),
      );
      const stores = new Map(opened.flatMap(([root, store]) => (store ? [[root, store]] : [])));
      for (const [root, { watcher }] of this.opened) if (!stores.has(root)) watcher.dispose();
      this.opened = stores;
    }
    this.asked = 0;
    this.symbols = new WeakMap();
    this.changed.fire();
  }

  /** One store; if it cannot be read, what was known of it before. */
  private async open(root: string): Promise<Opened | undefined> {
    const known = this.opened.get(root);
    try {
      const options = {
        readOnly: !vscode.workspace.isTrusted,
        editorSettings: () => editorSettings(root),
      };
      const learnings = known?.learnings ?? (await openFrom(root, options));
      if (known) await learnings.reload();
      this.log.info(`${root}: ${learnings.list().length} learnings, ${learnings.problems().length} problems`);
      for (const { file, line, message } of learnings.problems())
        this.log.warn(`${file}:${line}: ${oneLine(message)}`);
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
    const look = (uri: vscode.Uri): void => {
      // What we keep there ourselves tells nothing about the records.
      if (!uri.path.includes('/.learnings/.cache/')) this.refreshSoon();
    };
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(look);
    return watcher;
  }

  dispose(): void {
    for (const { watcher } of this.opened.values()) watcher.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** A record is about other files, not about itself. */
const isRecordPath = (path: string): boolean => path.startsWith('.learnings/');

/** How a learning is named among those of a repository. */
export const refOf = (root: string, { record, origin }: Pick<Held, 'record' | 'origin'>): LearningRef => ({
  root,
  id: origin.kind === 'repository' ? record.id : `${origin.name}/${record.id}`,
});

/** The file of a record. */
export const recordUri = ({ held }: Pick<Entry, 'held'>): vscode.Uri =>
  vscode.Uri.joinPath(vscode.Uri.file(held.origin.root), held.file);
