import * as vscode from 'vscode';

import type { Found, Learnings } from '../../core/api';
import { learningCard } from '../card';
import { commandIds } from '../ids';
import { isHintOn } from '../settings';
import type { Surface } from '../surface';
import { refOf } from '../workspace';
import { isTop } from './documents';
import { andMore, MAX_SPELT } from './wording';

/** A name with what it is part of, such as `cache.get` or `Cache::get`. */
const QUALIFIED = /[\p{L}\p{N}_$]+(?:(?:\.|::|#)[\p{L}\p{N}_$]+)*/u;

/** The learnings about a file at its first line, and those about a symbol at its name. */
export class LearningHover implements vscode.HoverProvider {
  constructor(private readonly surface: Surface) {}

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (!isHintOn('hover', document.uri)) return undefined;
    return this.aboutSymbol(document, position) ?? this.aboutFile(document, position);
  }

  private aboutSymbol(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const named = this.surface.workspace.symbolsFor(document.uri);
    const range = named && document.getWordRangeAtPosition(position);
    if (!range) return undefined;
    const word = document.getText(range);
    const chain = document.getWordRangeAtPosition(position, QUALIFIED) ?? range;
    const qualified = document.getText(new vscode.Range(chain.start, range.end));
    const symbols = [...new Set([word, qualified])].filter((name) => named.symbols.has(name));
    if (symbols.length === 0) return undefined;
    return this.hover(named.store, named.store.find({ symbols }), { uri: document.uri, symbols, range });
  }

  private aboutFile(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (position.line !== 0 || !isTop(document)) return undefined;
    const found = this.surface.workspace.findForFile(document.uri);
    if (!found) return undefined;
    const range = document.lineAt(0).range;
    return this.hover(found.store, found, { uri: document.uri, symbols: [], range });
  }

  private hover(
    store: Learnings,
    { matches, total }: Found,
    { uri, symbols, range }: { uri: vscode.Uri; symbols: readonly string[]; range: vscode.Range },
  ): vscode.Hover | undefined {
    const cards = matches.slice(0, MAX_SPELT).flatMap((match) => {
      const entry = this.surface.workspace.get(refOf(store.root, match));
      return entry ? [learningCard(entry, { matchedBy: match.matchedBy, withActions: true })] : [];
    });
    if (cards.length === 0) return undefined;
    if (total > cards.length) cards.push(restLink(total - cards.length, uri, symbols));
    for (const card of cards.slice(0, -1)) card.appendMarkdown('\n\n---');
    return new vscode.Hover(cards, range);
  }
}

function restLink(count: number, uri: vscode.Uri, symbols: readonly string[]): vscode.MarkdownString {
  const command = commandIds.showForFile;
  const argument = encodeURIComponent(JSON.stringify([uri.toJSON(), symbols]));
  const rest = new vscode.MarkdownString(`[${andMore(count)}](command:${command}?${argument})`);
  rest.isTrusted = { enabledCommands: [command] };
  return rest;
}
