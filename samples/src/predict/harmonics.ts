import { cosDeg, meanLongitudes } from './astronomy.ts';
import { CONSTITUENTS, equilibriumArgument, type ConstituentName } from './constituents.ts';

/** Part of every ETag. Raise it when the same constants would give other heights. */
export const MODEL_VERSION = 3;

export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

export interface HarmonicSet {
  /** Mean sea level above chart datum. */
  readonly meanLevelM: number;
  readonly constituents: readonly {
    readonly name: ConstituentName;
    readonly amplitudeM: number;
    /** Lag behind the equilibrium tide at Greenwich. */
    readonly phaseDeg: number;
  }[];
}

export interface HeightAt {
  readonly timeMs: number;
  /** Metres above chart datum. */
  readonly heightM: number;
}

export type Predictor = (timeMs: number) => number;

/** Prepares a predictor for one window: the slow nodal swing is settled here, the fast angles at each call. */
export function createPredictor(set: HarmonicSet, window: TimeWindow): Predictor {
  const { lunarNode } = meanLongitudes((window.startMs + window.endMs) / 2);
  const terms = set.constituents.map(({ name, amplitudeM, phaseDeg }) => {
    const { factor, angleDeg } = CONSTITUENTS[name].nodal(lunarNode);
    return { name, amplitudeM: factor * amplitudeM, lagDeg: phaseDeg - angleDeg };
  });

  return (timeMs) =>
    terms.reduce(
      (heightM, { name, amplitudeM, lagDeg }) =>
        heightM + amplitudeM * cosDeg(equilibriumArgument(name, timeMs) - lagDeg),
      set.meanLevelM,
    );
}

export function sampleHeights(predict: Predictor, window: TimeWindow, stepMs: number): HeightAt[] {
  const count = Math.ceil((window.endMs - window.startMs) / stepMs);
  return Array.from({ length: count }, (_, index) => {
    const timeMs = window.startMs + index * stepMs;
    return { timeMs, heightM: predict(timeMs) };
  });
}
