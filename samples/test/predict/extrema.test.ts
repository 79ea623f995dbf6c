import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cosDeg } from '../../src/predict/astronomy.ts';
import { findExtrema } from '../../src/predict/extrema.ts';

const HOUR_MS = 3_600_000;
const day = { startMs: 0, endMs: 24 * HOUR_MS };

/** A 12-hour tide with high water at 3 and 15 o'clock, and an overtide that flattens or splits its top. */
const tide = (overtideM: number) => (timeMs: number) => {
  const angle = 30 * (timeMs / HOUR_MS - 3);
  return 2 * cosDeg(angle) - overtideM * cosDeg(2 * angle);
};

describe('findExtrema', () => {
  it('finds two high and two low waters at the right time', () => {
    const found = findExtrema(tide(0), day).map(({ kind, timeMs }) => `${kind} ${timeMs / HOUR_MS}`);
    assert.deepEqual(found, ['high 3', 'low 9', 'high 15', 'low 21']);
  });

  it('keeps both tops of a double high water, and the dip between them', () => {
    const kinds = findExtrema(tide(0.505), { startMs: 0, endMs: 6 * HOUR_MS }).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['high', 'low', 'high']);
  });

  it('counts a high water between two windows once, in the later one', () => {
    const hours = (from: number, to: number) => ({ startMs: from * HOUR_MS, endMs: to * HOUR_MS });
    assert.equal(findExtrema(tide(0), hours(0, 3)).length, 0);
    assert.equal(findExtrema(tide(0), hours(3, 6)).length, 1);
  });
});
