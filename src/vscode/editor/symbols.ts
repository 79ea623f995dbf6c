import * as vscode from 'vscode';

import { findDeclarations, lastPart, mentions } from '../../core/api';
import type { Workspace } from '../workspace';

/** A symbol that is declared in a document, with the names by which learnings mean it. */
export interface NamedSymbol {
  readonly names: readonly string[];
  readonly range: vscode.Range;
}

interface Names {
  readonly whole: ReadonlySet<string>;
  /** What a text has of them where they are declared. */
  readonly last: ReadonlySet<string>;
}

interface Known {
  readonly version: number;
  readonly names: Names;
  readonly symbols: readonly NamedSymbol[];
}

/** Lenses wait for each other, so a language that is slow to name its symbols must not hold up those of others. */
const PATIENCE_MS = 150;
/** Beyond this nobody reads a text from top to bottom, and neither do we. */
const MAX_CHARS = 1_000_000;

/** Finds the symbols in documents that learnings name. */
export class NamedSymbols implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly known = new WeakMap<vscode.TextDocument, Known>();
  /** A language has answered after all, and otherwise than was thought. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly workspace: Workspace) {}

  /** The named symbols that a document declares: at once where the document has not changed or mentions none. */
  declaredIn(document: vscode.TextDocument): readonly NamedSymbol[] | Promise<readonly NamedSymbol[]> {
    const whole = this.workspace.symbolsFor(document.uri)?.symbols;
    if (!whole) return [];
    const known = this.known.get(document);
    if (known?.version === document.version && known.names.whole === whole) return known.symbols;
    const names: Names = { whole, last: new Set([...whole].map(lastPart)) };
    const text = document.getText();
    if (text.length > MAX_CHARS || !mentions(text, names.last))
      return this.keep(document, { version: document.version, names, symbols: [] });
    return this.ask(document, names, text);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private keep(document: vscode.TextDocument, known: Known): readonly NamedSymbol[] {
    this.known.set(document, known);
    return known.symbols;
  }

  private async ask(
    document: vscode.TextDocument,
    names: Names,
    text: string,
  ): Promise<readonly NamedSymbol[]> {
    const { version } = document;
    const answer = symbolsByLanguage(document, names);
    const inTime = await Promise.race([answer, pause(PATIENCE_MS)]);
    if (inTime) return this.keep(document, { version, names, symbols: inTime });
    const guessed = this.keep(document, { version, names, symbols: symbolsByText(document, names, text) });
    void answer.then((symbols) => {
      const isCurrent = this.known.get(document)?.symbols === guessed && document.version === version;
      if (!isCurrent || !symbols || linesOf(symbols) === linesOf(guessed)) return;
      this.keep(document, { version, names, symbols });
      this.changed.fire();
    });
    return guessed;
  }
}

const pause = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

const linesOf = (symbols: readonly NamedSymbol[]): string =>
  symbols.map(({ names, range }) => `${range.start.line} ${names.join()}`).join('\n');

/** Undefined where no extension knows the language. */
async function symbolsByLanguage(
  document: vscode.TextDocument,
  { whole }: Names,
): Promise<NamedSymbol[] | undefined> {
  let tree: (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined;
  try {
    tree = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri);
  } catch {
    return undefined;
  }
  if (!tree || tree.length === 0) return undefined;
  const found = new Map<string, NamedSymbol>();
  const visit = (symbol: vscode.DocumentSymbol | vscode.SymbolInformation, container: string): void => {
    const isNode = 'selectionRange' in symbol;
    // Some languages give the parameters with the name.
    const plain = symbol.name.replace(/[(<].*$/s, '').trim();
    const inside = isNode ? container : symbol.containerName;
    const names = [plain, ...['.', '::', '#'].map((joint) => `${inside}${joint}${plain}`)].filter((name) =>
      whole.has(name),
    );
    const range = isNode ? symbol.selectionRange : symbol.location.range;
    const key = `${inside}\0${plain}`;
    // Of overloads the first is enough.
    if (names.length > 0 && !found.has(key)) found.set(key, { names, range });
    if (isNode) for (const child of symbol.children) visit(child, plain);
  };
  for (const symbol of tree) visit(symbol, '');
  return [...found.values()];
}

function symbolsByText(document: vscode.TextDocument, { whole, last }: Names, text: string): NamedSymbol[] {
  return findDeclarations(text, last).flatMap(({ name, offset }) => {
    const start = document.positionAt(offset);
    const names = [...whole].filter((one) => lastPart(one) === name && isContainerIn(text, one));
    return names.length > 0
      ? [{ names, range: new vscode.Range(start, start.translate(0, name.length)) }]
      : [];
  });
}

/** For `Cache.get`, whether the text speaks of `Cache`. */
function isContainerIn(text: string, name: string): boolean {
  const container = name.slice(0, name.length - lastPart(name).length).replace(/[.:#]+$/, '');
  return container === '' || text.includes(lastPart(container));
}
