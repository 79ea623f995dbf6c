import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The nearest folder at or above `from` that holds an entry of this name. */
export function findUp(from: string, name: string): string | undefined {
  let folder = resolve(from);
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

/** The nearest folder at or above `from` that holds `.learnings`. One's own in the home folder is not a repository's. */
export function findRoot(from: string): string | undefined {
  const root = findUp(from, '.learnings');
  return root !== undefined && isHome(root) ? undefined : root;
}

/** However it is spelled, through links or not. */
export function isHome(folder: string): boolean {
  return realPath(folder) === realPath(homedir());
}

export function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
