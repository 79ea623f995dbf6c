import * as vscode from 'vscode';

import { explainFile, explanationAsMarkdown, LearningsError, type Match } from '../../core/api';
import { pathOf } from '../activeFile';
import { commandIds } from '../ids';
import { htmlPage } from './htmlPage';
import type { Surface } from '../surface';
import { recordUri, refOf, type FoundForFile } from '../workspace';

const SCHEME = 'learnings-explain';
/** Of links to records, until they become links to a command. */
const LINK = 'learnings-record:';

/** Pages that say why a file gets the learnings it gets. Each follows the store as long as it is open. */
export class Explanations implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly surface: Surface) {
    this.subscriptions = [
      this.changed,
      surface.workspace.onDidChange(() => {
        this.refresh().catch((error: unknown) =>
          surface.log.error(error instanceof Error ? error : String(error)),
        );
      }),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        onDidChange: this.changed.event,
        provideTextDocumentContent: ({ query }) => this.asMarkdown(vscode.Uri.parse(query)),
      }),
    ];
  }

  /** Opens the page about a file: the given one, or the one in front of the person. */
  async open(given?: vscode.Uri): Promise<void> {
    const file = given ?? this.surface.activeFile.uri;
    const { path } = this.mustFind(file);
    const key = file?.toString() ?? '';
    const known = this.panels.get(key);
    if (known) return known.reveal();
    const title = vscode.l10n.t('Learnings for {0}', path.slice(path.lastIndexOf('/') + 1));
    let html: string;
    try {
      html = await this.asHtml(key);
    } catch {
      // Somebody has switched off the built-in Markdown extension, which draws the page.
      const page = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: key });
      await vscode.window.showTextDocument(page);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      'learnings.explanation',
      title,
      { viewColumn: vscode.ViewColumn.Active },
      { enableFindWidget: true, enableCommandUris: [commandIds.openRecord], localResourceRoots: [] },
    );
    this.panels.set(key, panel);
    panel.onDidDispose(() => this.panels.delete(key));
    panel.webview.html = html;
  }

  private async refresh(): Promise<void> {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) this.changed.fire(uri);
    for (const [key, panel] of this.panels) panel.webview.html = await this.asHtml(key);
  }

  private mustFind(uri: vscode.Uri | undefined): FoundForFile {
    if (!uri || pathOf(uri) === undefined) {
      const message = vscode.l10n.t('Open the file that you want to know about, then try again.');
      throw new LearningsError('input-invalid', message);
    }
    const found = this.surface.workspace.findForFile(uri, 0);
    if (!found) {
      const message = vscode.l10n.t('No learnings are kept for the folder of this file.');
      throw new LearningsError('no-store', message);
    }
    if (found.path.startsWith('.learnings/')) {
      const message = vscode.l10n.t('A record is about other files, not about itself. Open one of those.');
      throw new LearningsError('input-invalid', message);
    }
    return found;
  }

  private async asMarkdown(
    file: vscode.Uri,
    linkTo: (root: string, match: Match) => string | undefined = (root, match) => this.fileOf(root, match),
  ): Promise<string> {
    const found = this.surface.workspace.findForFile(file, 0);
    if (!found) return vscode.l10n.t('No learnings are kept for the folder of this file.');
    const { store, path } = found;
    const files = await this.surface.workspace.listFiles(store.root).catch(() => undefined);
    const explanation = explainFile(store, path, { now: new Date(), files });
    return explanationAsMarkdown(explanation, { linkTo: (match) => linkTo(store.root, match) });
  }

  private fileOf(root: string, match: Match): string | undefined {
    const entry = this.surface.workspace.get(refOf(root, match));
    return entry && recordUri(entry).toString();
  }

  private async asHtml(key: string): Promise<string> {
    const argument = (root: string, match: Match): string =>
      encodeURIComponent(JSON.stringify([refOf(root, match)])).replaceAll(/[()']/g, percent);
    const markdown = await this.asMarkdown(
      vscode.Uri.parse(key),
      (root, match) => LINK + argument(root, match),
    );
    const body = await vscode.commands.executeCommand<string>('markdown.api.render', markdown);
    // No text of a record can make a link, so these are all ours.
    const linked = body.replaceAll(`"${LINK}`, `"command:${commandIds.openRecord}?`);
    return htmlPage(vscode.l10n.t('Learnings for This File'), linked, style);
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const style = `
th:nth-child(2) { width: 40%; }
th:nth-child(3) { width: 24%; }
td:nth-child(n + 4) { white-space: nowrap; }
`;
