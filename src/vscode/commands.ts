import * as vscode from 'vscode';

import { LearningsError } from '../core/api';
import type { AgentSetUp } from './agents/setUp';
import { addFromCommit, addFromSelection, addLearning, initStore } from './authoring/add';
import { copyAsMarkdown } from './authoring/copy';
import { editLearning } from './authoring/edit';
import { archiveLearning, promoteCandidate, rejectCandidate, restoreLearning } from './authoring/moves';
import { searchLearnings } from './authoring/search';
import { supersedeLearning } from './authoring/supersede';
import { upvoteLearning } from './authoring/upvote';
import { checkStaleness, repairStore, syncIndex } from './care/commands';
import type { Explanations } from './care/explain';
import type { Dashboard } from './dashboard';
import { showForFile, toggleHints } from './editor/commands';
import { commandIds, type CommandId } from './ids';
import type { Surface } from './surface';
import { resolveTarget, type Target } from './target';
import type { Views } from './views/views';
import { recordUri } from './workspace';

interface Parts {
  readonly surface: Surface;
  readonly views: Views;
  readonly dashboard: Dashboard;
  readonly explanations: Explanations;
  readonly agents: AgentSetUp;
}

/** Every command: its id, and what it does. */
function commandTable({
  surface,
  views,
  dashboard,
  explanations,
  agents,
}: Parts): Record<CommandId, (...args: never[]) => unknown> {
  return {
    [commandIds.init]: () => initStore(surface),
    [commandIds.add]: (uri?: vscode.Uri) => addLearning(surface, uri),
    [commandIds.addFromSelection]: () => addFromSelection(surface),
    [commandIds.addFromCommit]: (item?: unknown, uri?: unknown) => addFromCommit(surface, { item, uri }),
    [commandIds.edit]: (target: Target) => editLearning(surface, target),
    [commandIds.supersede]: (target: Target) => supersedeLearning(surface, target),
    [commandIds.upvote]: (target: Target) => upvoteLearning(surface, target),
    [commandIds.archive]: (target: Target) => archiveLearning(surface, target),
    [commandIds.restore]: (target: Target) => restoreLearning(surface, target),
    [commandIds.promote]: (target: Target) => promoteCandidate(surface, target),
    [commandIds.reject]: (target: Target) => rejectCandidate(surface, target),
    [commandIds.search]: () => searchLearnings(surface),
    [commandIds.copyAsMarkdown]: (target: Target) => copyAsMarkdown(surface, target),
    [commandIds.showForFile]: (uri?: vscode.Uri, symbols?: string[]) => showForFile(surface, uri, symbols),
    [commandIds.explain]: (uri?: vscode.Uri) => explanations.open(uri),
    [commandIds.sync]: () => syncIndex(surface),
    [commandIds.checkStaleness]: () => checkStaleness(surface),
    [commandIds.repair]: () => repairStore(surface),
    [commandIds.groupBy]: () => views.chooseGrouping(),
    [commandIds.filter]: () => views.chooseFilter(),
    [commandIds.clearFilter]: () => views.clearFilter(),
    [commandIds.toggleHints]: () => toggleHints(surface),
    [commandIds.openRecord]: (target: Target) => openRecord(surface, target),
    [commandIds.openDashboard]: () => dashboard.open(),
    [commandIds.setUpAgents]: () => agents.start(),
    [commandIds.refresh]: () => surface.workspace.refresh(),
    [commandIds.showLog]: () => surface.log.show(),
  };
}

async function openRecord(surface: Surface, target: Target): Promise<void> {
  const title = vscode.l10n.t('Open Learning');
  const entry = await resolveTarget(surface, target, { title, accept: () => true });
  if (entry) await vscode.window.showTextDocument(recordUri(entry));
}

/** Registers them. What goes wrong is told to the person who called, and logged if it is not their doing. */
export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { log } = parts.surface;
  return Object.entries(commandTable(parts)).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (...args: never[]) => {
      try {
        return await run(...args);
      } catch (error) {
        if (!(error instanceof LearningsError)) log.error(error instanceof Error ? error : String(error));
        void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
        return undefined;
      }
    }),
  );
}
