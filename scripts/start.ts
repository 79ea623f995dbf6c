import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openLifeline, type Lifeline } from '../test/host/lifeline';
import { startVsCode, vsCodeVersion } from '../test/host/vscodeServer';
import { buildProduct, checkout, type Product } from './product';

/** `npm start`: real VS Code with the built extension on a copy of the sample project. */
async function main(lifeline: Lifeline): Promise<void> {
  const { values } = parseArgs({ options: { desktop: { type: 'boolean' } } });
  console.log('Building and packing the extension …');
  const product = await buildProduct(lifeline);
  const sample = join(lifeline.folder, 'tide-table');
  cpSync(join(checkout, 'samples'), sample, { recursive: true });
  await (values.desktop ? startDesktop(lifeline, product, sample) : startServer(lifeline, product, sample));
}

async function startServer(lifeline: Lifeline, product: Product, sample: string): Promise<void> {
  const server = await startVsCode(lifeline, { extensions: [product.vsix] });
  console.log(`
VS Code ${await vsCodeVersion(lifeline)} with Project Learnings on the sample project:

  ${server.address(sample)}

Open src/predict/harmonics.ts and then the Learnings view in the activity bar.
The sample is a copy: change what you like. Ctrl-C ends it and leaves nothing behind.`);
  throw new Error(await server.ended);
}

/** The user's own `code`, with a profile of its own, so that nothing of theirs is touched. */
async function startDesktop(lifeline: Lifeline, product: Product, sample: string): Promise<void> {
  const data = lifeline.makeFolder('data');
  const profile = [`--user-data-dir=${data}`, `--extensions-dir=${lifeline.makeFolder('extensions')}`];
  lifeline.watchPidFile(join(data, 'code.lock'));
  const code = async (args: readonly string[]): Promise<void> => {
    try {
      await lifeline.run('code', [...profile, ...args], { cwd: sample });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new Error(
        'There is no `code` on PATH. Install it from VS Code ("Shell Command: Install code command in PATH"), or run npm start without --desktop.',
        { cause: error },
      );
    }
  };
  await code(['--install-extension', product.vsix]);
  console.log('VS Code is open on the sample project. Close its window, or press Ctrl-C, to end.');
  await code(['--new-window', '--wait', sample]);
}

async function run(): Promise<void> {
  const lifeline = openLifeline();
  try {
    await main(lifeline);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  await lifeline.close();
}

void run();
