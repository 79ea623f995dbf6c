import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPredictor } from '../src/predict/harmonics.ts';
import { portAveril } from '../test/predict/portAveril.ts';

const DAY_MS = 86_400_000;
const TOLERANCE_M = 0.02;

const csvPath = join(import.meta.dirname, '..', 'test', 'predict', 'portAveril.csv');
const [, ...rows] = readFileSync(csvPath, 'utf8').trim().split('\n');

let failures = 0;
for (const row of rows) {
  const [time = '', printed = ''] = row.split(',');
  const timeMs = Date.parse(time);
  const startMs = Math.floor(timeMs / DAY_MS) * DAY_MS;
  const predicted = createPredictor(portAveril, { startMs, endMs: startMs + DAY_MS })(timeMs);
  const error = predicted - Number(printed);
  if (Math.abs(error) > TOLERANCE_M) {
    failures += 1;
    console.error(`${time}  printed ${printed} m  predicted ${predicted.toFixed(3)} m  off by ${error.toFixed(3)} m`);
  }
}

console.log(`${rows.length - failures} of ${rows.length} heights within ${TOLERANCE_M} m of the printed table`);
process.exitCode = failures > 0 ? 1 : 0;
