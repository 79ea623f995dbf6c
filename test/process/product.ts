import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The built product that this run tests. */
export function productFolder(): string {
  const folder = process.env['LEARNINGS_PRODUCT'];
  if (!folder) throw new Error('Run this through npm run test:process, which builds the product first.');
  return folder;
}

export const bundle = (name: string): string => join(productFolder(), 'dist', `${name}.js`);
export const sample = (): string => join(productFolder(), 'samples');

/** A new folder below the run's own temporary one, which is removed with it. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));

export function runNode(
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): SpawnSyncReturns<string> {
  const env = { ...process.env, ...options.env };
  return spawnSync(process.execPath, args, { cwd: sample(), ...options, env, encoding: 'utf8' });
}

/** Starts a TypeScript program of ours and gives its standard output line by line. */
export function startScript(script: string, env: Record<string, string> = {}): ReturnType<typeof spawn> {
  return spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}
