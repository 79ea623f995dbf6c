import Mocha from 'mocha';

import { Totals } from './totals';

/** Runs test files with our reporter; gives the number of failures. */
export async function runMocha(files: readonly string[], options: { timeout: number }): Promise<number> {
  const mocha = new Mocha({ reporter: Totals, ...options });
  for (const file of files) mocha.addFile(file);
  return new Promise((resolve) => mocha.run(resolve));
}
