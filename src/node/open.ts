import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { LearningsError, openLearnings, type Learnings } from '../core/api';
import { nodeFileSystem } from './files';

/** The nearest folder at or above `from` that holds `.learnings`. */
export function findRoot(from: string): string | undefined {
  let folder = resolve(from);
  while (!existsSync(join(folder, '.learnings'))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

/** Opens the learnings that govern a folder, wherever above it they are. */
export async function openFrom(folder: string): Promise<Learnings> {
  const root = findRoot(folder);
  if (root === undefined) {
    throw new LearningsError(
      'no-store',
      `No .learnings folder in ${folder} or above it. Run this in a repository that has one.`,
    );
  }
  return openLearnings({ root, files: nodeFileSystem(root) });
}
