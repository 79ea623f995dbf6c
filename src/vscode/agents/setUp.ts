import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import * as vscode from 'vscode';

import {
  agentFileOf,
  agentNames,
  LearningsError,
  planAgents,
  stateOf,
  type AgentName,
  type FileChange,
  type Programs,
} from '../../core/api';
import { applyChanges, inverse, readAgentFiles, readPrograms } from '../../node/agentFiles';
import { windowAsk, type Ask } from '../authoring/ask';
import { choosePlace } from '../authoring/place';
import type { Surface } from '../surface';

declare const LEARNINGS_VERSION: string;

const SCHEME = 'learnings-agents';

/** Gives learnings to agents by files that a team commits, and takes those away again. */
export class AgentSetUp implements vscode.Disposable {
  private readonly provider: vscode.Disposable;
  /** How files would read, for the comparison. */
  private readonly proposals = new Map<string, string>();

  constructor(
    private readonly surface: Surface,
    private readonly extensionPath: string,
  ) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) => this.proposals.get(query) ?? '',
    });
  }

  /** Asks which agents, shows what that would change, and does it when told to. */
  async start(ask: Ask = windowAsk): Promise<void> {
    const place = await choosePlace(this.surface, undefined, ask);
    if (!place) return;
    const { root } = place;
    // Refuses here where nobody trusts the workspace.
    const store = this.surface.workspace.writer(root);
    const files = readAgentFiles(root);
    const programs = readPrograms(join(this.extensionPath, 'dist'), LEARNINGS_VERSION);
    const before = agentNames.filter((agent) => isSetUp(agent, { files, programs }));
    const chosen = await chooseAgents({ files, programs, before }, ask);
    if (!chosen) return;

    const remove = before.filter((agent) => !chosen.includes(agent));
    const { changes, refused } = planAgents({ add: chosen, remove, files, programs });
    for (const error of refused) ask.fail(error);
    if (changes.length === 0) {
      if (refused.length === 0) void ask.tell(vscode.l10n.t('Nothing has to change.'));
      return;
    }
    refuseUnsaved(root, changes);
    const close = await this.show(root, changes);
    const isRemoval = chosen.length === 0;
    const write = isRemoval ? vscode.l10n.t('Remove') : vscode.l10n.t('Write');
    const answer = await ask.tell(question(root, changes), write, vscode.l10n.t('Cancel'));
    await close();
    if (answer !== write) return;
    if (!isRemoval && !existsSync(join(root, '.learnings'))) await store.init();
    applyChanges(root, changes);
    await this.surface.workspace.refresh();
    const done = isRemoval
      ? vscode.l10n.t('Removed. Commit the changes for everybody else.')
      : vscode.l10n.t('Done. Commit these files, and they work for everybody who has Node 20.');
    this.announce(done, { root, changes, ask });
  }

  /** Tells what was done and offers to take it back, without keeping the command waiting for an answer. */
  private announce(
    message: string,
    { root, changes, ask }: { root: string; changes: readonly FileChange[]; ask: Ask },
  ): void {
    const undo = vscode.l10n.t('Undo');
    const follow = async (): Promise<void> => {
      if ((await ask.tell(message, undo)) !== undo) return;
      applyChanges(root, inverse(changes));
      await this.surface.workspace.refresh();
    };
    follow().catch((error: unknown) => ask.fail(error));
  }

  /** Opens VS Code's own comparison of several files, and gives what closes it. */
  private async show(root: string, changes: readonly FileChange[]): Promise<() => Promise<void>> {
    this.proposals.clear();
    const resources = changes.filter(isReadable).map(({ path, before, after }) => {
      const uri = vscode.Uri.file(join(root, path));
      const side = (name: string, text: string | undefined): vscode.Uri | undefined => {
        if (text === undefined) return undefined;
        const query = `${name} ${path}`;
        this.proposals.set(query, text);
        return uri.with({ scheme: SCHEME, query });
      };
      return [uri, side('before', before), side('after', after)];
    });
    const title = vscode.l10n.t('Files for Agents');
    if (resources.length > 0) await vscode.commands.executeCommand('vscode.changes', title, resources);
    return async () => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith(title)));
    };
  }

  dispose(): void {
    this.provider.dispose();
  }
}

interface Present {
  readonly files: ReadonlyMap<string, string>;
  readonly programs: Programs;
}

function isSetUp(agent: AgentName, present: Present): boolean {
  const state = stateOf(agent, present);
  return state === 'current' || state === 'outdated';
}

async function chooseAgents(
  { before, ...present }: Present & { readonly before: readonly AgentName[] },
  ask: Ask,
): Promise<readonly AgentName[] | undefined> {
  const names: Readonly<Record<AgentName, string>> = {
    copilot: vscode.l10n.t('GitHub Copilot: VS Code, the CLI and the cloud agent'),
    claude: vscode.l10n.t('Claude Code'),
    mcp: vscode.l10n.t('Other agents, by MCP'),
    cursor: vscode.l10n.t('Cursor, by MCP'),
  };
  const states = {
    absent: '',
    current: vscode.l10n.t('set up'),
    outdated: vscode.l10n.t('set up by another version; will be brought up to date'),
    broken: vscode.l10n.t('its file cannot be read'),
  };
  const answer = await ask.pickMany({
    title: vscode.l10n.t('Set Up Agents'),
    placeholder: vscode.l10n.t('Tick who gets files to commit, untick to remove them'),
    rows: () =>
      agentNames.map((agent) => ({
        label: names[agent],
        description: states[stateOf(agent, present)],
        detail: agentFileOf(agent),
        value: agent,
      })),
    chosen: before,
    read: () => ({ row: undefined, values: [] }),
  });
  if (typeof answer !== 'object') return undefined;
  return agentNames.filter((agent) => answer.value.includes(agent));
}

/** Nobody reads minified programs, and their lines are too long to be shown. */
const isReadable = ({ path }: FileChange): boolean => !path.endsWith('.js');

function question(root: string, changes: readonly FileChange[]): string {
  const programs = changes.filter((change) => !isReadable(change));
  const shown = changes.length - programs.length;
  const where = basename(root);
  if (programs.length === 0) return vscode.l10n.t('Change these {0} files of {1} as shown?', shown, where);
  const size = programs.reduce((sum, { before, after }) => sum + (after ?? before ?? '').length, 0);
  return vscode.l10n.t(
    'Change these {0} files of {1} as shown, and {2} programs in .learnings/agents ({3} KB)?',
    shown,
    where,
    programs.length,
    Math.ceil(size / 1024),
  );
}

/** What somebody is writing in is not to be replaced behind their back. */
function refuseUnsaved(root: string, changes: readonly FileChange[]): void {
  const paths = new Map(changes.map(({ path }) => [vscode.Uri.file(join(root, path)).toString(), path]));
  for (const { uri, isDirty } of vscode.workspace.textDocuments) {
    const path = paths.get(uri.toString());
    if (isDirty && path !== undefined)
      throw new LearningsError('conflict', vscode.l10n.t('{0} has unsaved changes. Save it first.', path));
  }
}
