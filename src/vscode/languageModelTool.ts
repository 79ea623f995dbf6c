import * as vscode from 'vscode';

import { LearningsError, type Tool } from '../core/api';
import type { Workspace } from './workspace';

/** Offers one of our tools to VS Code's language models. */
export function languageModelTool(tool: Tool, workspace: Workspace): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation: () => ({ invocationMessage: vscode.l10n.t('Looking up project learnings') }),
    invoke(options) {
      if (!vscode.workspace.isTrusted) {
        throw new LearningsError(
          'refused',
          'The user has not trusted this workspace, so its learnings are not given out. Go on without.',
        );
      }
      if (workspace.all().length === 0) {
        throw new LearningsError(
          'no-store',
          'This workspace has no .learnings folder, so nothing has been recorded. Go on without.',
        );
      }
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(tool.run(workspace, options.input)),
      ]);
    },
  };
}
