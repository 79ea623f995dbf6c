import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { equilibriumArgument } from '../../src/predict/constituents.ts';
import { createPredictor, sampleHeights } from '../../src/predict/harmonics.ts';
import { portAveril } from './portAveril.ts';

const HOUR_MS = 3_600_000;
const startMs = Date.UTC(2026, 4, 17);
const window = { startMs, endMs: startMs + 24 * HOUR_MS };

describe('equilibriumArgument', () => {
  const publishedSpeeds = { M2: 28.9841042, N2: 28.4397295, K1: 15.0410686, O1: 13.9430356, M4: 57.9682084 } as const;

  for (const [name, degreesPerHour] of Object.entries(publishedSpeeds)) {
    it(`turns ${name} at its published speed`, () => {
      const constituent = name as keyof typeof publishedSpeeds;
      const turned = equilibriumArgument(constituent, startMs + 1000 * HOUR_MS) - equilibriumArgument(constituent, startMs);
      assert.ok(Math.abs(turned / 1000 - degreesPerHour) < 1e-6);
    });
  }
});

describe('createPredictor', () => {
  it('gives mean sea level above chart datum where there are no constituents', () => {
    const predict = createPredictor({ meanLevelM: 3.82, constituents: [] }, window);
    assert.equal(predict(startMs), 3.82);
  });

  it('differs by less than 5 mm between a day and the month around it', () => {
    const month = { startMs: startMs - 30 * 24 * HOUR_MS, endMs: window.endMs };
    const byDay = createPredictor(portAveril, window);
    const byMonth = createPredictor(portAveril, month);
    for (const { timeMs, heightM } of sampleHeights(byDay, window, HOUR_MS)) {
      assert.ok(Math.abs(heightM - byMonth(timeMs)) < 0.005);
    }
  });
});
