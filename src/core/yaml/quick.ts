type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type ValueMap = Record<string, Value>;

/**
 * All below what the guard allows, so that a text taken here need not be guarded, whatever it is made of:
 * - characters: the guard counts bytes, and a character has up to three;
 * - nodes: each costs at most four of the guard's thousand marks;
 * - indent and flowPairs: the guard adds up the columns in use, the colons and dashes of one line, and its brackets.
 */
const limits = { characters: 21_000, nodes: 250, indent: 16, flowPairs: 8, flowDepth: 2 } as const;

/** The column of a line that is not there. */
const END = -1;

const words = new Map<string, null | boolean>([
  ...['~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);
const LONGEST_WORD = 5;

const escapes = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['n', '\n'],
  ['t', '\t'],
]);

/** What a plain value cannot start with, or only sometimes; a dash is looked at more closely. */
const indicators = new Set('?:,[]{}#&*!|>\'"%@`\t');

/** What a number can start with. */
const numeric = new Set('-+.0123456789');

/**
 * Reads the plain block style that nearly all records are written in, some thirty times faster than the YAML library,
 * and gives exactly what that would. Undefined says nothing about the text but that it is for the library to judge:
 * whatever is rare, wrong, or would not pass the guard is left to it.
 */
export function parseQuick(text: string): Record<string, unknown> | undefined {
  if (text.length > limits.characters || text.includes('\0')) return undefined;
  // Merge conflicts, which the guard looks for also inside of texts.
  if (text.includes('<<<<<<<') || text.includes('>>>>>>>')) return undefined;
  const unix = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text;
  return unix.includes('\r') ? undefined : new Reader(unix).document();
}

/**
 * A cursor over the text. Between values it stands on the first character of a line that is neither blank nor a
 * comment. Every method that reads a value moves it past that value, or gives undefined, which ends the attempt.
 */
class Reader {
  private at = 0;
  /** The column that the current line starts in. */
  private column = END;
  private nodes = 0;
  private flowPairs = 0;
  private readonly keyPattern = /[A-Za-z_][\w-]{0,99}(?=:(?: |\n|$))/y;

  constructor(private readonly text: string) {}

  document(): ValueMap | undefined {
    this.toLine(0);
    // Only the end of the text ends a map in the first column.
    return this.column === 0 ? this.blockMap(0) : undefined;
  }

  /** The map whose keys stand in `column`, the first of them under the cursor. */
  private blockMap(column: number): ValueMap | undefined {
    const map: ValueMap = {};
    while (this.column === column) {
      const key = this.key(map);
      const value = key === undefined ? undefined : this.blockValue(column);
      if (key === undefined || value === undefined) return undefined;
      map[key] = value;
    }
    return this.column < column ? map : undefined;
  }

  private blockList(column: number): Value[] | undefined {
    const list: Value[] = [];
    while (this.column === column && this.isAtDash()) {
      const item = this.blockItem(column);
      if (item === undefined) return undefined;
      list.push(item);
    }
    // Whether the next line fits is for the map around to say: a key of it may stand in the same column.
    return list;
  }

  private blockItem(column: number): Value | undefined {
    const dash = this.at;
    this.at++;
    this.skipSpaces();
    if (!this.isAtKey()) return this.startedValue(column);
    if (++this.nodes > limits.nodes) return undefined;
    // `- key: value` starts a map in the column of the key.
    this.column = column + this.at - dash;
    return this.blockMap(this.column);
  }

  /** What follows `key:`, where the key stands in column `parent`. */
  private blockValue(parent: number): Value | undefined {
    this.skipSpaces();
    if (!this.isAtLineEnd()) return this.startedValue(parent);
    if (++this.nodes > limits.nodes) return undefined;
    this.toNextLine();
    // The dashes of a list may stand right below the key.
    if (this.column >= parent && this.isAtDash()) return this.blockList(this.column);
    return this.column > parent ? this.blockMap(this.column) : null;
  }

  /** A value that starts under the cursor, on the line of its key or dash. */
  private startedValue(parent: number): Value | undefined {
    if (this.text[this.at] === '|') return this.literal(parent);
    this.flowPairs = 0;
    const value = this.inlineValue(0);
    if (value === undefined || !this.skipToLineEnd()) return undefined;
    // If the next line would continue the value, it is too far in for what the caller goes on with.
    this.toNextLine();
    return value;
  }

  private inlineValue(flowDepth: number): Value | undefined {
    if (++this.nodes > limits.nodes) return undefined;
    switch (this.text[this.at]) {
      case '"':
        return this.doubleQuoted();
      case "'":
        return this.singleQuoted();
      case '[':
        return flowDepth < limits.flowDepth ? this.flowList(flowDepth + 1) : undefined;
      case '{':
        return flowDepth < limits.flowDepth ? this.flowMap(flowDepth + 1) : undefined;
      default:
        return flowDepth > 0 ? this.flowPlain() : this.blockPlain();
    }
  }

  private flowList(depth: number): Value[] | undefined {
    const list: Value[] = [];
    if (this.isEmptyFlow(']')) return list;
    do {
      const item = this.flowItem(depth);
      if (item === undefined) return undefined;
      list.push(item);
    } while (this.skip(','));
    return this.skip(']') ? list : undefined;
  }

  private flowMap(depth: number): ValueMap | undefined {
    const map: ValueMap = {};
    if (this.isEmptyFlow('}')) return map;
    do {
      this.skipSpaces();
      const key = ++this.flowPairs > limits.flowPairs ? undefined : this.key(map);
      const value = key === undefined ? undefined : this.flowItem(depth);
      if (key === undefined || value === undefined) return undefined;
      map[key] = value;
    } while (this.skip(','));
    return this.skip('}') ? map : undefined;
  }

  private isEmptyFlow(close: string): boolean {
    this.at++;
    this.skipSpaces();
    return this.skip(close);
  }

  private flowItem(depth: number): Value | undefined {
    this.skipSpaces();
    const value = this.inlineValue(depth);
    this.skipSpaces();
    return value;
  }

  /** A key that is not in `map` yet, with its colon. */
  private key(map: ValueMap): string | undefined {
    if (!this.isAtKey()) return undefined;
    const key = this.text.slice(this.at, this.keyPattern.lastIndex);
    this.at = this.keyPattern.lastIndex + 1;
    // The library reads `null` as a key that is no text, and makes `__proto__` a key like any other.
    if (words.has(key) || key === '__proto__' || Object.hasOwn(map, key)) return undefined;
    return key;
  }

  private blockPlain(): Value | undefined {
    const line = this.text.slice(this.at, this.lineEnd());
    const comment = line.indexOf(' #');
    const plain = trimSpaces(comment === -1 ? line : line.slice(0, comment));
    // Another key on the same line is an error; a tab may separate, just as a space does.
    if (plain.includes(': ') || plain.endsWith(':') || line.includes('\t')) return undefined;
    this.at += plain.length;
    return resolve(plain);
  }

  private flowPlain(): Value | undefined {
    const start = this.at;
    for (let ch = this.text[start]; ch !== ',' && ch !== ']' && ch !== '}'; ch = this.text[++this.at]) {
      if (ch === undefined || '[{\n\t'.includes(ch)) return undefined;
      if (ch === ':' && ' ,[]{}\n'.includes(this.text[this.at + 1] ?? '\n')) return undefined;
      if (ch === '#' && this.text[this.at - 1] === ' ') return undefined;
    }
    return resolve(trimSpaces(this.text.slice(start, this.at)));
  }

  private singleQuoted(): string | undefined {
    const start = this.at + 1;
    let end = this.text.indexOf("'", start);
    while (end !== -1 && this.text[end + 1] === "'") end = this.text.indexOf("'", end + 2);
    const raw = end === -1 ? '\n' : this.text.slice(start, end);
    if (raw.includes('\n')) return undefined;
    this.at = end + 1;
    return raw.replaceAll("''", "'");
  }

  private doubleQuoted(): string | undefined {
    const start = this.at + 1;
    let end = this.text.indexOf('"', start);
    while (end !== -1 && this.isEscaped(end)) end = this.text.indexOf('"', end + 1);
    const raw = end === -1 ? '\n' : this.text.slice(start, end);
    if (raw.includes('\n')) return undefined;
    this.at = end + 1;
    return raw.includes('\\') ? unescaped(raw) : raw;
  }

  private isEscaped(at: number): boolean {
    let first = at;
    while (this.text[first - 1] === '\\') first--;
    return (at - first) % 2 === 1;
  }

  /** A text of several lines after `|`, `|-` or `|+`, for a key or dash in column `parent`. */
  private literal(parent: number): string | undefined {
    if (++this.nodes > limits.nodes) return undefined;
    this.at++;
    const chomp = this.skip('-') ? '-' : this.skip('+') ? '+' : '';
    if (!this.skipToLineEnd()) return undefined;
    const start = this.lineEnd() + 1;
    const indent = this.literalIndent(start);
    if (indent === undefined || indent <= parent) return undefined;
    const { lines, end } = this.literalLines(start, indent);
    const all = lines.length;
    while (lines.at(-1) === '') lines.pop();
    // How many line breaks are kept at the end of a file that does not end with one is not worth knowing.
    if (chomp === '+' && end > this.text.length) return undefined;
    this.toLine(end);
    const breaks = { '-': 0, '': 1, '+': all - lines.length + 1 }[chomp];
    return lines.join('\n') + '\n'.repeat(breaks);
  }

  /** The first line with text on it says how far the whole text is set in. */
  private literalIndent(start: number): number | undefined {
    let widestBlank = 0;
    let line = start;
    let at = this.afterSpaces(line);
    while (this.text[at] === '\n') {
      widestBlank = Math.max(widestBlank, at - line);
      line = at + 1;
      at = this.afterSpaces(line);
    }
    const indent = at - line;
    // Blank lines before it that are set in further are an error.
    return at < this.text.length && indent >= widestBlank && indent <= limits.indent ? indent : undefined;
  }

  private literalLines(start: number, indent: number): { lines: string[]; end: number } {
    const { text } = this;
    const lines: string[] = [];
    let line = start;
    while (line < text.length) {
      const end = this.lineEnd(line);
      const content = Math.min(line + indent, end);
      let at = line;
      while (at < content && text[at] === ' ') at++;
      if (at < content) break;
      lines.push(text.slice(content, end));
      line = end + 1;
    }
    return { lines, end: line };
  }

  private toNextLine(): void {
    this.toLine(this.lineEnd() + 1);
  }

  /** Goes to the first line from the one at `start` on that is neither blank nor a comment. */
  private toLine(start: number): void {
    let line = start;
    do {
      this.at = this.afterSpaces(line);
      this.column = this.at - line;
      line = this.lineEnd() + 1;
    } while (this.isAtLineEnd() && this.at < this.text.length && this.column <= limits.indent);
    if (this.column > limits.indent) {
      // With the guard even a comment counts that is so far in. At the end of the text nothing can be read, so this fails.
      this.at = this.text.length;
    } else if (this.at >= this.text.length) {
      this.column = END;
    }
  }

  private isAtKey(): boolean {
    this.keyPattern.lastIndex = this.at;
    return this.keyPattern.test(this.text);
  }

  private isAtDash(): boolean {
    return this.text[this.at] === '-' && this.text[this.at + 1] === ' ';
  }

  private isAtLineEnd(): boolean {
    const ch = this.text[this.at];
    return ch === undefined || ch === '\n' || ch === '#';
  }

  /** Whether only a comment is left on the line, with a space before it. */
  private skipToLineEnd(): boolean {
    const from = this.at;
    this.skipSpaces();
    return this.isAtLineEnd() && (this.text[this.at] !== '#' || this.at > from);
  }

  private skip(ch: string): boolean {
    if (this.text[this.at] !== ch) return false;
    this.at++;
    return true;
  }

  private skipSpaces(): void {
    this.at = this.afterSpaces(this.at);
  }

  private afterSpaces(from: number): number {
    let at = from;
    while (this.text[at] === ' ') at++;
    return at;
  }

  /** Where the line break is, or the end of the text. */
  private lineEnd(from = this.at): number {
    const end = this.text.indexOf('\n', from);
    return end === -1 ? this.text.length : end;
  }
}

/** What an unquoted value means. */
function resolve(plain: string): Value | undefined {
  const first = plain[0];
  if (first === undefined || indicators.has(first)) return undefined;
  if (first === '-' && !/^-\w/.test(plain)) return undefined;
  if (plain.length <= LONGEST_WORD) {
    const word = words.get(plain);
    if (word !== undefined) return word;
  }
  return numeric.has(first) ? resolveNumber(plain) : plain;
}

function resolveNumber(plain: string): number | string | undefined {
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain)) return Number(plain);
  // Hexadecimal, exponents, a leading plus: the library knows which of them are numbers.
  if (!Number.isNaN(Number(plain)) || /^[-+]?\.(?:inf|nan)$/i.test(plain)) return undefined;
  return plain;
}

/** Undefined at the first escape that is not one of the simple ones. */
function unescaped(raw: string): string | undefined {
  let value = '';
  let from = 0;
  for (let at = raw.indexOf('\\'); at !== -1; at = raw.indexOf('\\', from)) {
    const escaped = escapes.get(raw[at + 1] ?? '');
    if (escaped === undefined) return undefined;
    value += raw.slice(from, at) + escaped;
    from = at + 2;
  }
  return value + raw.slice(from);
}

/** Only spaces: to YAML a no-break space is text. */
function trimSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}
