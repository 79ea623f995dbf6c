import * as vscode from 'vscode';

import type { Found } from '../../core/api';
import { commandIds } from '../ids';
import { isHintOn, onDidChangeSettings } from '../settings';
import type { Surface } from '../surface';
import { isTop } from './documents';
import type { NamedSymbols } from './symbols';
import { lensTitle } from './wording';

/** What stands above a line. */
interface Remark {
  readonly line: number;
  readonly found: Found;
  /** The names it is about; none for the whole file. */
  readonly symbols: readonly string[];
}

type Remarks = (document: vscode.TextDocument) => readonly Remark[] | Promise<readonly Remark[]>;

class RemarkLens extends vscode.CodeLens {
  constructor(
    readonly remark: Remark,
    readonly uri: vscode.Uri,
  ) {
    super(new vscode.Range(remark.line, 0, remark.line, 0));
  }
}

/** Shows remarks as lenses, and has them asked for again only when one that is shown has changed. */
class RemarkLenses implements vscode.CodeLensProvider<RemarkLens>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly shown = new Map<vscode.TextDocument, string>();
  private readonly subscriptions: readonly vscode.Disposable[];
  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly remarks: Remarks,
    triggers: readonly vscode.Event<void>[],
  ) {
    const look = (): void => void this.lookAgain();
    this.subscriptions = [
      this.changed,
      ...triggers.map((event) => event(look)),
      onDidChangeSettings(look),
      vscode.workspace.onDidCloseTextDocument((document) => this.shown.delete(document)),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): RemarkLens[] | Promise<RemarkLens[]> {
    const show = (remarks: readonly Remark[]): RemarkLens[] => {
      this.shown.set(document, textOf(remarks));
      return remarks.map((remark) => new RemarkLens(remark, document.uri));
    };
    const remarks = this.remarks(document);
    return 'then' in remarks ? remarks.then(show) : show(remarks);
  }

  resolveCodeLens(lens: RemarkLens): RemarkLens {
    const { found, symbols } = lens.remark;
    lens.command = {
      title: lensTitle(found),
      tooltip: vscode.l10n.t('Show them all'),
      command: commandIds.showForFile,
      arguments: [lens.uri, symbols],
    };
    return lens;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async lookAgain(): Promise<void> {
    for (const [document, before] of [...this.shown]) {
      if (textOf(await this.remarks(document)) === before || !this.shown.has(document)) continue;
      this.changed.fire();
      return;
    }
  }
}

const textOf = (remarks: readonly Remark[]): string =>
  remarks.map(({ line, found, symbols }) => `${line} ${symbols.join()} ${lensTitle(found)}`).join('\n');

/** One above the first line, whatever is typed below it. */
export function fileLenses({ workspace }: Surface): RemarkLenses {
  const remarks: Remarks = (document) => {
    if (!isHintOn('codeLens', document.uri) || !isTop(document)) return [];
    const found = workspace.findForFile(document.uri, 1);
    return found && found.total > 0 ? [{ line: 0, found, symbols: [] }] : [];
  };
  return new RemarkLenses(remarks, [workspace.onDidChange]);
}

/** One above each symbol that a learning names. */
export function symbolLenses({ workspace }: Surface, named: NamedSymbols): RemarkLenses {
  const remarks: Remarks = (document) => {
    if (!isHintOn('symbolLens', document.uri)) return [];
    const toRemarks = (declared: Awaited<ReturnType<NamedSymbols['declaredIn']>>): Remark[] => {
      const store = workspace.storeFor(document.uri);
      return declared.flatMap(({ names, range }): Remark[] => {
        const found = store?.find({ symbols: names }, { limit: 1 });
        return found && found.total > 0 ? [{ line: range.start.line, found, symbols: names }] : [];
      });
    };
    const declared = named.declaredIn(document);
    return 'then' in declared ? declared.then(toRemarks) : toRemarks(declared);
  };
  return new RemarkLenses(remarks, [workspace.onDidChange, named.onDidChange]);
}
