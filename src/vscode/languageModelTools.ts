import * as vscode from 'vscode';

import { LearningsError, tools, type Tool, type ToolWorld } from '../core/api';
import { toolStore } from '../node/toolStore';
import type { Workspace } from './workspace';

/** Offers our tools to VS Code's language models. */
export const registerTools = (workspace: Workspace): vscode.Disposable[] =>
  tools.map((tool) => vscode.lm.registerTool(tool.name, languageModelTool(tool, workspace)));

const messages: Readonly<Record<string, () => string>> = {
  find_learnings: () => vscode.l10n.t('Looking up project learnings'),
  show_learning: () => vscode.l10n.t('Reading a project learning'),
};

function languageModelTool(tool: Tool, workspace: Workspace): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation({ input }) {
      const question = tool.confirmation(input);
      const message = messages[tool.name]?.();
      return {
        ...(message !== undefined && { invocationMessage: message }),
        ...(question !== undefined && {
          confirmationMessages: {
            title: tool.title,
            message: new vscode.MarkdownString().appendText(question),
          },
        }),
      };
    },
    async invoke(options) {
      if (!vscode.workspace.isTrusted) {
        throw new LearningsError(
          'refused',
          'The user has not trusted this workspace, so its learnings are not given out. Go on without.',
        );
      }
      // What is on disk counts, whatever the watcher has not told yet.
      await workspace.refresh();
      const text = await tool.run(toolWorld(workspace, sessionOf(options)), options.input);
      if (!tool.readOnly) workspace.refreshSoon();
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

/** The open folders, for a tool that is called in a session of Copilot Chat. */
function toolWorld(workspace: Workspace, sessionId: string | undefined): ToolWorld {
  return {
    stores: workspace
      .all()
      .map((learnings) =>
        toolStore(learnings, { sessionId, writer: () => workspace.writer(learnings.root) }),
      ),
    agent: 'copilot-chat',
    sessionId,
    now: () => new Date(),
  };
}

/** What VS Code passes besides what its published types say: which chat it is. */
interface SessionHints {
  readonly chatSessionResource?: vscode.Uri;
  readonly toolInvocationToken?: { readonly sessionResource?: vscode.Uri } | undefined;
}

/** The id of the chat, the same that hooks are told. */
function sessionOf(options: vscode.LanguageModelToolInvocationOptions<object>): string | undefined {
  const { chatSessionResource, toolInvocationToken } = options as SessionHints;
  const resource = chatSessionResource ?? toolInvocationToken?.sessionResource;
  return resource && sessionIdOf(resource);
}

/** Of a local chat the id is in the address, as base64; of others the whole address is the id. */
function sessionIdOf(resource: vscode.Uri): string {
  if (resource.authority !== 'local') return resource.toString();
  const decoded = Buffer.from(resource.path.slice(1), 'base64').toString('utf8');
  return /^[\x21-\x7e]+$/.test(decoded) ? decoded : resource.toString();
}
