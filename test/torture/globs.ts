import { matchGlob, parseGlob } from '../../src/core/match/glob';
import { dice } from './random';

const hard = [
  '*a*a*a*a*a*ab',
  '**/a/**/a/**/a/**/a/**/a/**/a/b',
  '+(a|aa)+(a|aa)b',
  '*(*(a))b',
  '!(*a*a*a)b',
  '*(*a*|*aa*)*(*a*|*aa*)b',
];
const atoms = '* ** *a a* ? [a-b] **/ / /**/a {a,aa} +(a) @(a|aa) !(a) *(a|aa)'.split(' ');
const paths = ['a'.repeat(200), Array(60).fill('a').join('/'), 'a'.repeat(250), `${'a/'.repeat(100)}a`];

/** Patterns and paths made to take long: two that are known to hang other matchers, and random ones. */
export function hostileGlobs(options: { seed: number; count: number }): { slowestMs: number; what: string } {
  const chance = dice(options.seed);
  let slowest = { slowestMs: 0, what: '' };
  for (let index = 0; index < options.count; index++) {
    const made = Array.from({ length: 1 + chance.roll(12) }, () => chance.pick(atoms)).join('');
    const pattern = index % 10 === 0 ? (chance.pick(hard) ?? '') : made;
    const path = chance.pick(paths) ?? '';
    const once = (): number => {
      const started = performance.now();
      const glob = parseGlob(pattern);
      if ('readings' in glob) matchGlob(glob, path.split('/'));
      return performance.now() - started;
    };
    const first = once();
    // What took long is tried again: a pause of the machine does not come back, a slow pattern does.
    const slowestMs = first < 5 ? first : Math.min(first, once(), once());
    if (slowestMs > slowest.slowestMs) slowest = { slowestMs, what: `${pattern} on ${path.slice(0, 20)}…` };
  }
  return slowest;
}
