import type * as vscode from 'vscode';

import type { Surface } from '../surface';
import { registerExplanations } from './explain';
import { Renames } from './renames';

/** Keeps the learnings true while files move, and fills the pages that explain a file. */
export function registerCare(surface: Surface): vscode.Disposable[] {
  return [new Renames(surface), ...registerExplanations(surface)];
}
