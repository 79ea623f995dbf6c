import { join } from 'node:path';

import * as vscode from 'vscode';

import { LearningsError, rehearsalAsMarkdown } from '../../core/api';
import { rehearse } from '../../node/rehearse';
import type { Surface } from '../surface';
import { htmlPage } from './htmlPage';

const SCHEME = 'learnings-delivery';

/** Pages that show what each agent would get for a file, byte for byte. Each is as it was when it was asked for. */
export class DeliveryTests implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
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
    await this.show(name, `/${path}/${name}.md`, rehearsalAsMarkdown(rehearsal));
  }

  private async show(title: string, path: string, markdown: string): Promise<void> {
    let body: string;
    try {
      body = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
    } catch {
      // Somebody has switched off the built-in Markdown extension, which draws the page.
      const page = vscode.Uri.from({ scheme: SCHEME, path });
      this.pages.set(path, markdown);
      this.changed.fire(page);
      await vscode.window.showTextDocument(page);
      return;
    }
    const known = this.panels.get(path);
    const panel =
      known ??
      vscode.window.createWebviewPanel(
        'learnings.delivery',
        title,
        { viewColumn: vscode.ViewColumn.Active },
        { enableFindWidget: true, localResourceRoots: [] },
      );
    if (!known) panel.onDidDispose(() => this.panels.delete(path));
    this.panels.set(path, panel);
    panel.webview.html = htmlPage(escapeHtml(title), body, style);
    panel.reveal();
  }

  /** The page that is open about a file, as HTML. */
  pageFor(path: string): string | undefined {
    return [...this.panels].find(([key]) => key.startsWith(`/${path}/`))?.[1].webview.html;
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const style = `
pre { padding: 12px; overflow-x: auto; background: var(--vscode-textCodeBlock-background); }
pre code { background: none; padding: 0; white-space: pre-wrap; overflow-wrap: anywhere; color: var(--vscode-editor-foreground); }
table { width: auto; }
td:nth-child(n + 4), th:nth-child(n + 4) { text-align: right; }
`;
