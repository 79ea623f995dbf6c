/** One step of a pattern within a name. */
export type Op =
  | { readonly kind: 'text'; readonly text: string }
  /** `*`, within a segment. */
  | { readonly kind: 'star' }
  /** `?` */
  | { readonly kind: 'any' }
  /** `[a-z]`; a name that holds the very text matches too, as in `app/[id]/page.tsx`. */
  | {
      readonly kind: 'class';
      readonly negated: boolean;
      readonly ranges: readonly (readonly [from: string, to: string])[];
      readonly literal: string;
    }
  /** `@(a|b)`, `?(…)`, `*(…)`, `+(…)`, `!(…)` */
  | { readonly kind: 'group'; readonly mode: string; readonly choices: readonly (readonly Op[])[] };

/**
 * Names against sequences with classes and groups, by walking all possibilities at once: every character of the name
 * is looked at once for every place in the pattern, so the time is bounded by the product of their lengths.
 */
export interface Machine {
  /** How many steps a character of a name can cost at most. */
  readonly effort: number;
  matches(name: string): boolean;
}

export function buildMachine(ops: readonly Op[]): Machine {
  const stages = splitAtNegations(ops);
  return {
    effort: stages.reduce(
      (sum, stage) =>
        sum + ('negated' in stage ? stage.negated.states.length * WORDS : stage.graph.states.length),
      0,
    ),
    matches(name) {
      let places: Places = new Uint8Array(name.length + 1);
      places[0] = 1;
      for (const stage of stages)
        places =
          'negated' in stage ? passUnless(stage.negated, name, places) : run(stage.graph, name, places);
      return places[name.length] === 1;
    },
  };
}

/** Longer names are matched by no machine. */
export const MAX_NAME = 256;
const BITS = 32;
/** Of a set of places in the longest name. */
const WORDS = Math.ceil((MAX_NAME + 1) / BITS);

/** Which places in a name can be reached, one for each and one for its end. */
type Places = Uint8Array;

type Stage = { readonly graph: Graph } | { readonly negated: Graph };

/** A negation cannot be walked along with the rest; it stands between two parts that can. */
function splitAtNegations(ops: readonly Op[]): Stage[] {
  const stages: Stage[] = [];
  let part: Op[] = [];
  for (const op of ops) {
    if (op.kind === 'group' && op.mode === '!') {
      stages.push({ graph: graphOf(part) }, { negated: graphOf([{ ...op, mode: '@' }]) });
      part = [];
    } else part.push(op);
  }
  return [...stages, { graph: graphOf(part) }];
}

/**
 * From each place to every later one, except those that the negated group would lead to. All places set out together:
 * each state holds the set of those from which it can be reached, so that the name is still gone through only once.
 */
function passUnless({ states, start, end }: Graph, name: string, from: Places): Places {
  const reached = new Uint8Array(from.length);
  const words = Math.ceil(from.length / BITS);
  let active = new Uint32Array(states.length * words);
  let following = new Uint32Array(states.length * words);
  const startedFrom = new Uint32Array(words);
  /** Adds one state's set to another's; false if it was all there. */
  const join = (sets: Uint32Array, into: number, out: Uint32Array, of: number): boolean => {
    let grown = false;
    for (let word = 0; word < words; word++) {
      const before = sets[into * words + word] ?? 0;
      const after = before | (out[of * words + word] ?? 0);
      if (after === before) continue;
      sets[into * words + word] = after;
      grown = true;
    }
    return grown;
  };
  /** States whose sets have grown. One that is on the list twice is looked at twice, to no harm. */
  let grown: number[] = [];
  for (let at = 0; at < from.length; at++) {
    if (from[at] === 1) {
      const word = Math.floor(at / BITS);
      const bit = 1 << (at % BITS);
      startedFrom[word] = (startedFrom[word] ?? 0) | bit;
      active[start * words + word] = (active[start * words + word] ?? 0) | bit;
      grown.push(start);
    }
    // The list grows while it is walked, so this follows free steps to their end.
    for (const number of grown) {
      const state = states[number];
      if (!state || state.takes) continue;
      for (const next of state.next) if (join(active, next, active, number)) grown.push(next);
    }
    for (let word = 0; word < words; word++)
      if (((startedFrom[word] ?? 0) & ~(active[end * words + word] ?? 0)) !== 0) reached[at] = 1;
    const character = name[at];
    if (character === undefined) break;
    const next: number[] = [];
    for (const number of grown) {
      const state = states[number];
      if (!state?.takes?.(character)) continue;
      for (const target of state.next) if (join(following, target, active, number)) next.push(target);
    }
    grown = next;
    [active, following] = [following, active];
    following.fill(0);
  }
  return reached;
}

interface State {
  /** Undefined: goes on without taking a character. */
  readonly takes?: (character: string) => boolean;
  readonly next: number[];
}

interface Graph {
  readonly states: readonly State[];
  readonly start: number;
  readonly end: number;
}

function run({ states, start, end }: Graph, name: string, from: Places): Places {
  const reached = new Uint8Array(from.length);
  const lastStart = from.lastIndexOf(1);
  // When each state was last put on the list of a place.
  const seen = new Int32Array(states.length).fill(-1);
  let active: number[] = [];
  const add = (list: number[], number: number, place: number): void => {
    if (seen[number] === place) return;
    seen[number] = place;
    list.push(number);
  };
  for (let at = 0; at < from.length && (at <= lastStart || active.length > 0); at++) {
    if (from[at] === 1) add(active, start, at);
    // The list grows while it is walked, so this follows free steps to their end.
    for (const number of active) {
      const state = states[number];
      if (state && !state.takes) for (const next of state.next) add(active, next, at);
    }
    if (seen[end] === at) reached[at] = 1;
    const character = name[at];
    if (character === undefined) break;
    const following: number[] = [];
    for (const number of active) {
      const state = states[number];
      if (state?.takes?.(character)) for (const next of state.next) add(following, next, at + 1);
    }
    active = following;
  }
  return reached;
}

function graphOf(ops: readonly Op[]): Graph {
  const states: State[] = [];
  const add = (takes?: State['takes']): number => states.push({ next: [], ...(takes && { takes }) }) - 1;
  const connect = (from: number, to: number): void => void states[from]?.next.push(to);

  /** Appends the steps for a sequence after a state and gives the state behind it. */
  const append = (sequence: readonly Op[], after: number): number =>
    sequence.reduce((from, op) => appendOne(op, from), after);

  const take = (from: number, takes: (character: string) => boolean): number => {
    const step = add(takes);
    const behind = add();
    connect(from, step);
    connect(step, behind);
    return behind;
  };
  const takeText = (from: number, text: string): number =>
    [...text.split('')].reduce((at, wanted) => take(at, (character) => character === wanted), from);

  function appendOne(op: Op, from: number): number {
    switch (op.kind) {
      case 'text':
        return takeText(from, op.text);
      case 'any':
        return take(from, () => true);
      case 'star': {
        const loop = add();
        connect(from, loop);
        connect(
          take(loop, () => true),
          loop,
        );
        return loop;
      }
      case 'class': {
        const behind = add();
        const { negated, ranges } = op;
        const inside = (character: string): boolean =>
          ranges.some(([low, high]) => low <= character && character <= high) !== negated;
        connect(take(from, inside), behind);
        connect(takeText(from, op.literal), behind);
        return behind;
      }
      case 'group': {
        const [before, behind] = [add(), add()];
        connect(from, before);
        for (const choice of op.choices) connect(append(choice, before), behind);
        if (op.mode === '*' || op.mode === '+') connect(behind, before);
        if (op.mode === '*' || op.mode === '?') connect(before, behind);
        return behind;
      }
    }
  }

  const start = add();
  const end = append(ops, start);
  return { states, start, end };
}
