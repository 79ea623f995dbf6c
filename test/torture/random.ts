/** Random numbers that repeat for a seed. */
export interface Dice {
  /** A whole number from 0 up to, not including, `below`. */
  roll(below: number): number;
  pick<T>(items: readonly T[]): T | undefined;
}

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32: small, and good enough to choose operations by.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const roll = (below: number): number => Math.floor(next() * below);
  return { roll, pick: (items) => items[roll(items.length)] };
}
