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
  matches(name: string): boolean;
}

export function buildMachine(ops: readonly Op[]): Machine {
  const stages = splitAtNegations(ops);
  return {
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

/** From each place to every later one, except those that the negated group would lead to. */
function passUnless(negated: Graph, name: string, from: Places): Places {
  const reached = new Uint8Array(from.length);
  for (let start = 0; start < from.length; start++) {
    if (from[start] !== 1) continue;
    const only = new Uint8Array(from.length);
    only[start] = 1;
    const taken = run(negated, name, only);
    for (let end = start; end < reached.length; end++) if (taken[end] !== 1) reached[end] = 1;
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
  let active = new Set<number>();
  for (let at = 0; at <= name.length; at++) {
    if (from[at] === 1) active.add(start);
    // A set is walked in the order in which it grows, so this follows free steps to their end.
    for (const number of active) {
      const state = states[number];
      if (state && !state.takes) for (const next of state.next) active.add(next);
    }
    if (active.has(end)) reached[at] = 1;
    const character = name[at];
    const following = new Set<number>();
    if (character !== undefined) {
      for (const number of active) {
        const state = states[number];
        if (state?.takes?.(character)) for (const next of state.next) following.add(next);
      }
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
