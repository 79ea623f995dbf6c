import * as vscode from 'vscode';

import { ActiveFile } from './activeFile';
import { noteNode } from './agents/nodePath';
import { AgentSetUp } from './agents/setUp';
import { Explanations } from './care/explain';
import { Renames } from './care/renames';
import { DeliveryTests } from './care/testDelivery';
import { registerChat } from './chat/participant';
import { registerCommands } from './commands';
import { Dashboard } from './dashboard';
import { Deliveries } from './deliveries';
import { registerHints } from './editor/hints';
import { Handover } from './handover';
import { contextKeys } from './ids';
import { registerTools } from './languageModelTools';
import { registerMcpServer } from './mcpProvider';
import { registerRecordLanguage } from './records/language';
import type { Surface } from './surface';
import { Views } from './views/views';
import { Workspace } from './workspace';

/** What tests look at; nobody else is promised it. */
export interface Inside {
  readonly surface: Surface;
  readonly views: Views;
  readonly deliveryTests: DeliveryTests;
}

export async function activate(context: vscode.ExtensionContext): Promise<Inside> {
  const log = vscode.window.createOutputChannel('Project Learnings', { log: true });
  context.subscriptions.push(log);
  try {
    return await start(context, log);
  } catch (error) {
    log.error(error instanceof Error ? error : String(error));
    void reportFailure(error, log);
    // VS Code must know too, or it would call a half-built extension active.
    throw error;
  }
}

async function start(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Promise<Inside> {
  const { subscriptions } = context;
  noteNode(context.extensionPath);
  const workspace = new Workspace(log);
  const activeFile = new ActiveFile();
  const deliveries = new Deliveries(workspace);
  const surface: Surface = {
    workspace,
    activeFile,
    deliveries,
    log,
    memory: context.workspaceState,
    ownMemory: context.globalState,
  };
  const views = new Views(surface);
  const dashboard = new Dashboard(workspace, context.extensionUri);
  const explanations = new Explanations(surface);
  const agents = new AgentSetUp(surface, context.extensionPath);
  const deliveryTests = new DeliveryTests(surface);
  subscriptions.push(
    workspace,
    activeFile,
    deliveries,
    views,
    dashboard,
    explanations,
    agents,
    deliveryTests,
    new Handover(workspace),
    new Renames(surface),
    ...registerCommands({ surface, views, dashboard, explanations, agents, deliveryTests }),
    ...registerHints(surface),
    ...registerRecordLanguage(surface),
    ...registerTools(workspace),
    ...registerMcpServer(workspace, context),
    registerChat(surface, vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png')),
    workspace.onDidChange(() => void publishState(workspace)),
  );
  await workspace.refresh();
  return { surface, views, deliveryTests };
}

/** Tells `when` clauses what there is. */
async function publishState(workspace: Workspace): Promise<void> {
  const stores = workspace.all();
  const set = (key: string, value: unknown): Thenable<unknown> =>
    vscode.commands.executeCommand('setContext', key, value);
  await set(contextKeys.store, stores.length > 0 ? 'some' : 'none');
  await set(
    contextKeys.hasProblems,
    stores.some((store) => store.problems().length > 0),
  );
}

async function reportFailure(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  const openLog = vscode.l10n.t('Open Log');
  const message = vscode.l10n.t('Project Learnings could not start: {0}', reason);
  if ((await vscode.window.showErrorMessage(message, openLog)) === openLog) log.show();
}
