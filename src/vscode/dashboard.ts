import * as vscode from 'vscode';

import type { Workspace } from './workspace';

/** The dashboard page in an editor tab. */
export class Dashboard implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private readonly onChange: vscode.Disposable;

  constructor(
    private readonly workspace: Workspace,
    private readonly extensionUri: vscode.Uri,
  ) {
    this.onChange = workspace.onDidChange(() => void this.send());
  }

  open(): void {
    if (this.panel) return this.panel.reveal();
    const folder = vscode.Uri.joinPath(this.extensionUri, 'dist', 'webview');
    const panel = vscode.window.createWebviewPanel(
      'learnings.dashboard',
      vscode.l10n.t('Project Learnings'),
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [folder] },
    );
    this.panel = panel;
    panel.onDidDispose(() => (this.panel = undefined));
    panel.webview.onDidReceiveMessage(() => this.send());

    const { cspSource } = panel.webview;
    const resource = (name: string): string =>
      panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    panel.webview.html = `<!doctype html>
<html lang="en">
<title>Project Learnings</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}; script-src ${cspSource}">
<link rel="stylesheet" href="${resource('dashboard.css')}">
<body><main id="dashboard"></main><script src="${resource('dashboard.js')}"></script></body>
</html>`;
  }

  private async send(): Promise<void> {
    const learnings = this.workspace.all().flatMap((store) => store.list().map(({ record }) => record));
    await this.panel?.webview.postMessage({ learnings });
  }

  dispose(): void {
    this.onChange.dispose();
    this.panel?.dispose();
  }
}
