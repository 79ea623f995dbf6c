import type * as vscode from 'vscode';

import type { Surface } from '../surface';
import type { Target } from '../target';

const notBuilt = (...args: readonly unknown[]): Promise<void> =>
  Promise.reject(new Error(`not built ${args.length}`));

export const initStore = (surface: Surface): Promise<void> => notBuilt(surface);
export const addLearning = (surface: Surface, uri: vscode.Uri | undefined): Promise<void> =>
  notBuilt(surface, uri);
export const addFromSelection = (surface: Surface): Promise<void> => notBuilt(surface);
export const addFromCommit = (surface: Surface, item: unknown): Promise<void> => notBuilt(surface, item);
export const editLearning = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
export const supersedeLearning = (surface: Surface, target: Target): Promise<void> =>
  notBuilt(surface, target);
export const upvoteLearning = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
export const archiveLearning = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
export const restoreLearning = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
export const promoteCandidate = (surface: Surface, target: Target): Promise<void> =>
  notBuilt(surface, target);
export const rejectCandidate = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
export const searchLearnings = (surface: Surface): Promise<void> => notBuilt(surface);
export const copyAsMarkdown = (surface: Surface, target: Target): Promise<void> => notBuilt(surface, target);
