import type { HarmonicSet } from '../../src/predict/harmonics.ts';

/** An invented harbour with a large tide, and with an M4 that makes its high waters stand. */
export const portAveril: HarmonicSet = {
  meanLevelM: 3.82,
  constituents: [
    { name: 'M2', amplitudeM: 2.46, phaseDeg: 171.4 },
    { name: 'S2', amplitudeM: 0.87, phaseDeg: 218.9 },
    { name: 'N2', amplitudeM: 0.47, phaseDeg: 153.2 },
    { name: 'K2', amplitudeM: 0.25, phaseDeg: 216.1 },
    { name: 'K1', amplitudeM: 0.09, phaseDeg: 122.7 },
    { name: 'O1', amplitudeM: 0.07, phaseDeg: 344.5 },
    { name: 'P1', amplitudeM: 0.03, phaseDeg: 115.8 },
    { name: 'Q1', amplitudeM: 0.02, phaseDeg: 298.3 },
    { name: 'M4', amplitudeM: 0.19, phaseDeg: 161.9 },
  ],
};
