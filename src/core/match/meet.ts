import { parseGlob, type Glob, type Segment } from './glob';

/**
 * Whether there could be a path that both patterns match. Character classes and groups are taken to match anything of
 * a name's length, so the answer errs on the side of yes.
 */
function globsMeet(a: Glob, b: Glob): boolean {
  return a.readings.some((one) => b.readings.some((other) => segmentsMeet(one, other)));
}

/** The patterns of a scope that meet a pattern. */
export function patternsThatMeet(patterns: readonly string[], pattern: string): string[] {
  const wanted = parseGlob(pattern);
  if ('refused' in wanted) return [];
  return patterns.filter((one) => {
    const glob = one.startsWith('!') ? undefined : parseGlob(one);
    return glob !== undefined && 'readings' in glob && globsMeet(glob, wanted);
  });
}

function segmentsMeet(a: readonly Segment[], b: readonly Segment[]): boolean {
  return sequencesMeet(a, b, {
    isAny: (segment) => segment === '**',
    meet: (one, other) =>
      one === '**' || other === '**' || sequencesMeet(characters(one), characters(other), characterRules),
  });
}

/** One character, `?` for any one, `*` for any number. */
type Character = string;

const characterRules = {
  isAny: (character: Character): boolean => character === '*',
  meet: (a: Character, b: Character): boolean => a === b || a === '?' || b === '?',
};

function characters(segment: Exclude<Segment, '**'>): Character[] {
  // A literal star must not be taken for a wildcard; no name holds this character.
  const plain = (text: string): Character[] =>
    Array.from(text, (character) => (character === '*' || character === '?' ? '\0' : character));
  if ('literal' in segment) return plain(segment.literal);
  return segment.ops.flatMap((op) => {
    if (op.kind === 'text') return plain(op.text);
    return op.kind === 'any' ? ['?'] : ['*'];
  });
}

interface Rules<T> {
  /** Stands for any number of elements. */
  isAny(element: T): boolean;
  meet(a: T, b: T): boolean;
}

/** Whether two sequences with wildcards have a common reading: every pair of places is looked at once. */
function sequencesMeet<T>(a: readonly T[], b: readonly T[], rules: Rules<T>): boolean {
  let first = true;
  const start = [true];
  for (const [index, element] of b.entries()) start.push((start[index] ?? false) && rules.isAny(element));
  let above = start;
  for (const one of a) {
    first = first && rules.isAny(one);
    const next = [first];
    for (const [index, other] of b.entries()) {
      const [left, up, corner] = [next[index] ?? false, above[index + 1] ?? false, above[index] ?? false];
      const skips = (rules.isAny(one) && up) || (rules.isAny(other) && left);
      const absorbs = (rules.isAny(one) && left) || (rules.isAny(other) && up);
      next.push(skips || absorbs || (corner && rules.meet(one, other)));
    }
    above = next;
  }
  return above.at(-1) ?? false;
}
