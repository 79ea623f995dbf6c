import * as vscode from 'vscode';

/** What hints are shown in: files of the disk, and the cells of notebooks that are. */
export const shownIn: vscode.DocumentSelector = [{ scheme: 'file' }, { scheme: 'vscode-notebook-cell' }];

/** Whether the first line of a document is the top of its file. Of a notebook, that is its first cell of code. */
export function isTop(document: vscode.TextDocument): boolean {
  if (document.uri.scheme === 'file') return true;
  const notebook = vscode.workspace.notebookDocuments.find(
    ({ uri }) => uri.scheme === 'file' && uri.path === document.uri.path,
  );
  const first = notebook?.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
  return first?.document === document;
}
