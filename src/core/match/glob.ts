/**
 * Globs, decided without regular expressions: the time to match is bounded by the lengths of pattern and path, so no
 * pattern can hang the host. What a pattern means is said in docs/matching.md.
 */

import { buildMachine, MAX_NAME, type Machine, type Op } from './machine';

/** One name of a pattern: a literal, any number of folders, or a sequence to match. */
export type Segment =
  | { readonly literal: string }
  | '**'
  /** With a machine where going back to the last star would not be enough. */
  | { readonly ops: readonly Op[]; readonly machine?: Machine };

export interface Glob {
  /** One for each way its braces can be read. */
  readonly readings: readonly (readonly Segment[])[];
}

const limits = {
  length: 1000,
  wildcards: 64,
  readings: 256,
  groups: 8,
  groupDepth: 3,
  /** Steps that a character can cost, over all readings: a long name then takes a few milliseconds. */
  effort: 1500,
} as const;

/** Reads a pattern, or says why it cannot be used. */
export function parseGlob(pattern: string): Glob | { readonly refused: string } {
  if (pattern.length > limits.length) return { refused: `is longer than ${limits.length} characters` };
  const expanded = expandBraces(anchor(pattern.normalize('NFC')));
  if (!expanded) return { refused: `has braces that stand for more than ${limits.readings} patterns` };
  const readings: Segment[][] = [];
  let effort = 0;
  for (const text of expanded) {
    const wildcards = text.match(/[*?[(]/g)?.length ?? 0;
    if (wildcards > limits.wildcards) return { refused: `has more than ${limits.wildcards} wildcards` };
    const groups = text.match(/\(/g)?.length ?? 0;
    if (groups > limits.groups) return { refused: `has more than ${limits.groups} groups` };
    const segments = splitOutside(text, '/').filter(Boolean).map(parseSegment);
    for (const segment of segments)
      if (typeof segment === 'object' && 'machine' in segment) effort += segment.machine.effort;
    if (effort > limits.effort) return { refused: 'has too many braces beside groups and classes' };
    if (segments.length > 0) readings.push(segments);
  }
  return { readings };
}

/** Every way to read a pattern's braces, as the texts of its names; nothing if it cannot be used. */
export function writtenOut(pattern: string): readonly (readonly string[])[] {
  if ('refused' in parseGlob(pattern)) return [];
  const texts = expandBraces(anchor(pattern.normalize('NFC'))) ?? [];
  return texts.map((text) => splitOutside(text, '/').filter(Boolean));
}

/** A path as a pattern that matches it and nothing else. */
export function literalGlob(path: string): string {
  const names = path.split('/').map((name) => {
    // Parentheses are part of a name, as in `(auth)`, unless they look like a group or do not pair up.
    const plain = /^(?:[^()|]*[^()|@?*+!])?(?:\([^()|]*\)(?:[^()|]*[^()|@?*+!])?)*[^()|]*$/.test(name);
    return name.replaceAll(plain ? /[*?[{}\\]/g : /[*?[{}()|@+!\\]/g, '\\$&');
  });
  const escaped = names.join('/').replace(/^!/, '\\!');
  // Without a slash it would mean a file of this name in any folder.
  return escaped.includes('/') ? escaped : `/${escaped}`;
}

/** Our three rules, and that a pattern which starts at the root may say so. */
function anchor(pattern: string): string {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replace(/^\/+/, '');
  const below = plain.endsWith('/') ? `${plain}**` : plain;
  return plain !== pattern || below.includes('/') ? below : `**/${below}`;
}

export function matchGlob({ readings }: Glob, path: readonly string[]): boolean {
  return readings.some((segments) => matchSegments(segments, path));
}

/** Going back to the last `**` alone is enough: whatever an earlier one would take, the last one can. */
function matchSegments(segments: readonly Segment[], path: readonly string[]): boolean {
  let [at, position] = [0, 0];
  let [retryAt, retryPosition] = [-1, 0];
  while (position < path.length) {
    const segment = segments[at];
    if (segment === '**') {
      retryAt = ++at;
      retryPosition = position;
    } else if (segment !== undefined && matchName(segment, path[position] ?? '')) {
      at++;
      position++;
    } else if (retryAt >= 0) {
      at = retryAt;
      position = ++retryPosition;
    } else return false;
  }
  // What `src/**` is about is also about `src`; but `*/**` is about what lies deeper.
  if (at < segments.length && endsInStar(segments[at - 1])) return false;
  while (segments[at] === '**') at++;
  return at === segments.length;
}

function endsInStar(segment: Segment | undefined): boolean {
  return typeof segment === 'object' && 'ops' in segment && segment.ops.at(-1)?.kind === 'star';
}

function matchName(segment: Exclude<Segment, '**'>, name: string): boolean {
  if ('literal' in segment) return segment.literal === name;
  if (!segment.machine) return matchPlain(segment.ops, name);
  return name.length <= MAX_NAME && segment.machine.matches(name);
}

/** As for folders: going back to the last `*` alone is enough. */
function matchPlain(ops: readonly Op[], name: string): boolean {
  let [at, position] = [0, 0];
  let [retryAt, retryPosition] = [-1, 0];
  for (;;) {
    const op = ops[at];
    if (op === undefined && position === name.length) return true;
    if (op?.kind === 'star') {
      if (at === ops.length - 1) return true;
      retryAt = ++at;
      retryPosition = position;
      continue;
    }
    const end = op && endOf(op, name, position);
    if (end !== undefined) {
      at++;
      position = end;
    } else if (retryAt >= 0 && retryPosition < name.length) {
      at = retryAt;
      position = ++retryPosition;
    } else return false;
  }
}

function endOf(op: Op, name: string, position: number): number | undefined {
  if (op.kind === 'text') return name.startsWith(op.text, position) ? position + op.text.length : undefined;
  return op.kind === 'any' && position < name.length ? position + 1 : undefined;
}

function parseSegment(text: string): Segment {
  if (text === '**') return '**';
  const ops = parseOps(text, 0);
  const [only] = ops;
  if (ops.length === 1 && only?.kind === 'text') return { literal: only.text };
  const plain = ops.every(({ kind }) => kind === 'text' || kind === 'star' || kind === 'any');
  return plain ? { ops } : { ops, machine: buildMachine(ops) };
}

function parseOps(text: string, depth: number): Op[] {
  const ops: Op[] = [];
  const addText = (more: string): void => {
    const last = ops.at(-1);
    if (last?.kind === 'text') ops[ops.length - 1] = { kind: 'text', text: last.text + more };
    else ops.push({ kind: 'text', text: more });
  };
  for (let at = 0; at < text.length;) {
    const char = text[at] ?? '';
    const group = depth < limits.groupDepth ? readGroup(text, at, depth) : undefined;
    const bracket = char === '[' ? readClass(text, at) : undefined;
    const special = group ?? bracket;
    if (special) {
      ops.push(special.op);
      at = special.end;
      continue;
    }
    if (char === '*') {
      if (ops.at(-1)?.kind !== 'star') ops.push({ kind: 'star' });
    } else if (char === '?') ops.push({ kind: 'any' });
    else if (char === '\\' && at + 1 < text.length) addText(text[++at] ?? '');
    else addText(char);
    at++;
  }
  return ops;
}

/** `@(a|b)` and its like; bare parentheses only with a bar in them, since folders are called `(auth)`. */
function readGroup(text: string, at: number, depth: number): { op: Op; end: number } | undefined {
  const mode = '@?*+!'.includes(text[at] ?? ' ') && text[at + 1] === '(' ? (text[at] ?? '') : '';
  const open = at + mode.length;
  if (text[open] !== '(') return undefined;
  const close = closing(text, open, '()');
  if (close === undefined) return undefined;
  const choices = splitOutside(text.slice(open + 1, close), '|');
  if (mode === '' && choices.length === 1) return undefined;
  const op: Op = {
    kind: 'group',
    mode: mode || '@',
    choices: choices.map((choice) => parseOps(choice, depth + 1)),
  };
  return { op, end: close + 1 };
}

function readClass(text: string, at: number): { op: Op; end: number } | undefined {
  const negated = text[at + 1] === '!' || text[at + 1] === '^';
  const first = at + (negated ? 2 : 1);
  // A bracket that comes first is one of the characters.
  const close = text.indexOf(']', first + 1);
  if (close < 0) return undefined;
  const inner = text.slice(first, close);
  const ranges: (readonly [string, string])[] = [];
  for (let index = 0; index < inner.length; index++) {
    if (inner[index] === '\\') index++;
    const from = inner[index] ?? '';
    const isRange = inner[index + 1] === '-' && index + 2 < inner.length;
    const to = isRange ? (inner[index + 2] ?? '') : from;
    if (isRange) index += 2;
    ranges.push([from, to]);
  }
  return { op: { kind: 'class', negated, ranges, literal: text.slice(at, close + 1) }, end: close + 1 };
}

/** Every pattern that a pattern with braces stands for; undefined if they are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const found = firstBraces(pattern);
  if (!found) return [pattern];
  const { start, end, choices } = found;
  const tails = expandBraces(pattern.slice(end));
  if (!tails) return undefined;
  const expanded: string[] = [];
  for (const choice of choices) {
    const inner = expandBraces(choice);
    if (!inner || (expanded.length + inner.length) * tails.length > limits.readings) return undefined;
    expanded.push(...inner);
  }
  const head = pattern.slice(0, start);
  return expanded.flatMap((middle) => tails.map((tail) => head + middle + tail));
}

/** The first braces that offer a choice; others are ordinary characters. */
function firstBraces(pattern: string): { start: number; end: number; choices: string[] } | undefined {
  for (let start = 0; start < pattern.length; start++) {
    if (pattern[start] === '\\') start++;
    else if (pattern[start] === '{') {
      const close = closing(pattern, start, '{}');
      if (close === undefined) continue;
      const inner = pattern.slice(start + 1, close);
      const parts = splitOutside(inner, ',');
      const choices = parts.length > 1 ? parts : expandRange(inner);
      if (choices) return { start, end: close + 1, choices };
    }
  }
  return undefined;
}

/** `1..9`, `01..12`, `a..e` */
function expandRange(inner: string): string[] | undefined {
  const [, from = '', to = ''] = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])$/.exec(inner) ?? [];
  const numbers = /\d$/.test(from) && /\d$/.test(to);
  if (from === '' || numbers !== /\d$/.test(from + to)) return undefined;
  const [low, high] = numbers
    ? [Number(from), Number(to)]
    : [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  const count = Math.abs(high - low) + 1;
  if (count > limits.readings) return Array.from({ length: limits.readings + 1 }, () => '');
  const padded = /^-?0\d/.test(from) || /^-?0\d/.test(to);
  const width = padded ? Math.max(from.length, to.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = low <= high ? low + index : low - index;
    return numbers ? pad(value, width) : String.fromCodePoint(value);
  });
}

const pad = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');

/** Where the bracket at `open` is closed. */
function closing(text: string, open: number, pair: string): number | undefined {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === pair[0]) depth++;
    else if (text[at] === pair[1] && --depth === 0) return at;
  }
  return undefined;
}

/** Splits where the separator stands outside of braces and groups. */
export function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\\') at++;
    else if (char === '{' || char === '(') depth++;
    else if (char === '}' || char === ')') depth--;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
