import { cosDeg, sinDeg } from './astronomy.ts';

/** What the 18.6-year swing of the moon's orbit does to a constituent: a factor on its height, an angle on its phase. */
export interface NodalCorrection {
  readonly factor: number;
  readonly angleDeg: number;
}

export type NodalTerm = (lunarNodeDeg: number) => NodalCorrection;

/** Tides of the sun alone do not feel the moon's node. */
export const solar: NodalTerm = () => ({ factor: 1, angleDeg: 0 });

export const lunarSemidiurnal: NodalTerm = (node) => ({
  factor: 1 - 0.037 * cosDeg(node),
  angleDeg: -2.1 * sinDeg(node),
});

export const lunarDiurnal: NodalTerm = (node) => ({
  factor: 1.009 + 0.187 * cosDeg(node),
  angleDeg: 10.8 * sinDeg(node),
});

export const lunisolarDiurnal: NodalTerm = (node) => ({
  factor: 1.006 + 0.115 * cosDeg(node),
  angleDeg: -8.9 * sinDeg(node),
});

export const lunisolarSemidiurnal: NodalTerm = (node) => ({
  factor: 1.024 + 0.286 * cosDeg(node),
  angleDeg: -17.7 * sinDeg(node),
});

/** A shallow-water overtide is its parent multiplied by itself, and so is its correction. */
export const lunarQuarterDiurnal: NodalTerm = (node) => {
  const { factor, angleDeg } = lunarSemidiurnal(node);
  return { factor: factor ** 2, angleDeg: 2 * angleDeg };
};
