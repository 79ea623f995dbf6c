import assert from 'node:assert/strict';

import { compareRanked, standingOf, type Standing } from '../../src/core/match/rank';
import { dice } from '../torture/random';

interface Row {
  readonly standing: Standing;
  readonly specificity: number;
}

const at = (day: number): string => new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
const nowMs = Date.parse('2026-06-01T00:00:00Z');

function row(chance: ReturnType<typeof dice>, id: string, change: { priority?: number } = {}): Row {
  const votes = Array.from({ length: chance.roll(3) }, (_, index) => ({
    voter: `v${index}`,
    task: 't',
    at: at(chance.roll(100)),
  }));
  const record = {
    id,
    priority: chance.roll(3) + (change.priority ?? 0),
    kind: chance.pick(['rule', 'fact', 'summary', 'decision'] as const) ?? 'rule',
    updatedAt: chance.roll(5) === 0 ? undefined : at(chance.roll(5)),
  };
  return {
    standing: standingOf(record, votes, { halfLifeDays: 180, atMs: nowMs }),
    specificity: chance.roll(3),
  };
}

describe('the order of matches', () => {
  it('is total: any two differ one way, and what comes before comes before all that follows', () => {
    const chance = dice(3);
    const rows = Array.from({ length: 300 }, (_, index) => row(chance, `L-${index}`));
    const sorted = rows.toSorted(compareRanked);
    for (const [index, one] of sorted.entries()) {
      for (const other of sorted.slice(index + 1)) {
        assert.ok(compareRanked(one, other) < 0);
        assert.ok(compareRanked(other, one) > 0);
      }
    }
    assert.deepEqual(rows.toReversed().toSorted(compareRanked), sorted);
  });

  it('never falls by a further vote or a higher priority', () => {
    for (let seed = 0; seed < 500; seed++) {
      const other = row(dice(seed + 1000), 'L-2');
      const before = compareRanked(row(dice(seed), 'L-1'), other);
      for (const better of [
        (() => {
          const base = row(dice(seed), 'L-1');
          return { ...base, standing: { ...base.standing, votes: base.standing.votes + 0.001 } };
        })(),
        row(dice(seed), 'L-1', { priority: 1 }),
      ]) {
        if (before < 0) assert.ok(compareRanked(better, other) < 0, `seed ${seed}`);
      }
    }
  });

  it('weighs a vote half after its half-life, and all alike without one', () => {
    const votes = [{ voter: 'a', task: 't', at: '2025-12-03T00:00:00Z' }];
    const record = { id: 'L-1', priority: 0, kind: 'rule', updatedAt: undefined } as const;
    const score = (halfLifeDays: number): number =>
      standingOf(record, votes, { halfLifeDays, atMs: nowMs }).votes;
    assert.ok(Math.abs(score(180) - 0.5) < 0.001);
    assert.equal(score(0), 1);
  });

  it('is the same at whatever time the votes are weighed', () => {
    const chance = dice(8);
    const cast = Array.from({ length: 40 }, () =>
      Array.from({ length: chance.roll(4) }, (_, index) => ({
        voter: `v${index}`,
        task: 't',
        at: at(chance.roll(300)),
      })),
    );
    const orderAt = (atMs: number): number[] =>
      cast
        .map((votes, index) => ({
          index,
          specificity: 0,
          standing: standingOf({ id: `L-${index}`, priority: 0, kind: 'rule', updatedAt: undefined }, votes, {
            halfLifeDays: 180,
            atMs,
          }),
        }))
        .toSorted(compareRanked)
        .map(({ index }) => index);
    assert.deepEqual(orderAt(nowMs), orderAt(nowMs + 3 * 365 * 86_400_000));
  });

  it('goes by votes, priority, kind, specificity, time and id, in this order', () => {
    const base: Standing = { votes: 1, priority: 1, weight: 4, updatedMs: 5, id: 'L-5' };
    const worse: Row[] = [
      { standing: { ...base, votes: 0, priority: 9, weight: 5, updatedMs: 9, id: 'L-1' }, specificity: 9 },
      { standing: { ...base, priority: 0, weight: 5, updatedMs: 9, id: 'L-1' }, specificity: 9 },
      { standing: { ...base, weight: 3, updatedMs: 9, id: 'L-1' }, specificity: 9 },
      { standing: { ...base, updatedMs: 9, id: 'L-1' }, specificity: 2 },
      { standing: { ...base, updatedMs: 4, id: 'L-1' }, specificity: 3 },
      { standing: { ...base, id: 'L-6' }, specificity: 3 },
    ];
    for (const other of worse) assert.ok(compareRanked({ standing: base, specificity: 3 }, other) < 0);
  });
});
