import Mocha from 'mocha';

import { Totals } from './totals';

/** Runs test files with our reporter, or of them only what LEARNINGS_GREP matches; gives the number of failures. */
export async function runMocha(files: readonly string[], options: { timeout: number }): Promise<number> {
  const grep = process.env['LEARNINGS_GREP'];
  const mocha = new Mocha({ reporter: Totals, ...options, ...(grep && { grep: new RegExp(grep) }) });
  for (const file of files) mocha.addFile(file);
  return new Promise((resolve) => mocha.run(resolve));
}
