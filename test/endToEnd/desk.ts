import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import { openDesk, type Desk } from '../host/workbench';

export const fixture = (name: string): string => join(checkout, 'test', 'fixtures', name);

/** One browser for a describe block, closed after it whatever happens. */
export function useDesk(): () => Desk {
  let desk: Desk | undefined;
  before(() => (desk = openDesk()));
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    const picture = join(checkout, 'out', 'failures', this.currentTest.title.replaceAll(/\W+/g, '-'));
    await desk?.screenshot(picture);
    console.log(`What was on the screen: ${picture}-*.png`);
  });
  after(() => desk?.close());
  return () => {
    if (!desk) throw new Error('not in a test');
    return desk;
  };
}

/** A copy of the sample project that a test may change. */
export function copySample(desk: Desk): string {
  const folder = desk.lifeline.makeFolder('tide-table');
  cpSync(join(checkout, 'samples'), folder, { recursive: true });
  return folder;
}
