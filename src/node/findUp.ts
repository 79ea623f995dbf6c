import { existsSync } from 'node:fs';
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
