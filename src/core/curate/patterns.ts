import { matchGlob, parseGlob } from '../match/glob';
import { nearest } from '../yaml/nearest';

/** The files that a list of patterns means, `!` patterns taking away; at most `limit`. */
export function filesMatching(
  patterns: readonly string[],
  files: readonly string[],
  limit = Infinity,
): string[] {
  const compile = (list: readonly string[]) =>
    list.map((pattern) => parseGlob(pattern)).filter((glob) => 'readings' in glob);
  const wanted = compile(patterns.filter((pattern) => !pattern.startsWith('!')));
  const unwanted = compile(
    patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)),
  );
  const found: string[] = [];
  if (wanted.length === 0) return found;
  for (const file of files) {
    if (found.length >= limit) break;
    const segments = file.split('/');
    if (!wanted.some((glob) => matchGlob(glob, segments))) continue;
    if (!unwanted.some((glob) => matchGlob(glob, segments))) found.push(file);
  }
  return found;
}

/** More would be a search, not a choice. */
export const MAX_CHOICES = 3;

/** Patterns that match something today and mean what this one may have meant: the file or folder elsewhere. */
export function movedTo(pattern: string, files: readonly string[]): string[] {
  const segments = pattern.replace(/^\.?\//, '').split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}()!]/.test(segment));
  const literal = (wild === -1 ? segments : segments.slice(0, wild)).filter(Boolean);
  const rest = wild === -1 ? [] : segments.slice(wild);
  const name = literal.at(-1);
  if (name === undefined) return [];
  const places = new Set<string>();
  for (const file of files) {
    const parts = file.split('/');
    const isFile = rest.length === 0 && !pattern.endsWith('/');
    const depth: number = isFile ? parts.length - 1 : parts.lastIndexOf(name);
    if (depth >= 0 && parts[depth] === name) places.add(parts.slice(0, depth + 1).join('/'));
  }
  // A letter that was mistyped, rather than a file that has moved.
  if (places.size === 0 && rest.length === 0)
    for (const near of nearest(literal.join('/'), files).slice(0, MAX_CHOICES)) places.add(near);
  const shared = (place: string): number => place.split('/').filter((part) => literal.includes(part)).length;
  return [...places]
    .map((place) => [place, ...rest].join('/') + (pattern.endsWith('/') && rest.length === 0 ? '/' : ''))
    .filter((one) => one !== pattern && filesMatching([one], files, 1).length > 0)
    .toSorted((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, MAX_CHOICES);
}
