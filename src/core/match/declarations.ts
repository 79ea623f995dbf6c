/** A name in a text, and where it is declared. */
export interface Declaration {
  readonly name: string;
  /** Of the name itself. */
  readonly offset: number;
}

const identifier = /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*/gu;

/** Words that stand before what they declare, in the languages that people are likely to use. */
const introducers = new Set(
  (
    'function class interface type enum const let var val def fn func fun struct trait impl union record object ' +
    'module namespace package protocol extension actor macro_rules define typedef sub proc procedure method ' +
    'static public private protected internal abstract async export table view index trigger schema resource'
  ).split(' '),
);

/** Words that stand before a name that is used. */
const statements = new Set(
  'return new else await throw yield case in of do delete typeof not and or if while assert go defer'.split(
    ' ',
  ),
);

/** The last part of a name such as `Cache.get`, `Cache::get` or `Cache#get`: what a text has at its declaration. */
export const lastPart = (name: string): string => /[^.:#]*$/.exec(name)?.[0] ?? name;

/** Whether any of the names is in the text at all, as a whole word. */
export function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const [word] of text.matchAll(identifier)) if (names.has(word)) return true;
  return false;
}

/**
 * Where names are declared, as far as the text alone tells: after a word such as `function` or `class`, or as the first
 * thing of a line that goes on as a definition does. Each name once, where that is first so.
 */
export function findDeclarations(text: string, names: ReadonlySet<string>): Declaration[] {
  const found = new Map<string, Declaration>();
  for (const match of text.matchAll(identifier)) {
    const [name] = match;
    if (!names.has(name) || found.has(name)) continue;
    if (isDeclared(text, match.index, name.length)) found.set(name, { name, offset: match.index });
  }
  return [...found.values()];
}

/** How far around a name is looked, so that a text of nothing but names stays cheap. */
const REACH = 200;

function isDeclared(text: string, offset: number, length: number): boolean {
  const nearby = text.slice(Math.max(0, offset - REACH), offset);
  const before = nearby.slice(nearby.lastIndexOf('\n') + 1);
  const word = wordBefore(before);
  if (word !== undefined && introducers.has(word.toLowerCase())) return true;
  const after = text.slice(offset + length, offset + length + REACH);
  const hasBody = /^\s*(?:<[^>\n]*>)?\s*\([^;{}]*\)(?:[^;\n]*|\s*)\{/;
  // As in C, the type of what it gives stands before it, and nothing else does.
  if (word !== undefined)
    return !statements.has(word) && /^[\w\s*&:<>]*$/.test(before) && hasBody.test(after);
  // A method or a field: nothing before it on its line, and a body, a value or a type behind it.
  return before.trim() === '' && (hasBody.test(after) || /^\s*(?:=(?![=>])|:(?!:))/.test(after));
}

/** The word that a name follows; the stars of a pointer may stand between. */
function wordBefore(before: string): string | undefined {
  const end = before.replace(/[\s*&]{1,20}$/, '');
  return end.length === before.length ? undefined : /[\p{L}_]{1,20}$/u.exec(end.slice(-20))?.[0];
}
