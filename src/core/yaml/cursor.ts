export type Step = string | number;

/** Offsets into a text: from the first character to past the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A key with its value, or an item of a list, and where it stands. */
export interface Place {
  readonly path: readonly Step[];
  /** The key, without its colon; items of a list have none. */
  readonly key: Span | undefined;
  /** The value with its quotes or brackets; empty where nothing has been said yet. */
  readonly value: Span;
  /** `unfinished`: a word where a key belongs, without its colon. `text`: several lines after `|` or `>`. */
  readonly shape: 'plain' | 'quoted' | 'text' | 'list' | 'map' | 'empty' | 'unfinished';
  /** On one line with others, between brackets. */
  readonly flow: boolean;
}

/** Where somebody is typing. */
export interface Cursor {
  /** The keys that lead there; the last one is the key being typed if `role` says so, and may be empty. */
  readonly path: readonly Step[];
  readonly role: 'key' | 'value';
  /** What a choice would replace: the key, or the value without its quotes. */
  readonly range: Span;
  /** As much of it as stands before the cursor. */
  readonly prefix: string;
}

/** Far more than a record may have; what lies beyond is not looked at. */
const MAX_CHARS = 256 * 1024;
/** Nothing of ours is nested deeper; it bounds the time that hostile text can take. */
const MAX_DEPTH = 32;

/** The keys and items of a YAML text, in their order. Takes half-written text for what it is about to become. */
export function placesIn(text: string): readonly Place[] {
  return new Scanner(text).scan().places;
}

/** The place at a path of keys; of several with the same keys the first. */
export function placeAt(places: readonly Place[], path: readonly PropertyKey[]): Place | undefined {
  return places.find((place) => isAt(place, path));
}

export const isAt = ({ path }: Pick<Place, 'path'>, wanted: readonly PropertyKey[]): boolean =>
  path.length === wanted.length && path.every((step, index) => String(step) === String(wanted[index]));

/** What a place says on one line, without its quotes; undefined of anything larger. */
export function wordAt(text: string, { shape, value }: Pick<Place, 'shape' | 'value'>): string | undefined {
  const raw = text.slice(value.start, value.end);
  if (shape === 'plain') return raw;
  if (shape !== 'quoted') return undefined;
  const inner = text.slice(innerOf(text, value).start, innerOf(text, value).end);
  return raw.startsWith("'") ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\/])/g, '$1');
}

/** A value without its quotes. */
export function innerOf(text: string, { start, end }: Span): Span {
  const quote = text[start];
  if (start === end || (quote !== '"' && quote !== "'")) return { start, end };
  const isClosed = end - start > 1 && text[end - 1] === quote;
  return { start: start + 1, end: isClosed ? end - 1 : end };
}

/** What stands at an offset, or would if something were typed there. Undefined in comments and longer texts. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const at = Math.max(0, Math.min(offset, text.length, MAX_CHARS));
  const holds = ({ start, end }: Span): boolean => start <= at && at <= end;
  const make = (role: Cursor['role'], path: readonly Step[], range: Span): Cursor => ({
    role,
    path,
    range,
    prefix: text.slice(range.start, Math.max(range.start, at)),
  });
  for (const { path, key, value, shape } of placesIn(text).toReversed()) {
    if (key && holds(key)) return make('key', path, key);
    const inner = innerOf(text, value);
    if ((shape === 'plain' || shape === 'quoted') && holds(inner)) return make('value', path, inner);
  }
  const typed = new Scanner(text.slice(0, at)).scan().typed();
  return typed && make(typed.role, typed.path, { start: typed.start, end: at });
}

interface OpenPlace extends Place {
  shape: Place['shape'];
  value: { start: number; end: number };
  readonly parent: OpenPlace | undefined;
  /** Of the key or dash. */
  readonly column: number;
}

/** A map or list whose entries stand below each other. */
interface Level {
  readonly kind: 'map' | 'list';
  readonly column: number;
  readonly path: readonly Step[];
  readonly owner: OpenPlace | undefined;
  count: number;
}

/** A map or list between brackets. */
interface Bracket {
  readonly kind: 'map' | 'list';
  readonly place: OpenPlace;
  count: number;
  /** The key whose value comes next. */
  key: OpenPlace | undefined;
}

interface Typed {
  readonly role: Cursor['role'];
  readonly path: readonly Step[];
  readonly start: number;
}

/** Goes through the lines once. Every method that reads something gives the offset past it. */
class Scanner {
  readonly places: OpenPlace[] = [];
  private readonly text: string;
  private levels: Level[] = [];
  /** The last key or item, as long as its value may follow on further lines. */
  private waiting: OpenPlace | undefined;
  /** Brackets that are still open where the text ends. */
  private open: readonly Bracket[] = [];
  private endsInComment = false;

  constructor(text: string) {
    this.text = text.slice(0, MAX_CHARS);
  }

  scan(): this {
    const { text } = this;
    for (let at = 0; at < text.length;) {
      const first = this.afterSpaces(at);
      if (this.isLineEnd(first)) {
        this.endsInComment = text[first] === '#' && this.lineEnd(first) === text.length;
        at = this.nextLine(first);
      } else if (/^(?:---|\.\.\.)(?=\s|$)/.test(text.slice(at, at + 4))) at = this.nextLine(first);
      else at = this.line(first, first - at);
    }
    for (const { parent, value, key } of this.places.toReversed())
      if (parent) parent.value.end = Math.max(parent.value.end, value.end, key?.end ?? 0);
    return this;
  }

  /** Where something typed at the end of the text would go. */
  typed(): Typed | undefined {
    const end = this.text.length;
    const lineStart = this.text.lastIndexOf('\n', end - 1) + 1;
    const bracket = this.open.at(-1);
    if (this.endsInComment) return undefined;
    if (bracket) return this.typedBetween(bracket);
    if (this.afterSpaces(lineStart) === end) return this.typedOnNewLine(end - lineStart);
    const last = this.places.at(-1);
    if (!last || last.flow || !['plain', 'quoted', 'empty'].includes(last.shape)) return undefined;
    const isClosed = last.shape === 'quoted' && innerOf(this.text, last.value).end < last.value.end;
    const isBehind = this.text.slice(last.value.end).includes('#');
    return isClosed || isBehind ? undefined : { role: 'value', path: last.path, start: last.value.start };
  }

  private typedBetween({ kind, place, count, key }: Bracket): Typed | undefined {
    const start = this.text.length;
    if (kind === 'list') return { role: 'value', path: [...place.path, count], start };
    return key ? { role: 'value', path: key.path, start } : { role: 'key', path: [...place.path, ''], start };
  }

  private typedOnNewLine(column: number): Typed | undefined {
    const start = this.text.length;
    const last = this.places.at(-1);
    if (last?.shape === 'text' && column > last.column) return undefined;
    const levels = this.levels.filter((level) => level.column <= column);
    const inside = this.waiting?.shape === 'empty' && column > this.waiting.column ? this.waiting : undefined;
    if (inside) return { role: 'key', path: [...inside.path, ''], start };
    const top = levels.at(-1);
    if (top?.kind !== 'list') return { role: 'key', path: [...(top?.path ?? []), ''], start };
    // Dashes may stand right below the key, where the next key would.
    const around = levels.at(-2);
    return around?.kind === 'map' && around.column === column
      ? { role: 'key', path: [...around.path, ''], start }
      : { role: 'value', path: [...top.path, top.count], start };
  }

  /** A line that starts a key, an item or a value, its dashes one after the other. */
  private line(from: number, fromColumn: number): number {
    let [at, column] = [from, fromColumn];
    while (this.isDash(at)) {
      const level = this.levelAt(at, column, 'list');
      if (!level) return this.nextLine(at);
      const item = this.add([...level.path, level.count++], undefined, at + 1, level.owner, column);
      const value = this.afterSpaces(at + 1);
      item.value.start = item.value.end = Math.min(value, this.text.length);
      this.waiting = item;
      if (this.isLineEnd(value)) return this.nextLine(value);
      column += value - at;
      at = value;
    }
    const colon = this.colonAfter(at);
    return colon === undefined ? this.withoutKey(at, column) : this.withKey(at, colon, column);
  }

  private withKey(at: number, colon: number, column: number): number {
    const level = this.levelAt(at, column, 'map');
    if (!level) return this.nextLine(colon);
    const span = { start: at, end: this.trimmed(at, colon) };
    const place = this.add([...level.path, this.name(span)], span, colon + 1, level.owner, column);
    this.waiting = place;
    const value = this.afterSpaces(colon + 1);
    place.value.start = place.value.end = value;
    return this.isLineEnd(value) ? this.nextLine(value) : this.value(value, place);
  }

  /** A value on the line after its key, the item behind a dash, or a key without its colon. */
  private withoutKey(at: number, column: number): number {
    const waiting =
      this.waiting?.shape === 'empty' && column > this.waiting.column ? this.waiting : undefined;
    const end = this.plainEnd(at, this.lineEnd(at));
    const isWord = /^[\w-]*$/.test(this.text.slice(at, end));
    const isItem = waiting !== undefined && waiting.key === undefined;
    if (waiting && (isItem || !isWord)) return this.value(at, waiting);
    if (!isWord) return this.nextLine(at);
    const level = this.levelAt(at, column, 'map');
    if (!level) return this.nextLine(at);
    const span = { start: at, end };
    this.waiting = this.add([...level.path, this.name(span)], span, end, level.owner, column);
    this.waiting.shape = 'unfinished';
    return this.nextLine(at);
  }

  /** The map or list that an entry in this column belongs to; undefined if it is too deep to be one of ours. */
  private levelAt(at: number, column: number, kind: Level['kind']): Level | undefined {
    const { waiting } = this;
    while ((this.levels.at(-1)?.column ?? -1) > column) this.levels.pop();
    if (kind === 'map' && this.levels.at(-1)?.kind === 'list' && this.levels.at(-1)?.column === column)
      this.levels.pop();
    const top = this.levels.at(-1);
    if (top?.column === column && top.kind === kind) return top;
    if (this.levels.length >= MAX_DEPTH) return undefined;
    // Dashes may stand right below the key.
    const mayHold =
      waiting?.shape === 'empty' &&
      (column > waiting.column ||
        (kind === 'list' && column === waiting.column && waiting.key !== undefined));
    const owner = mayHold ? waiting : top?.owner;
    if (mayHold) {
      waiting.shape = kind;
      waiting.value.start = waiting.value.end = at;
    }
    const path = mayHold ? waiting.path : (top?.path ?? []);
    const level: Level = { kind, column, path, owner, count: 0 };
    this.levels.push(level);
    return level;
  }

  private value(at: number, place: OpenPlace): number {
    const { text } = this;
    place.value.start = at;
    const first = text[at];
    if (first === '[' || first === '{') return this.brackets(at, place);
    if ((first === '|' || first === '>') && this.isLineEnd(this.afterHeader(at)))
      return this.longText(at, place);
    if (first === '"' || first === "'") {
      place.shape = 'quoted';
      place.value.end = this.quoteEnd(at, place.column);
      return this.nextLine(place.value.end);
    }
    place.shape = 'plain';
    place.value.end = this.plainEnd(at, this.lineEnd(at));
    let next = this.nextLine(at);
    for (let line = next; this.continues(line, place.column); line = next) {
      place.value.end = this.plainEnd(this.afterSpaces(line), this.lineEnd(line));
      next = this.nextLine(line);
    }
    return next;
  }

  /** Whether a line goes on with the plain value above it. */
  private continues(line: number, column: number): boolean {
    const first = this.afterSpaces(line);
    if (line >= this.text.length || this.isLineEnd(first)) return false;
    return first - line > column && !this.isDash(first) && this.colonAfter(first) === undefined;
  }

  private longText(at: number, place: OpenPlace): number {
    place.shape = 'text';
    place.value.end = this.lineEnd(at);
    let line = this.nextLine(at);
    while (line < this.text.length) {
      const first = this.afterSpaces(line);
      const isBlank = first >= this.lineEnd(first) || this.text[first] === '\r';
      if (!isBlank && first - line <= place.column) break;
      if (!isBlank) place.value.end = this.lineEnd(first);
      line = this.nextLine(first);
    }
    return line;
  }

  private brackets(from: number, owner: OpenPlace): number {
    const { text } = this;
    const stack: Bracket[] = [];
    let at = from;
    while (at < text.length) {
      const top = stack.at(-1);
      const ch = text[at] ?? '';
      if (ch === '\n' || ch === '\r') {
        at = this.nextLine(at);
        // Not closed: what follows is the next key already.
        if (this.startsEntry(at, owner.column)) return at;
      } else if (ch === ' ' || ch === '\t') at++;
      else if (ch === '#') {
        this.endsInComment = this.lineEnd(at) === text.length;
        at = this.lineEnd(at);
      } else if (ch === '[' || ch === '{') {
        if (stack.length >= MAX_DEPTH) return text.length;
        const place: OpenPlace = top ? this.slot(top, at, owner.column) : owner;
        place.shape = ch === '[' ? 'list' : 'map';
        place.value.start = at;
        place.value.end = ++at;
        stack.push({ kind: place.shape, place, count: 0, key: undefined });
      } else if (ch === ']' || ch === '}') {
        if (top) top.place.value.end = ++at;
        stack.pop();
        if (stack.length === 0) return this.nextLine(at);
      } else if (ch === ',') {
        if (top?.kind === 'list') top.count++;
        if (top) top.key = undefined;
        at++;
      } else if (top) at = this.flowWord(at, top, owner.column);
    }
    this.open = stack;
    return at;
  }

  /** The place of a value that starts inside of brackets. */
  private slot(top: Bracket, at: number, column: number): OpenPlace {
    if (top.key) return top.key;
    const step = top.kind === 'list' ? top.count : '';
    return this.add([...top.place.path, step], undefined, at, top.place, column, true);
  }

  private flowWord(at: number, top: Bracket, column: number): number {
    const isQuoted = this.text[at] === '"' || this.text[at] === "'";
    const end = isQuoted ? this.quoteEnd(at, column) : this.flowPlainEnd(at);
    if (end === at) return at + 1;
    const span = { start: at, end };
    if (top.kind === 'map' && !top.key) {
      const colon = this.afterSpaces(end);
      const place = this.add([...top.place.path, this.name(span)], span, end, top.place, column, true);
      const hasColon = this.text[colon] === ':';
      place.shape = hasColon ? 'empty' : 'unfinished';
      if (!hasColon) return end;
      place.value.start = place.value.end = this.afterSpaces(colon + 1);
      top.key = place;
      return colon + 1;
    }
    const place = this.slot(top, at, column);
    place.shape = isQuoted ? 'quoted' : 'plain';
    place.value.start = at;
    place.value.end = end;
    return end;
  }

  private flowPlainEnd(from: number): number {
    const { text } = this;
    let at = from;
    for (; at < text.length; at++) {
      const ch = text[at] ?? '';
      if (',[]{}\n\r'.includes(ch)) break;
      if (ch === ':' && ' \t\n\r,[]{}'.includes(text[at + 1] ?? '\n')) break;
      if (ch === '#' && /\s/.test(text[at - 1] ?? '')) break;
    }
    return this.trimmed(from, at);
  }

  /** Whether the next entry begins on this line, no further in than the one before. */
  private startsEntry(line: number, column: number): boolean {
    const first = this.afterSpaces(line);
    if (first - line > column || this.isLineEnd(first)) return false;
    return this.isDash(first) || this.colonAfter(first) !== undefined;
  }

  /** Past the closing quote, on a later line only if what is between is set in; else the end of the line. */
  private quoteEnd(from: number, column: number): number {
    const { text } = this;
    const quote = text[from];
    for (let at = from + 1; at < text.length; at++) {
      if (text[at] === '\\' && quote === '"') at++;
      else if (text[at] === quote) {
        if (quote === '"' || text[at + 1] !== "'") return at + 1;
        at++;
      } else if (text[at] === '\n') {
        const first = this.afterSpaces(at + 1);
        const isBlank = first >= this.lineEnd(first);
        if (!isBlank && (first - at - 1 <= column || this.colonAfter(first) !== undefined)) break;
      }
    }
    return this.trimmed(from, this.lineEnd(from));
  }

  /** The colon that ends the key which starts here. */
  private colonAfter(from: number): number | undefined {
    const { text } = this;
    const end = this.lineEnd(from);
    let at = from;
    if (text[at] === '"' || text[at] === "'") {
      const close = text.indexOf(text[at] ?? '', at + 1);
      if (close === -1 || close >= end) return undefined;
      at = this.afterSpaces(close + 1);
      return text[at] === ':' && this.isBreak(at + 1) ? at : undefined;
    }
    if ('[]{}#&*!|>%@`,'.includes(text[at] ?? '#')) return undefined;
    for (; at < end; at++) {
      if (text[at] === ':' && this.isBreak(at + 1)) return at;
      if (text[at] === '#' && /\s/.test(text[at - 1] ?? '')) return undefined;
    }
    return undefined;
  }

  private add(
    path: readonly Step[],
    key: Span | undefined,
    valueAt: number,
    parent: OpenPlace | undefined,
    column: number,
    flow = false,
  ): OpenPlace {
    const value = { start: valueAt, end: valueAt };
    const place: OpenPlace = { path, key, value, shape: 'empty', flow, parent, column };
    this.places.push(place);
    return place;
  }

  private name(span: Span): string {
    const { start, end } = innerOf(this.text, span);
    return this.text.slice(start, end);
  }

  /** After `|`, `>-` and the like. */
  private afterHeader(at: number): number {
    let end = at + 1;
    while (/[-+\d]/.test(this.text[end] ?? '')) end++;
    return this.afterSpaces(end);
  }

  /** The end of a plain value, without a comment behind it. */
  private plainEnd(from: number, lineEnd: number): number {
    const line = this.text.slice(from, lineEnd);
    const comment = /\s#/.exec(line);
    return this.trimmed(from, comment ? from + comment.index : lineEnd);
  }

  private trimmed(from: number, to: number): number {
    let end = to;
    while (end > from && ' \t\r\n'.includes(this.text[end - 1] ?? '')) end--;
    return end;
  }

  private isDash(at: number): boolean {
    return this.text[at] === '-' && this.isBreak(at + 1);
  }

  /** White space, or the end of the text. */
  private isBreak(at: number): boolean {
    return at >= this.text.length || ' \t\r\n'.includes(this.text[at] ?? ' ');
  }

  private isLineEnd(at: number): boolean {
    return at >= this.text.length || '\r\n#'.includes(this.text[at] ?? '#');
  }

  private afterSpaces(from: number): number {
    let at = from;
    while (this.text[at] === ' ' || this.text[at] === '\t') at++;
    return at;
  }

  private lineEnd(from: number): number {
    const end = this.text.indexOf('\n', from);
    return end === -1 ? this.text.length : end;
  }

  private nextLine(from: number): number {
    return Math.min(this.lineEnd(from) + 1, this.text.length);
  }
}
