/** Where a value stands in a JSON text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Adds values to a JSON text without writing the rest of it anew, which would change numbers that JavaScript cannot
 * hold, spaces and the spelling of strings. The text must be valid JSON.
 */
export function insertInto(text: string, additions: readonly (Span & { readonly json: string })[]): string {
  let changed = text;
  for (const { start, end, json } of additions.toSorted((a, b) => b.start - a.start)) {
    const isEmpty = changed.slice(start + 1, end - 1).trim() === '';
    changed = changed.slice(0, end - 1) + (isEmpty ? '' : ',') + json + changed.slice(end - 1);
  }
  return changed;
}

/** The value that the whole text is. */
export function wholeOf(text: string): Span {
  const start = skipSpace(text, 0);
  return { start, end: valueEnd(text, start) };
}

/** The values of an object by their names; of several of one name the last, as JSON.parse has it. */
export function membersOf(text: string, { start }: Span): ReadonlyMap<string, Span> {
  const members = new Map<string, Span>();
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const nameEnd = stringEnd(text, at);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    const value = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const end = valueEnd(text, value);
    members.set(name, { start: value, end });
    at = nextItem(text, end);
  }
  return members;
}

export function itemsOf(text: string, { start }: Span): readonly Span[] {
  const items: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at);
    items.push({ start: at, end });
    at = nextItem(text, end);
  }
  return items;
}

function nextItem(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  return at;
}

function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first !== '{' && first !== '[') {
    let at = start;
    while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? '')) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const one = text[at];
    if (one === '"') at = stringEnd(text, at) - 1;
    else if (one === '{' || one === '[') depth++;
    else if ((one === '}' || one === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  for (; at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return text.length;
}
