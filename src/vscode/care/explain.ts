import * as vscode from 'vscode';

import { explainFile, explanationAsMarkdown, LearningsError, type Match } from '../../core/api';
import { pathOf } from '../activeFile';
import type { Surface } from '../surface';
import { recordUri } from '../workspace';

const SCHEME = 'learnings-explain';

/** Opens the page about a file: the given one, or the one in front of the person. */
export async function showExplanation({ workspace, activeFile }: Surface, given?: vscode.Uri): Promise<void> {
  const uri = given ?? activeFile.uri;
  const path = uri && pathOf(uri);
  if (!uri || path === undefined) {
    const message = vscode.l10n.t('Open the file that you want to know about, then try again.');
    throw new LearningsError('input-invalid', message);
  }
  const found = workspace.findForFile(uri, 0);
  if (!found) {
    const message = vscode.l10n.t('No learnings are kept for the folder of this file.');
    throw new LearningsError('no-store', message);
  }
  if (found.path.startsWith('.learnings/')) {
    const message = vscode.l10n.t('A record is about other files, not about itself. Open one of those.');
    throw new LearningsError('input-invalid', message);
  }
  const name = found.path.slice(found.path.lastIndexOf('/') + 1);
  const page = vscode.Uri.from({
    scheme: SCHEME,
    // In quotes, or the name would end like the file's and the page pass for TypeScript.
    path: `/${vscode.l10n.t('Learnings for “{0}”', name)}`,
    query: vscode.Uri.file(path).toString(),
  });
  try {
    // Locked, or it would show whatever Markdown is opened next.
    await vscode.commands.executeCommand('markdown.showPreview', page, undefined, { locked: true });
  } catch {
    // Somebody has switched the built-in Markdown extension off.
    await vscode.window.showTextDocument(page);
  }
}

/** Fills those pages, again whenever something has changed. */
export function registerExplanations(surface: Surface): vscode.Disposable[] {
  const { workspace } = surface;
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const pages = (): vscode.TextDocument[] =>
    vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
  return [
    changed,
    workspace.onDidChange(() => {
      for (const { uri } of pages()) changed.fire(uri);
    }),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.uri.scheme === SCHEME && document.languageId !== 'markdown')
        void vscode.languages.setTextDocumentLanguage(document, 'markdown');
    }),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: (page) => render(surface, vscode.Uri.parse(page.query)),
    }),
  ];
}

async function render({ workspace }: Surface, file: vscode.Uri): Promise<string> {
  const found = workspace.findForFile(file, 0);
  if (!found) return vscode.l10n.t('No learnings are kept for the folder of this file.');
  const { store, path } = found;
  const files = await workspace.listFiles(store.root).catch(() => undefined);
  const linkTo = ({ record, origin }: Match): string | undefined => {
    const held = store.get(origin.kind === 'repository' ? record.id : `${origin.name}/${record.id}`);
    return held && recordUri({ held }).toString();
  };
  return explanationAsMarkdown(explainFile(store, path, { now: new Date(), files }), { linkTo });
}
