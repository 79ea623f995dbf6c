import { literalGlob, matchGlob, parseGlob, writtenOut } from '../match/glob';
import { leadingOf, literalName, type Leading } from '../match/leading';
import type { Git } from '../ports';

/** A file or folder that has another name now. Paths are relative to the root and use `/`. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly kind: 'file' | 'folder';
}

/** What becomes of the patterns of one learning. */
export interface Rewrite<T> {
  readonly learning: T;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface Scoped {
  readonly record: { readonly scope: { readonly paths: readonly string[] } };
}

/** The learnings whose patterns meant what has moved, and how they should read now. `files` are those there are now. */
export function planRewrites<T extends Scoped>(
  learnings: readonly T[],
  moves: readonly Move[],
  files: readonly string[],
): Rewrite<T>[] {
  return learnings.flatMap((learning) => {
    const before = learning.record.scope.paths;
    const after = rewriteForMoves(before, moves, files);
    return same(before, after) ? [] : [{ learning, before, after }];
  });
}

/**
 * The patterns of a scope after files have moved. One that names what has moved, or a folder in it, follows; one that
 * matched it among others is kept, and the new place added. Every moved file that matched still does, unless a `!`
 * pattern takes out its new name, and no file that stayed loses its match.
 */
export function rewriteForMoves(
  paths: readonly string[],
  moves: readonly Move[],
  files: readonly string[] = [],
): readonly string[] {
  const isException = (pattern: string): boolean => pattern.startsWith('!');
  const wanted = paths.filter((pattern) => !isException(pattern));
  const followed = new Map(paths.map((pattern) => [pattern, follow(pattern, moves, files)]));
  const present = wanted.flatMap((pattern) => followed.get(pattern) ?? pattern);
  const added: string[] = [];
  for (const pattern of wanted)
    for (const addition of additionsFor(pattern, moves))
      if (![...present, ...added].some((one) => covers(one, addition))) added.push(addition.pattern);

  const assemble = (exceptionsFollow: boolean): string[] => [
    ...new Set([
      ...paths.flatMap((pattern) =>
        isException(pattern) && !exceptionsFollow ? pattern : (followed.get(pattern) ?? pattern),
      ),
      ...added,
    ]),
  ];
  const result = assemble(true);
  if (same(result, paths) || !paths.some(isException)) return result;
  // Where it went there may have been other files, which an exception that follows must not take out.
  const [before, after] = [scopeOf(paths), scopeOf(result)];
  const meant = (path: string): boolean => before(path) || cameFrom(path, moves).some(before);
  const loses = files.some((path) => isBelowAny(path, moves) && meant(path) && !after(path));
  return loses ? assemble(false) : result;
}

/** A pattern that names what has moved, or a folder in it, with its new name; beside the old one if that is still of use. */
function follow(pattern: string, moves: readonly Move[], files: readonly string[]): string[] {
  const sign = pattern.startsWith('!') ? '!' : '';
  const body = pattern.slice(sign.length);
  const isInUse = (): boolean => files.some((path) => !isBelowAny(path, moves) && matchesPath(body, path));
  const leading = leadingOf(body);
  const covering = moves
    .filter((move) => namesMoved(leading, move))
    .toSorted((a, b) => b.from.length - a.from.length)[0];
  if (covering) {
    const { to } = covering;
    const rest = leading.texts.slice(covering.from.split('/').length).join('/');
    const next = leading.texts.length > covering.from.split('/').length ? below(to, rest) : literalGlob(to);
    return (isInUse() ? [body, next] : [next]).map((one) => sign + one);
  }
  // A bare name, which is looked for in every folder, stands for the one file that had it.
  const bare = sign === '' && !body.includes('/') && literalName(body) !== undefined;
  const only = bare ? moves.find(({ from, kind }) => kind === 'file' && matchesPath(body, from)) : undefined;
  const followsBare = only && files.length > 0 && !matchesPath(body, only.to) && !isInUse();
  return followsBare ? [literalGlob(only.to)] : [pattern];
}

function namesMoved({ names, texts }: Leading, { from, kind }: Move): boolean {
  const wanted = from.normalize('NFC').split('/');
  if (!wanted.every((name, index) => names[index] === name)) return false;
  return kind === 'folder' || (names.length === wanted.length && texts.length === wanted.length);
}

/** What a pattern matched in one place, to be matched in another. */
interface Addition {
  readonly pattern: string;
  readonly to: string;
  /** The pattern below `to`; undefined for `to` itself. */
  readonly rest: string | undefined;
}

function additionsFor(pattern: string, moves: readonly Move[]): Addition[] {
  return moves.flatMap(({ from, to, kind }): Addition[] => {
    if (kind === 'file')
      return matchesPath(pattern, from) ? [{ pattern: literalGlob(to), to, rest: undefined }] : [];
    return remainders(pattern, from).map((rest) => ({ pattern: below(to, rest), to, rest }));
  });
}

function covers(pattern: string, { to, rest }: Addition): boolean {
  if (rest === undefined) return matchesPath(pattern, to);
  const known = remainders(pattern, to);
  return known.includes('**') || known.includes(rest);
}

/** What a pattern asks of paths below a folder: patterns below it. */
function remainders(pattern: string, folder: string): string[] {
  const names = folder.normalize('NFC').split('/');
  const found = new Set<string>();
  for (const texts of writtenOut(pattern)) {
    let places = new Set([0]);
    for (const name of names) places = new Set([...places].flatMap((place) => stepsFrom(texts, place, name)));
    for (const place of places) if (place < texts.length) found.add(texts.slice(place).join('/'));
  }
  return [...found];
}

/** Where reading one name leads to from a place in a pattern. */
function stepsFrom(texts: readonly string[], place: number, name: string): number[] {
  const text = texts[place];
  if (text === undefined) return [];
  // It takes this name and perhaps more, or it has taken all it wanted.
  if (text === '**') return [place, ...stepsFrom(texts, place + 1, name)];
  return matchesPath(`/${text}`, name) ? [place + 1] : [];
}

const below = (folder: string, rest: string): string => `${literalGlob(`${folder}/`)}${rest}`;

function matchesPath(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern);
  return 'readings' in glob && matchGlob(glob, path.normalize('NFC').split('/'));
}

function scopeOf(paths: readonly string[]): (path: string) => boolean {
  return (path) =>
    paths.some((pattern) => !pattern.startsWith('!') && matchesPath(pattern, path)) &&
    !paths.some((pattern) => pattern.startsWith('!') && matchesPath(pattern.slice(1), path));
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const isBelowAny = (path: string, moves: readonly Move[]): boolean =>
  moves.some(({ to }) => isBelow(path, to));
const cameFrom = (path: string, moves: readonly Move[]): string[] =>
  moves.filter(({ to }) => isBelow(path, to)).map(({ from, to }) => from + path.slice(to.length));

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((one, index) => one === b[index]);

/** Moves of files, told as moves of folders where a folder moved whole. `files` are those there are now. */
export function foldMoves(moves: readonly Move[], files: readonly string[]): Move[] {
  let left = [...moves];
  const folders: Move[] = [];
  const folderMoves = new Map(moves.flatMap(foldersOf).map((move) => [`${move.from}\0${move.to}`, move]));
  const candidates = [...folderMoves.values()].toSorted((a, b) => a.from.length - b.from.length);
  for (const folder of candidates) {
    const inside = left.filter(({ from }) => isBelow(from, folder.from));
    const agree = inside.every(({ from, to }) => to === folder.to + from.slice(folder.from.length));
    const targets = new Set(inside.map(({ to }) => to));
    const isWhole = files.every(
      (path) => targets.has(path) || !(isBelow(path, folder.from) || isBelow(path, folder.to)),
    );
    if (inside.length === 0 || !agree || !isWhole) continue;
    folders.push(folder);
    left = left.filter((move) => !inside.includes(move));
  }
  return [...folders, ...left];
}

/** The folders that may have moved when this file did: what is above the part of the path that is the same. */
function foldersOf({ from, to, kind }: Move): Move[] {
  if (kind === 'folder') return [];
  const [a, b] = [from.split('/'), to.split('/')];
  const found: Move[] = [];
  while (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-1)) {
    a.pop();
    b.pop();
    found.push({ from: a.join('/'), to: b.join('/'), kind: 'folder' });
  }
  return found;
}

/** What patterns name, file or folder, that is not there any more. */
export function findGone(learnings: readonly Scoped[], files: readonly string[]): string[] {
  const there = new Set<string>();
  for (const file of files) {
    for (let path = file.normalize('NFC'); path !== '' && !there.has(path);) {
      there.add(path);
      path = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    }
  }
  const named = learnings.flatMap(({ record }) =>
    record.scope.paths
      .filter((pattern) => !pattern.startsWith('!'))
      .map((pattern) => leadingOf(pattern).names.join('/')),
  );
  return [...new Set(named)].filter((path) => path !== '' && !there.has(path));
}

/** A file that was moved and moved again is followed so far. */
const MAX_ROUNDS = 5;

/** Where git says that these files and folders went. */
export async function traceMoves(
  git: Pick<Git, 'renames'>,
  gone: readonly string[],
  files: readonly string[],
): Promise<Move[]> {
  const there = new Set(files);
  const next = new Map<string, string>();
  let asked: readonly string[] = gone;
  for (let round = 0; round < MAX_ROUNDS && asked.length > 0; round++) {
    const found = (await git.renames(asked)).filter(({ from }) => !next.has(from) && !there.has(from));
    for (const { from, to } of found) next.set(from, to);
    asked = found.flatMap(({ to }) => (there.has(to) ? [] : to));
  }
  const end = (path: string): string => {
    let at = path;
    for (let round = 0; round < MAX_ROUNDS && !there.has(at); round++) at = next.get(at) ?? at;
    return at;
  };
  const moves = [...next.keys()]
    .filter((from) => gone.some((path) => isBelow(from, path)))
    .map((from): Move => ({ from, to: end(from), kind: 'file' }))
    .filter(({ to }) => there.has(to));
  return foldMoves(moves, files);
}
