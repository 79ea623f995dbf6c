import * as vscode from 'vscode';

import type { Surface } from '../surface';
import { Completion, completionTriggers } from './completion';
import { Diagnostics } from './diagnostics';
import { Fixes } from './fixes';
import { RecordHover } from './hover';
import { RecordLenses } from './lenses';
import { Names } from './names';
import { Outline } from './outline';
import { selector } from './page';

/** What helps inside learning.yaml, config.yaml and tags.yaml. */
export function registerRecordLanguage(surface: Surface): vscode.Disposable[] {
  const { languages } = vscode;
  const diagnostics = new Diagnostics(surface);
  const names = new Names(surface);
  const fixKinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
  return [
    diagnostics,
    languages.registerCodeActionsProvider(selector, new Fixes(surface, diagnostics), fixKinds),
    languages.registerCompletionItemProvider(selector, new Completion(surface), ...completionTriggers),
    languages.registerHoverProvider(selector, new RecordHover(surface)),
    languages.registerDefinitionProvider(selector, names),
    languages.registerReferenceProvider(selector, names),
    languages.registerRenameProvider(selector, names),
    languages.registerDocumentSymbolProvider(selector, new Outline(surface)),
    languages.registerCodeLensProvider(selector, new RecordLenses(surface)),
  ];
}
