import { join } from 'node:path';

import { runTests } from '@vscode/test-electron';

import { cacheFolder } from '../test/host/cache';
import { openLifeline } from '../test/host/lifeline';
import { checkout } from './product';

/**
 * The extension-host suite, by @vscode/test-electron: on desktop VS Code, which it downloads, if LEARNINGS_DESKTOP is
 * set; else on the VS Code that npm has, through a stand-in that takes the same arguments.
 */
async function main(): Promise<void> {
  const product = process.env['LEARNINGS_PRODUCT'];
  if (!product) throw new Error('Run this through npm run test:extension, which builds the product first.');
  const lifeline = openLifeline();
  const desktop = process.env['LEARNINGS_DESKTOP'] !== undefined;
  try {
    await runTests({
      ...(!desktop && { vscodeExecutablePath: join(checkout, 'test', 'host', 'code.mjs') }),
      // Desktop VS Code is kept where everything else that is fetched is.
      cachePath: join(cacheFolder, 'desktop'),
      extensionDevelopmentPath: product,
      extensionTestsPath: join(product, 'out', 'test', 'extension', 'index.js'),
      extensionTestsEnv: {
        LEARNINGS_TOTALS: process.env['LEARNINGS_TOTALS'],
        LEARNINGS_GREP: process.env['LEARNINGS_GREP'],
      },
      launchArgs: [
        join(product, 'samples'),
        `--user-data-dir=${lifeline.makeFolder('data')}`,
        `--extensions-dir=${lifeline.makeFolder('extensions')}`,
      ],
    });
  } finally {
    await lifeline.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
