import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import { productFolder } from './product';

const SILENCE_MS = 10_000;

/** Runs a planted suite in real VS Code by the stand-in for its executable, as @vscode/test-electron does. */
function runPlanted(suite: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(
    join(checkout, 'test/host/code.mjs'),
    [
      join(productFolder(), 'samples'),
      `--extensionDevelopmentPath=${productFolder()}`,
      `--extensionTestsPath=${join(productFolder(), 'out/test/fixtures/hostSuites', `${suite}.js`)}`,
    ],
    {
      encoding: 'utf8',
      env: { ...process.env, LEARNINGS_HOST_SILENCE_MS: String(SILENCE_MS), LEARNINGS_TOTALS: '' },
    },
  );
  return { status, output: stdout + stderr };
}

describe('the extension-host runner', () => {
  const planted: [suite: string, expected: RegExp][] = [
    [
      'failing',
      /1\) a planted suite\s+fails on purpose:[\s\S]*planted failure[\s\S]*at Context\.<anonymous> \(\S+failing\.suite\.js/,
    ],
    ['throwing', /planted rejection[\s\S]*at /],
    ['crashing', /ended before its suite did: crashed/],
    ['hanging', /hung: silent for 10 s/],
  ];
  for (const [suite, expected] of planted) {
    it(`reports a ${suite} suite as a failure`, () => {
      const { status, output } = runPlanted(suite);
      assert.equal(status, 1, output);
      assert.match(output, expected);
    });
  }
});
