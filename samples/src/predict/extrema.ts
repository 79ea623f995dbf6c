import type { HeightAt, Predictor, TimeWindow } from './harmonics.ts';

export interface Extremum extends HeightAt {
  readonly kind: 'high' | 'low';
}

const STEP_MS = 6 * 60_000;

/** High and low waters within the window, in order of time. */
export function findExtrema(predict: Predictor, window: TimeWindow): Extremum[] {
  const extrema: Extremum[] = [];
  let before = predict(window.startMs - STEP_MS);
  let here = predict(window.startMs);

  // Looks one step past either end, so that a high water at midnight belongs to exactly one day.
  for (let timeMs = window.startMs; timeMs <= window.endMs; timeMs += STEP_MS) {
    const after = predict(timeMs + STEP_MS);
    const kind = turningPoint(before, here, after);
    if (kind) {
      const vertexMs = Math.round(timeMs + STEP_MS * vertexOffset(before, here, after));
      if (vertexMs >= window.startMs && vertexMs < window.endMs) {
        extrema.push({ timeMs: vertexMs, heightM: predict(vertexMs), kind });
      }
    }
    before = here;
    here = after;
  }
  return extrema;
}

function turningPoint(before: number, here: number, after: number): Extremum['kind'] | undefined {
  if (here > before && here >= after) return 'high';
  if (here < before && here <= after) return 'low';
  return undefined;
}

/** Where the parabola through three neighbours has its vertex, in steps from the middle one. */
function vertexOffset(before: number, here: number, after: number): number {
  return (before - after) / (2 * (before - 2 * here + after));
}
