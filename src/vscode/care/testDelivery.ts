import { join } from 'node:path';

import * as vscode from 'vscode';

import { LearningsError, rehearsalAsMarkdown } from '../../core/api';
import { rehearse } from '../../node/rehearse';
import type { Surface } from '../surface';

const SCHEME = 'learnings-delivery';

/** Pages that show what each agent would get for a file, byte for byte. Each is as it was when it was asked for. */
export class DeliveryTests implements vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly surface: Surface) {
    this.subscriptions = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: ({ path }) => this.pages.get(path) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === SCHEME) this.pages.delete(uri.path);
      }),
    ];
  }

  /** Has the hook answer every agent about a file: the given one, or the one in front of the person. */
  async run(given?: vscode.Uri): Promise<void> {
    const file = given ?? this.surface.activeFile.uri;
    const found = file && this.surface.workspace.findForFile(file, 0);
    if (!vscode.workspace.isTrusted) {
      const message = vscode.l10n.t(
        'This workspace is not trusted, so agents are given nothing. Trust it first.',
      );
      throw new LearningsError('refused', message);
    }
    if (!found || found.path.startsWith('.learnings/')) {
      const message = vscode.l10n.t('Open a file of a repository that keeps learnings, then try again.');
      throw new LearningsError('input-invalid', message);
    }
    const { store, path } = found;
    const title = vscode.l10n.t('Asking the hook as each agent does');
    const options = { location: vscode.ProgressLocation.Window, title };
    const rehearsal = await vscode.window.withProgress(options, () =>
      rehearse(store, { path, program: join(__dirname, 'hook.js') }),
    );
    const name = vscode.l10n.t('Delivery for {0}', path.slice(path.lastIndexOf('/') + 1));
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${path}/${name}.md` });
    this.pages.set(page.path, rehearsalAsMarkdown(rehearsal));
    this.changed.fire(page);
    await show(page);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

async function show(page: vscode.Uri): Promise<void> {
  try {
    await vscode.workspace.openTextDocument(page);
    await vscode.commands.executeCommand('markdown.showPreview', page);
  } catch {
    // Somebody has switched off the built-in Markdown extension, which draws it.
    await vscode.window.showTextDocument(page);
  }
}
