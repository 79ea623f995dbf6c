import * as vscode from 'vscode';

import { viewIds } from '../ids';
import type { Surface } from '../surface';
import { LearningsTree } from './tree';

/** The views of the sidebar. */
export class Views implements vscode.Disposable {
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(surface: Surface) {
    const thisFile = new LearningsTree(surface, 'thisFile');
    const all = new LearningsTree(surface, 'all');
    this.subscriptions = [
      thisFile,
      all,
      vscode.window.registerTreeDataProvider(viewIds.thisFile, thisFile),
      vscode.window.registerTreeDataProvider(viewIds.all, all),
    ];
  }

  chooseGrouping(): Promise<void> {
    return Promise.reject(new Error('not built'));
  }

  chooseFilter(): Promise<void> {
    return Promise.reject(new Error('not built'));
  }

  clearFilter(): void {
    throw new Error('not built');
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
