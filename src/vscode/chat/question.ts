import type * as vscode from 'vscode';

import type { Surface } from '../surface';

/** One question that somebody asked. */
export interface Question {
  readonly surface: Surface;
  readonly request: Pick<vscode.ChatRequest, 'prompt' | 'command' | 'references'> & {
    readonly model?: vscode.LanguageModelChat | undefined;
  };
  readonly stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button' | 'progress'>;
  readonly token: vscode.CancellationToken;
}
