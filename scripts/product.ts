import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

/** Builds the product in a folder of the caller's own, so that runs do not overwrite each other's files. */
export async function buildProduct(folder: string): Promise<Product> {
  const leaveOut = new Set(
    ['node_modules', '.git', 'dist', 'out', vsixName].map((name) => join(checkout, name)),
  );
  cpSync(checkout, folder, { recursive: true, filter: (path) => !leaveOut.has(path) });
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction');

  await runNode(folder, ['esbuild.js', '--production', '--tests']);
  const vsix = join(folder, vsixName);
  const vsce = join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce');
  await runNode(folder, [vsce, 'package', '--no-dependencies', '--no-rewrite-relative-links', '--out', vsix]);
  return { folder, vsix };
}

async function runNode(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} failed:\n${output.join('')}`);
}
