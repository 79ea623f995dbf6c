import type * as vscode from 'vscode';

import type { Surface } from '../surface';

const notBuilt = (...args: readonly unknown[]): Promise<void> =>
  Promise.reject(new Error(`not built ${args.length}`));

export const showForFile = (surface: Surface, uri: vscode.Uri | undefined): Promise<void> =>
  notBuilt(surface, uri);
export const toggleHints = (): Promise<void> => notBuilt();
