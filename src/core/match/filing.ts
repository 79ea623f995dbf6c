import type { Segment } from './glob';

/**
 * Under which keys a pattern is filed, and under which keys a path looks. A pattern has one key for each reading of
 * its braces: what is literal at its beginning or in its middle, and at its end. A path tries every key that a pattern
 * which matches it could have. Keys are hashes: two that meet by accident cost a comparison, never an answer.
 */
export type Key = number;

/** A longer end than this is not looked up whole, so that a name full of dots stays cheap. */
const MAX_DOTS = 3;

const NONE = 0;
const seeds = { literal: 1, below: 2, through: 3, name: 4, ending: 5, word: 6 } as const;

export function keyOfPattern(segments: readonly Segment[]): Key {
  const literals = segments.map((segment) =>
    typeof segment === 'object' && 'literal' in segment ? segment.literal : undefined,
  );
  if (!literals.includes(undefined))
    return combine(seeds.literal, hash(literals.join('/'), seeds.literal), NONE);
  const tail = tailOf(segments.at(-1));
  const leading = literals.slice(0, literals.indexOf(undefined));
  if (leading.length > 0) return combine(seeds.below, hash(leading.join('/'), seeds.below), tail);
  const inside =
    literals.slice(0, -1).find((literal) => literal !== undefined) ??
    (tail === NONE ? literals.at(-1) : undefined);
  if (inside !== undefined) return combine(seeds.through, hash(inside, seeds.through), tail);
  return combine(seeds.below, hash('', seeds.below), tail);
}

function tailOf(segment: Segment | undefined): number {
  if (segment === undefined || segment === '**') return NONE;
  if ('literal' in segment) return hash(segment.literal, seeds.name);
  const last = segment.ops.at(-1);
  const dots = last?.kind === 'text' ? endings(last.text) : [];
  return dots[0] === undefined ? NONE : hash(dots[0], seeds.ending);
}

/** `.test.ts` and `.ts` of `run.test.ts`, the longest first. */
function endings(name: string): string[] {
  const found: string[] = [];
  for (
    let dot = name.lastIndexOf('.');
    dot >= 0 && found.length < MAX_DOTS;
    dot = dot === 0 ? -1 : name.lastIndexOf('.', dot - 1)
  )
    found.unshift(name.slice(dot));
  return found;
}

/** Calls back with every key that a pattern which matches this path can have. */
export function eachKeyOfPath(path: readonly string[], look: (key: Key) => void): void {
  const name = path.at(-1) ?? '';
  const tails = [NONE, hash(name, seeds.name), ...endings(name).map((ending) => hash(ending, seeds.ending))];
  const lookWith = (kind: number, where: number): void => {
    for (const tail of tails) look(combine(kind, where, tail));
  };
  look(combine(seeds.literal, hash(path.join('/'), seeds.literal), NONE));
  let below = start(seeds.below);
  lookWith(seeds.below, below);
  for (const [index, segment] of path.entries()) {
    below = extend(index === 0 ? below : extend(below, '/'), segment);
    lookWith(seeds.below, below);
    lookWith(seeds.through, hash(segment, seeds.through));
  }
}

export const keyOfWord = (kind: number, word: string): Key =>
  combine(seeds.word, hash(word, seeds.word), kind);

const start = (seed: number): number => Math.imul(0x811c9dc5 ^ seed, 0x01000193);
const hash = (text: string, seed: number): number => extend(start(seed), text);

/** FNV-1a, which can go on where it stopped. */
function extend(state: number, text: string): number {
  let value = state;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value;
}

function combine(kind: number, a: number, b: number): Key {
  let value = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ kind, 0x85ebca6b);
  value ^= value >>> 13;
  value = Math.imul(value, 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
