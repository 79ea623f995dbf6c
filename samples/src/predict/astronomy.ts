/** Mean longitudes, in degrees and not reduced to one turn. They set the phase of every constituent. */
export interface MeanLongitudes {
  readonly moon: number;
  readonly sun: number;
  readonly lunarPerigee: number;
  readonly lunarNode: number;
}

const DAY_MS = 86_400_000;
const J2000_MS = Date.UTC(2000, 0, 1, 12);
const CENTURY_MS = 36_525 * DAY_MS;

/**
 * Linear terms only: within a century of 2000 the quadratic ones stay below 0.02 degrees.
 * UTC stands in for dynamical time, since the 70 seconds between them move the moon by 0.01 degrees.
 */
export function meanLongitudes(timeMs: number): MeanLongitudes {
  const centuries = (timeMs - J2000_MS) / CENTURY_MS;
  return {
    moon: 218.3164477 + 481_267.88123421 * centuries,
    sun: 280.46646 + 36_000.76983 * centuries,
    lunarPerigee: 83.3532465 + 4_069.0137287 * centuries,
    lunarNode: 125.04452 - 1_934.136261 * centuries,
  };
}

/** How far the mean sun has turned since UTC midnight, in degrees. Whole turns are left in; a cosine does not mind. */
export function solarHourAngle(timeMs: number): number {
  return (timeMs / DAY_MS) * 360;
}

export function cosDeg(degrees: number): number {
  return Math.cos((degrees * Math.PI) / 180);
}

export function sinDeg(degrees: number): number {
  return Math.sin((degrees * Math.PI) / 180);
}
