import * as vscode from 'vscode';

import { findLearningsTool } from '../core/api';
import { Dashboard } from './dashboard';
import { commandIds, viewIds } from './ids';
import { languageModelTool } from './languageModelTool';
import { LearningsTree, recordUri, type LearningItem } from './tree';
import { Workspace } from './workspace';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Project Learnings', { log: true });
  context.subscriptions.push(log);
  try {
    await start(context, log);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void reportFailure(error, log);
    // VS Code must know too, or it would call a half-built extension active.
    throw error;
  }
}

async function start(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<void> {
  const { subscriptions } = context;
  const workspace = new Workspace(log);
  subscriptions.push(workspace);

  const dashboard = new Dashboard(workspace, context.extensionUri);
  const commands: Record<string, (...args: never[]) => unknown> = {
    [commandIds.openRecord]: (item: LearningItem) => vscode.window.showTextDocument(recordUri(item)),
    [commandIds.openDashboard]: () => dashboard.open(),
    [commandIds.refresh]: () => workspace.refresh(),
    [commandIds.showLog]: () => log.show(),
  };
  for (const [id, run] of Object.entries(commands)) {
    subscriptions.push(vscode.commands.registerCommand(id, run));
  }

  const thisFile = new LearningsTree(workspace, 'thisFile');
  const all = new LearningsTree(workspace, 'all');
  subscriptions.push(
    dashboard,
    thisFile,
    all,
    vscode.window.registerTreeDataProvider(viewIds.thisFile, thisFile),
    vscode.window.registerTreeDataProvider(viewIds.all, all),
    vscode.lm.registerTool(findLearningsTool.name, languageModelTool(findLearningsTool, workspace)),
  );
  await workspace.refresh();
}

async function reportFailure(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const openLog = vscode.l10n.t('Open Log');
  const message = vscode.l10n.t('Project Learnings could not start: {0}', reason);
  if ((await vscode.window.showErrorMessage(message, openLog)) === openLog) log.show();
}
