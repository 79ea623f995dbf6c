import { meanLongitudes, solarHourAngle } from './astronomy.ts';
import * as nodal from './nodal.ts';

/** How often each angle goes into the argument: solar hour, moon, sun, lunar perigee. */
type Multiples = readonly [hour: number, moon: number, sun: number, perigee: number];

interface Constituent {
  readonly multiples: Multiples;
  readonly offsetDeg: number;
  readonly nodal: nodal.NodalTerm;
}

export const CONSTITUENTS = {
  M2: { multiples: [2, -2, 2, 0], offsetDeg: 0, nodal: nodal.lunarSemidiurnal },
  S2: { multiples: [2, 0, 0, 0], offsetDeg: 0, nodal: nodal.solar },
  N2: { multiples: [2, -3, 2, 1], offsetDeg: 0, nodal: nodal.lunarSemidiurnal },
  K2: { multiples: [2, 0, 2, 0], offsetDeg: 0, nodal: nodal.lunisolarSemidiurnal },
  K1: { multiples: [1, 0, 1, 0], offsetDeg: 90, nodal: nodal.lunisolarDiurnal },
  O1: { multiples: [1, -2, 1, 0], offsetDeg: -90, nodal: nodal.lunarDiurnal },
  P1: { multiples: [1, 0, -1, 0], offsetDeg: -90, nodal: nodal.solar },
  Q1: { multiples: [1, -3, 1, 1], offsetDeg: -90, nodal: nodal.lunarDiurnal },
  M4: { multiples: [4, -4, 4, 0], offsetDeg: 0, nodal: nodal.lunarQuarterDiurnal },
} as const satisfies Record<string, Constituent>;

export type ConstituentName = keyof typeof CONSTITUENTS;

/** The phase that the constituent would have at Greenwich on an earth covered by water, in degrees. */
export function equilibriumArgument(name: ConstituentName, timeMs: number): number {
  const { multiples, offsetDeg } = CONSTITUENTS[name];
  const [hour, moon, sun, perigee] = multiples;
  const longitudes = meanLongitudes(timeMs);
  return (
    hour * solarHourAngle(timeMs) +
    moon * longitudes.moon +
    sun * longitudes.sun +
    perigee * longitudes.lunarPerigee +
    offsetDeg
  );
}
