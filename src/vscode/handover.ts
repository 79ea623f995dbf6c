import { existsSync } from 'node:fs';

import * as vscode from 'vscode';

import { leaveEditorSettings } from '../node/editorSettings';
import { cacheOf } from '../node/journal';
import { isUpToDate, loadSnapshot } from '../node/savedSnapshot';
import { saveSnapshot } from '../node/snapshot';
import { editorSettings } from './settings';
import type { ReadStore, Workspace } from './workspace';

/** A pull or a checkout changes many records, one after the other. */
const SETTLE_MS = 500;
/** When a window opens there are better things to do. */
const START_MS = 3000;

/**
 * Leaves what the programs beside the editor need: what somebody set in it, which they cannot ask for, and the snapshot
 * that the hook answers from, so that it need not make one. Nobody waits for it, and where it fails nothing is lost.
 */
export class Handover implements vscode.Disposable {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly subscription: vscode.Disposable;

  constructor(private readonly workspace: Pick<Workspace, 'onDidRead' | 'readAgain'>) {
    this.subscription = workspace.onDidRead((read) => {
      const { root } = read.learnings;
      clearTimeout(this.timers.get(root));
      const timer = setTimeout(() => this.leave(read), read.signs ? SETTLE_MS : START_MS);
      this.timers.set(root, timer);
    });
  }

  private leave({ learnings, signs }: ReadStore): void {
    const { root } = learnings;
    this.timers.delete(root);
    if (!vscode.workspace.isTrusted) return;
    try {
      const isNew = leaveEditorSettings(root, editorSettings(root));
      if (!existsSync(cacheOf(root))) return;
      if (signs && !isNew) {
        saveSnapshot(learnings, signs);
        return;
      }
      // It was read before anybody looked at the signs, or before the settings were there.
      const saved = loadSnapshot(root);
      if (!saved || !isUpToDate(saved)) this.workspace.readAgain(root);
    } catch {
      // A disk that is full or cannot be written: the hook does it for itself.
    }
  }

  dispose(): void {
    this.subscription.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
  }
}
