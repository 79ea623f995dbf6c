import { format } from 'node:util';

import Mocha from 'mocha';

import { runMocha } from './runMocha';

/** Marks our report among everything else that an extension host prints. */
export const reportPrefix = '[test] ';
/** Says that the suite ran to its end; without it, a host that died would pass for one that had nothing to say. */
export const reportEnd = '[test] end';

/** Runs suites inside an extension host and rejects if any test failed, which makes VS Code exit with an error. */
export async function runInHost(files: readonly string[]): Promise<void> {
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => {
    for (const line of format(...args).split('\n')) console.log(reportPrefix + line);
  };
  const failures = await runMocha(files, { timeout: 20_000 });
  console.log(reportEnd);
  if (failures > 0) throw new Error(`${failures} failed`);
}
