import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const product = await buildProduct(lifeline.makeFolder('product'));
  const sample = join(lifeline.folder, 'tide-table');
  cpSync(join(checkout, 'samples'), sample, { recursive: true });
  await (values.desktop ? startDesktop(lifeline, product, sample) : startServer(lifeline, product, sample));
}

async function startServer(lifeline: Lifeline, product: Product, sample: string): Promise<void> {
  const server = await startVsCode(lifeline, { extensions: [product.vsix] });
  console.log(`
VS Code ${await vsCodeVersion()} with Project Learnings on the sample project:

  ${server.address(sample)}

Open src/predict/harmonics.ts and then the Learnings view in the activity bar.
The sample is a copy: change what you like. Ctrl-C ends it and leaves nothing behind.`);
  throw new Error(await server.ended);
}

/** The user's own `code`, with a profile of its own, so that nothing of theirs is touched. */
async function startDesktop(lifeline: Lifeline, product: Product, sample: string): Promise<void> {
  const profile = [
    `--user-data-dir=${lifeline.makeFolder('data')}`,
    `--extensions-dir=${lifeline.makeFolder('extensions')}`,
  ];
  await code([...profile, '--install-extension', product.vsix]);
  console.log('VS Code is open on the sample project. Close its window, or press Ctrl-C, to end.');
  await code([...profile, '--new-window', '--wait', sample]);
}

async function code(args: readonly string[]): Promise<void> {
  const child = spawn('code', args, { stdio: 'inherit', shell: process.platform === 'win32' });
  const failed = once(child, 'error').then(() => {
    throw new Error(
      'There is no `code` on PATH. Install it from VS Code ("Shell Command: Install code"), or run npm start without --desktop.',
    );
  });
  const [status] = (await Promise.race([once(child, 'exit'), failed])) as [number | null];
  if (status !== 0) throw new Error(`code ended with ${String(status)}.`);
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
