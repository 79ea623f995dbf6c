import type * as vscode from 'vscode';

import type { Surface } from '../surface';

/** What is shown in and around an editor: lenses, hover, status bar, badges. */
export function registerHints(surface: Surface): vscode.Disposable[] {
  surface.log.debug('hints');
  return [];
}
