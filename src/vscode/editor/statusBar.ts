import * as vscode from 'vscode';

import { commandIds } from '../ids';
import { isHintOn, onDidChangeSettings } from '../settings';
import type { Surface } from '../surface';
import { countOf, summaryList } from './wording';

/** How many learnings are about the file in front, in the status bar; nothing where none is. */
export class StatusBarCount implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly surface: Surface) {
    // Beside the position in the file and its language, which are about the active editor too.
    this.item = vscode.window.createStatusBarItem('learnings.count', vscode.StatusBarAlignment.Right, 100.5);
    this.item.name = vscode.l10n.t('Learnings for This File');
    this.item.command = commandIds.showForFile;
    const update = (): void => this.update();
    this.subscriptions = [
      this.item,
      surface.activeFile.onDidChange(update),
      surface.workspace.onDidChange(update),
      onDidChangeSettings(update),
    ];
    this.update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private update(): void {
    const { workspace, activeFile } = this.surface;
    const found = activeFile.uri && isHintOn('statusBar') ? workspace.findForFile(activeFile.uri) : undefined;
    if (!found || found.total === 0) return this.item.hide();
    const count = countOf(found.total);
    this.item.text = `$(lightbulb) ${found.total}`;
    this.item.tooltip = new vscode.MarkdownString(
      `**${vscode.l10n.t('{0} about this file', count)}**\n\n${summaryList(found)}`,
    );
    this.item.accessibilityInformation = { label: vscode.l10n.t('{0} about this file', count) };
    this.item.show();
  }
}
