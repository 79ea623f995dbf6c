import type * as vscode from 'vscode';

import type { ActiveFile } from './activeFile';
import type { Deliveries } from './deliveries';
import type { Workspace } from './workspace';

/** What every surface is made from. */
export interface Surface {
  readonly workspace: Workspace;
  readonly activeFile: ActiveFile;
  readonly deliveries: Deliveries;
  readonly log: vscode.LogOutputChannel;
  /** What is remembered for this workspace. */
  readonly memory: vscode.Memento;
  /** What is remembered for this person, in every workspace. */
  readonly ownMemory: vscode.Memento;
}
