import * as vscode from 'vscode';

import { oneLine, wordAt, type Place } from '../../core/api';
import type { Surface } from '../surface';
import { pageOf, rangeOf, type Page } from './page';

const kinds: Readonly<Record<Place['shape'], vscode.SymbolKind>> = {
  plain: vscode.SymbolKind.String,
  quoted: vscode.SymbolKind.String,
  text: vscode.SymbolKind.String,
  list: vscode.SymbolKind.Array,
  map: vscode.SymbolKind.Object,
  empty: vscode.SymbolKind.Null,
  unfinished: vscode.SymbolKind.Key,
};

/** The keys of a file as its outline, each with what it holds. */
export class Outline implements vscode.DocumentSymbolProvider {
  constructor(private readonly surface: Surface) {}

  provideDocumentSymbols(document: vscode.TextDocument): vscode.DocumentSymbol[] {
    const page = pageOf(this.surface.workspace, document);
    if (!page) return [];
    const top: vscode.DocumentSymbol[] = [];
    const byPath = new Map<string, vscode.DocumentSymbol>();
    for (const place of page.places) {
      const symbol = symbolOf(page, place);
      if (!symbol) continue;
      byPath.set(JSON.stringify(place.path), symbol);
      const parent = byPath.get(JSON.stringify(place.path.slice(0, -1)));
      (parent?.children ?? top).push(symbol);
    }
    return top;
  }
}

function symbolOf(page: Page, place: Place): vscode.DocumentSymbol | undefined {
  const { key, value, path, shape } = place;
  const word = wordAt(page.text, place);
  // An item is best known by what it is.
  const name = key ? String(path.at(-1)) : (word ?? String(Number(path.at(-1)) + 1));
  const detail = key && word !== undefined ? word : '';
  const label = oneLine(name, 100);
  if (label === '') return undefined;
  const start = key?.start ?? value.start;
  const whole = rangeOf(page, { start, end: Math.max(value.end, key?.end ?? start) });
  const named = key ? rangeOf(page, key) : whole;
  return new vscode.DocumentSymbol(label, oneLine(detail, 100), kinds[shape], whole, named);
}
