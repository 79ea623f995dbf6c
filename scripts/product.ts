import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

import type { Lifeline } from '../test/host/lifeline';

export const checkout = resolve(__dirname, '..');

const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  name: string;
  version: string;
};
const vsixName = `${manifest.name}-${manifest.version}.vsix`;

/** The extension as users get it: built for production and packed. */
export interface Product {
  /** A copy of the checkout with `dist/` built, and `out/` with the extension-host suites. */
  readonly folder: string;
  readonly vsix: string;
}

/** Builds the product in a folder of the run's own, so that runs do not overwrite each other's files. */
export async function buildProduct(lifeline: Lifeline): Promise<Product> {
  const folder = lifeline.makeFolder('product');
  const leaveOut = new Set(
    ['node_modules', '.git', '.vscode-test', 'dist', 'out'].map((name) => join(checkout, name)),
  );
  cpSync(checkout, folder, {
    recursive: true,
    filter: (path) => !leaveOut.has(path) && !path.endsWith('.vsix'),
  });
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction');

  const node = (args: readonly string[]): Promise<void> =>
    lifeline.run(process.execPath, args, { cwd: folder });
  await node(['esbuild.js', '--production', '--tests']);
  const vsix = join(folder, vsixName);
  const vsce = join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce');
  await node([vsce, 'package', '--no-dependencies', '--no-rewrite-relative-links', '--out', vsix]);
  return { folder, vsix };
}
