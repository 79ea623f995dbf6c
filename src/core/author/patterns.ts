import { matchGlob, parseGlob } from '../match/glob';
import { findHostile } from '../yaml/hostileText';

interface PatternProblem {
  /** A pattern with a warning can be used as it is. */
  readonly severity: 'error' | 'warning';
  /** A sentence. */
  readonly message: string;
}

/** What glob characters a backslash can stand before; before anything else it is how Windows separates folders. */
const SEPARATOR = /\\(?![{}[\]()!?\\])/g;

/** A pattern as people type it (`src\**`, `./src/`, `/src//a.ts`), in the form that records have. */
export function normalisePattern(typed: string): string {
  const text = typed.trim();
  if (text.startsWith('!')) return `!${normalisePattern(text.slice(1))}`;
  const slashed = text.replaceAll(SEPARATOR, '/').replaceAll(/\/{2,}/g, '/');
  const plain = slashed.replace(/^(?:\.\/)+/, '/').replace(/^\/+/, '');
  if (plain === '' || plain === '.') return text === '' ? '' : '**';
  const below = plain.endsWith('/') ? `${plain}**` : plain;
  // Without a slash it would match at any depth, which is not what a leading one says.
  return plain !== slashed && !below.includes('/') ? `/${below}` : below;
}

/** What is wrong with a pattern that somebody types; with `files`, also if it matches none of them. */
export function checkPattern(typed: string, files?: readonly string[]): PatternProblem | undefined {
  const pattern = normalisePattern(typed);
  const bare = pattern.replace(/^!+/, '');
  const wrong = (message: string): PatternProblem => ({ severity: 'error', message });
  if (bare === '') return wrong('A pattern must say which files, such as src/**.');
  if (/^[A-Za-z]:/.test(bare) || bare.startsWith('~'))
    return wrong('Patterns are relative to the folder that holds .learnings, such as src/**.');
  if (bare.split('/').includes('..')) return wrong('.. leads out of the folder that holds .learnings.');
  const hostile = findHostile(bare);
  if (hostile) return wrong(`It holds the invisible or control character ${hostile.codePoint}.`);
  const open = unclosed(bare);
  if (open !== undefined) return wrong(`The ${open} is never closed.`);
  const glob = parseGlob(bare);
  if ('refused' in glob) return wrong(`It ${glob.refused}.`);
  if (!files || files.some((file) => matchGlob(glob, file.split('/')))) return undefined;
  return { severity: 'warning', message: 'No file matches it yet.' };
}

/** The first brace or bracket that is left open; an editor is to say so before it is taken for part of a name. */
function unclosed(pattern: string): string | undefined {
  const open: string[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '\\') at++;
    else if (char === '[') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return char;
      at = close;
    } else if (char === '{' || char === '(') open.push(char);
    else if ((char === '}' && open.at(-1) === '{') || (char === ')' && open.at(-1) === '(')) open.pop();
  }
  return open[0];
}

/** Splits a list at commas, but not inside the braces of a glob. */
export function splitPatterns(text: string): string[] {
  const items: string[] = [];
  let [item, depth] = ['', 0];
  for (const character of `${text},`) {
    if (character === '{') depth++;
    if (character === '}') depth--;
    if (character !== ',' || depth > 0) item += character;
    else {
      items.push(item);
      item = '';
    }
  }
  // Braces that do not pair up are no braces.
  return (item === '' ? items : text.split(',')).filter(Boolean);
}
