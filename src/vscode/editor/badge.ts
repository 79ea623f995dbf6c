import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import * as vscode from 'vscode';

import { isHintOn, onDidChangeSettings } from '../settings';
import type { Surface } from '../surface';
import { countOf } from './wording';

/** As many as the Explorer can have in view, and then some; of others it asks again when it shows them. */
const MAX_REMEMBERED = 5000;
/** So many are looked at before others have their turn. */
const PORTION = 100;

/** Marks files in the Explorer with the number of learnings about them, where that is wanted. */
export class ExplorerBadge implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri[]>();
  private readonly subscriptions: readonly vscode.Disposable[];
  /** What was answered, by URI, the oldest first. */
  private readonly answered = new Map<string, number>();
  private registration: vscode.Disposable | undefined;
  private looks = 0;
  readonly onDidChangeFileDecorations = this.changed.event;

  constructor(private readonly surface: Surface) {
    this.subscriptions = [
      this.changed,
      onDidChangeSettings(() => this.registerIfWanted()),
      surface.workspace.onDidChange(() => void this.lookAgain()),
    ];
    this.registerIfWanted();
  }

  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    if (uri.scheme !== 'file') return undefined;
    const total = this.count(uri);
    this.remember(uri, total);
    if (total === 0 || !(await isFile(uri))) return undefined;
    return new vscode.FileDecoration(total > 9 ? '9+' : String(total), countOf(total));
  }

  dispose(): void {
    this.registration?.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** While it is off, VS Code does not even ask. */
  private registerIfWanted(): void {
    const wanted = isHintOn('explorerBadge');
    if (wanted === (this.registration !== undefined)) return;
    this.registration?.dispose();
    this.registration = wanted ? vscode.window.registerFileDecorationProvider(this) : undefined;
    this.answered.clear();
  }

  private count(uri: vscode.Uri): number {
    return this.surface.workspace.findForFile(uri, 1)?.total ?? 0;
  }

  private remember(uri: vscode.Uri, total: number): void {
    const name = uri.toString();
    this.answered.delete(name);
    this.answered.set(name, total);
    if (this.answered.size <= MAX_REMEMBERED) return;
    const [oldest] = this.answered.keys();
    if (oldest !== undefined) this.answered.delete(oldest);
  }

  /** Tells of the files whose number is another now, a portion at a time. */
  private async lookAgain(): Promise<void> {
    const look = ++this.looks;
    const names = [...this.answered];
    for (let start = 0; start < names.length && look === this.looks; start += PORTION) {
      const changed = names
        .slice(start, start + PORTION)
        .map(([name, before]) => ({ uri: vscode.Uri.parse(name), before }))
        .filter(({ uri, before }) => this.count(uri) !== before);
      if (changed.length > 0) this.changed.fire(changed.map(({ uri }) => uri));
      await setImmediate();
    }
  }
}

/** A folder that a pattern means as well gets no badge: the files in it have theirs. */
async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await stat(uri.fsPath)).isFile();
  } catch {
    return false;
  }
}
