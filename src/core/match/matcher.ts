import { flattenNumbers, flattenTexts } from '../index/flat';
import { eachKeyOfPath, keyOfPattern, keyOfWord, type Key } from './filing';
import { matchGlob, parseGlob, type Glob } from './glob';
import type { Scope, Target } from './scope';

/** A document is a small number: where its learning stands in the list that the matcher was built from. */
interface Hit {
  readonly document: number;
  /** How closely the best of its patterns fits. */
  readonly specificity: number;
  /** Such as `path:src/a.ts ~ src/**`, in the order path, tag, symbol. */
  readonly reasons: readonly string[];
}

interface Hits {
  /** Best first, as many as were asked for. */
  readonly hits: readonly Hit[];
  readonly total: number;
}

export interface Matcher {
  find(target: Target, options?: { limit?: number; accept?: (document: number) => boolean }): Hits;
  /** Every symbol that one of its documents names. */
  symbols(): string[];
  /** Every tag that one of its documents has. */
  tags(): string[];
  /** All there is of it, to be saved. */
  readonly parts: MatcherParts;
}

/**
 * Flat arrays, so that it is saved and loaded as it is. A term is a pattern, tag or symbol; each is there once, however
 * many learnings have it.
 */
export interface MatcherParts {
  /** Open addressing: pairs of key and one-based place in `filed`; 0 where free. */
  readonly table: Uint32Array;
  /** Where the terms of each key start in `terms`. */
  readonly filed: Uint32Array;
  readonly terms: Uint32Array;
  readonly termKind: Uint8Array;
  /** Where the text of each term starts in `text`. */
  readonly termStart: Uint32Array;
  readonly text: Uint8Array;
  /** Where the documents of each term start in `documents`. */
  readonly postings: Uint32Array;
  readonly documents: Uint32Array;
  /** Where the terms that take a document out start in `exceptions`. */
  readonly exceptionStart: Uint32Array;
  readonly exceptions: Uint32Array;
  /** Places in the order before and after specificity; less is better. */
  readonly worth: Uint32Array;
  readonly age: Uint32Array;
}

const kinds = { path: 0, tag: 1, symbol: 2, except: 3 } as const;

/** Files every pattern, tag and symbol once. `worth` and `age` say how the documents are ordered. */
export function buildMatcher(
  scopes: readonly Scope[],
  order: { readonly worth: Uint32Array; readonly age: Uint32Array },
): Matcher {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  const termKind: number[] = [];
  const postings: number[][] = [];
  const termOf = (kind: number, text: string): number => {
    const name = `${kind}${text}`;
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, texts.length);
    texts.push(text);
    termKind.push(kind);
    postings.push([]);
    return texts.length - 1;
  };
  const exceptions: number[][] = [];
  for (const [document, { paths, tags, symbols }] of scopes.entries()) {
    const post = (kind: number, text: string): void => {
      const list = postings[termOf(kind, text)];
      if (list && list.at(-1) !== document) list.push(document);
    };
    exceptions.push([]);
    for (const pattern of paths) {
      if (pattern.startsWith('!')) exceptions[document]?.push(termOf(kinds.except, pattern.slice(1)));
      else post(kinds.path, pattern);
    }
    for (const tag of tags) post(kinds.tag, tag);
    for (const symbol of symbols) post(kinds.symbol, symbol);
  }

  const byKey = new Map<Key, number[]>();
  for (const [term, text] of texts.entries()) {
    for (const key of keysOf(termKind[term] ?? 0, text)) {
      const list = byKey.get(key);
      if (list) list.push(term);
      else byKey.set(key, [term]);
    }
  }
  const text = flattenTexts(texts);
  const filed = flattenNumbers([...byKey.values()]);
  const posted = flattenNumbers(postings);
  const excepted = flattenNumbers(exceptions);
  return openMatcher({
    table: fillTable([...byKey.keys()]),
    filed: filed.starts,
    terms: filed.items,
    termKind: Uint8Array.from(termKind),
    termStart: text.starts,
    text: text.items,
    postings: posted.starts,
    documents: posted.items,
    exceptionStart: excepted.starts,
    exceptions: excepted.items,
    ...order,
  });
}

function keysOf(kind: number, text: string): Set<Key> {
  if (kind === kinds.except) return new Set();
  if (kind !== kinds.path) return new Set([keyOfWord(kind, text)]);
  const glob = parseGlob(text);
  return new Set('refused' in glob ? [] : glob.readings.map(keyOfPattern));
}

/** A term, ready for use. */
interface Term {
  readonly kind: number;
  readonly text: string;
  /** Undefined for words, and for patterns that cannot be used. */
  readonly glob: Glob | undefined;
  readonly specificity: number;
}

export function openMatcher(parts: MatcherParts): Matcher {
  const decoder = new TextDecoder('utf-8');
  const compiled = new Array<Term | undefined>(parts.termKind.length);
  const seenTerm = new Uint32Array(parts.termKind.length);
  const seenDocument = new Uint32Array(parts.worth.length);
  const best = new Uint32Array(parts.worth.length);
  let round = 0;

  const termAt = (term: number): Term => {
    const known = compiled[term];
    if (known) return known;
    const bytes = parts.text.subarray(parts.termStart[term], parts.termStart[term + 1]);
    return (compiled[term] = compile(parts.termKind[term] ?? 0, decoder.decode(bytes)));
  };
  const eachTerm = (key: Key, visit: (term: number) => void): void => {
    const place = lookUp(parts.table, key);
    const end = place === 0 ? 0 : (parts.filed[place] ?? 0);
    for (let at = parts.filed[place - 1] ?? 0; at < end; at++) visit(parts.terms[at] ?? 0);
  };
  const isExcepted = (document: number, path: readonly string[]): boolean => {
    const end = parts.exceptionStart[document + 1] ?? 0;
    for (let at = parts.exceptionStart[document] ?? 0; at < end; at++) {
      const { glob } = termAt(parts.exceptions[at] ?? 0);
      if (glob && matchGlob(glob, path)) return true;
    }
    return false;
  };

  const textsOf = (kind: number): string[] =>
    [...parts.termKind.keys()]
      .filter((term) => parts.termKind[term] === kind)
      .map((term) => termAt(term).text);

  /** Every term that matches something of the target, with what. */
  const matching = (target: Target): Reason[] => {
    const reasons: Reason[] = [];
    for (const value of target.paths ?? []) {
      const path = value.normalize('NFC').split('/');
      round++;
      eachKeyOfPath(path, (key) =>
        eachTerm(key, (number) => {
          if (seenTerm[number] === round) return;
          seenTerm[number] = round;
          const term = termAt(number);
          if (term.glob && matchGlob(term.glob, path)) reasons.push({ number, term, value, path });
        }),
      );
    }
    const addWords = (kind: number, words: readonly string[] = []): void => {
      for (const value of words) {
        eachTerm(keyOfWord(kind, value), (number) => {
          const term = termAt(number);
          if (term.kind === kind && term.text === value) reasons.push({ number, term, value });
        });
      }
    };
    addWords(kinds.tag, target.tags);
    addWords(kinds.symbol, target.symbols);
    return reasons;
  };

  return {
    parts,
    symbols: () => textsOf(kinds.symbol),
    tags: () => textsOf(kinds.tag),
    find(target, { limit = Infinity, accept = () => true } = {}) {
      const reasons = matching(target);
      const found: number[] = [];
      round++;
      for (const { number, term, path } of reasons) {
        const end = parts.postings[number + 1] ?? 0;
        for (let at = parts.postings[number] ?? 0; at < end; at++) {
          const document = parts.documents[at] ?? 0;
          if (!accept(document) || (path && isExcepted(document, path))) continue;
          if (seenDocument[document] !== round) {
            seenDocument[document] = round;
            best[document] = term.specificity;
            found.push(document);
          } else if (term.specificity > (best[document] ?? 0)) best[document] = term.specificity;
        }
      }
      const chosen = chooseBest(
        found,
        limit,
        (a, b) =>
          (parts.worth[a] ?? 0) - (parts.worth[b] ?? 0) ||
          (best[b] ?? 0) - (best[a] ?? 0) ||
          (parts.age[a] ?? 0) - (parts.age[b] ?? 0),
      );
      const applies = (document: number, { number, path }: Reason): boolean =>
        isPosted(parts, number, document) && !(path && isExcepted(document, path));
      return {
        total: found.length,
        hits: chosen.map((document) => ({
          document,
          specificity: best[document] ?? 0,
          reasons: explain(reasons.filter((reason) => applies(document, reason))),
        })),
      };
    },
  };
}

interface Reason {
  readonly number: number;
  readonly term: Term;
  /** The path, tag or symbol of the target. */
  readonly value: string;
  readonly path?: readonly string[];
}

/** One reason for each thing that was asked about: the pattern that fits it most closely. */
function explain(reasons: readonly Reason[]): string[] {
  const closest = new Map<string, Reason>();
  for (const reason of reasons) {
    const name = `${reason.term.kind}${reason.value}`;
    const known = closest.get(name);
    if (!known || reason.term.specificity > known.term.specificity) closest.set(name, reason);
  }
  return [...closest.values()].map(({ term, value }) =>
    term.kind === kinds.path
      ? `path:${value} ~ ${term.text}`
      : `${term.kind === kinds.tag ? 'tag' : 'symbol'}:${value}`,
  );
}

/** More than any pattern with a wildcard can reach, so that a file named whole comes first. */
const WHOLE = 10_000;

function compile(kind: number, text: string): Term {
  if (kind === kinds.tag) return { kind, text, glob: undefined, specificity: 0 };
  if (kind === kinds.symbol) return { kind, text, glob: undefined, specificity: text.length };
  const glob = parseGlob(text);
  if ('refused' in glob) return { kind, text, glob: undefined, specificity: 0 };
  const literal = /[*?[{(]|\/$/.test(text) ? 0 : WHOLE;
  return { kind, text, glob, specificity: literal + text.replaceAll(/[*?[\]{}()!,]|\*\*\//g, '').length };
}

/** The first `limit` in order. A short list is kept in order while the rest goes by. */
function chooseBest(
  documents: number[],
  limit: number,
  compare: (a: number, b: number) => number,
): readonly number[] {
  if (documents.length <= limit || limit > 100) return documents.sort(compare).slice(0, limit);
  const chosen: number[] = [];
  for (const document of documents) {
    const last = chosen.at(-1);
    if (chosen.length === limit && last !== undefined && compare(document, last) >= 0) continue;
    let at = chosen.length;
    while (at > 0 && compare(document, chosen[at - 1] ?? 0) < 0) at--;
    chosen.splice(at, 0, document);
    if (chosen.length > limit) chosen.pop();
  }
  return chosen;
}

/** The documents of a term stand in rising order. */
function isPosted({ postings, documents }: MatcherParts, term: number, document: number): boolean {
  let [low, high] = [postings[term] ?? 0, (postings[term + 1] ?? 0) - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = documents[middle] ?? 0;
    if (value === document) return true;
    if (value < document) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

function fillTable(keys: readonly Key[]): Uint32Array {
  let size = 16;
  while (size < keys.length * 2) size *= 2;
  const table = new Uint32Array(size * 2);
  for (const [index, key] of keys.entries()) {
    let slot = key & (size - 1);
    while (table[slot * 2 + 1] !== 0) slot = (slot + 1) & (size - 1);
    table[slot * 2] = key;
    table[slot * 2 + 1] = index + 1;
  }
  return table;
}

/** One-based place of a key, or 0. */
function lookUp(table: Uint32Array, key: Key): number {
  const mask = table.length / 2 - 1;
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const place = table[slot * 2 + 1] ?? 0;
    if (place === 0 || table[slot * 2] === key) return place;
  }
}
