import type * as vscode from 'vscode';

import type { Surface } from '../surface';

const notBuilt = (...args: readonly unknown[]): Promise<void> =>
  Promise.reject(new Error(`not built ${args.length}`));

export const explainFile = (surface: Surface, uri: vscode.Uri | undefined): Promise<void> =>
  notBuilt(surface, uri);
export const syncIndex = (surface: Surface): Promise<void> => notBuilt(surface);
export const checkStaleness = (surface: Surface): Promise<void> => notBuilt(surface);
export const repairStore = (surface: Surface): Promise<void> => notBuilt(surface);
