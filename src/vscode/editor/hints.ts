import * as vscode from 'vscode';

import type { Surface } from '../surface';
import { ExplorerBadge } from './badge';
import { shownIn } from './documents';
import { LearningHover } from './hover';
import { fileLenses, symbolLenses } from './lens';
import { StatusBarCount } from './statusBar';
import { NamedSymbols } from './symbols';

/** What is shown in and around an editor: lenses, hover, status bar, badges. */
export function registerHints(surface: Surface): vscode.Disposable[] {
  const named = new NamedSymbols(surface.workspace);
  const lenses = [fileLenses(surface), symbolLenses(surface, named)];
  const registered: vscode.Disposable[] = [];
  // VS Code shows the lenses of the last session until it can ask. Asked before the learnings are read, we would
  // answer that there are none, and the text would jump up, and down again.
  const whenRead = surface.workspace.onDidChange(() => {
    whenRead.dispose();
    registered.push(...lenses.map((one) => vscode.languages.registerCodeLensProvider(shownIn, one)));
  });
  return [
    named,
    ...lenses,
    whenRead,
    new vscode.Disposable(() => registered.forEach((one) => void one.dispose())),
    vscode.languages.registerHoverProvider(shownIn, new LearningHover(surface)),
    new StatusBarCount(surface),
    new ExplorerBadge(surface),
  ];
}
