import { copyFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

import { openLifeline } from '../test/host/lifeline';
import { buildProduct, checkout } from './product';

/** `npm run package`: the .vsix, in the checkout. */
async function main(): Promise<void> {
  const lifeline = openLifeline();
  try {
    const { vsix } = await buildProduct(lifeline);
    const target = join(checkout, basename(vsix));
    copyFileSync(vsix, target);
    console.log(`${target} (${Math.round(statSync(target).size / 1024)} KB)`);
  } finally {
    await lifeline.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
