import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Learnings, PackedIndex, SavedFiles, Sign } from '../core/api';
import { findRoot } from './findUp';
import { snapshotFile } from './indexFile';
import { cacheOf, makeCache } from './journal';
import { openFrom } from './open';
import { signsOf } from './signs';

/** What tells whether a snapshot is out of date. Read it before the records, so that it never looks up to date wrongly. */
export const signsFor = (learnings: Learnings): readonly Sign[] =>
  signsOf(
    learnings.root,
    learnings.origins().map(({ root }) => root),
  );

/** Saves what the hook answers from, where that is possible, as the records were when they were last loaded. */
export function saveSnapshot(learnings: Learnings, signs: readonly Sign[]): PackedIndex {
  const packed = learnings.snapshot(signs);
  snapshotFile(learnings.root).save(packed);
  return packed;
}

async function writeSnapshot(learnings: Learnings): Promise<PackedIndex> {
  const signs = signsFor(learnings);
  await learnings.reload();
  return saveSnapshot(learnings, signs);
}

/**
 * Makes the snapshot right after a change, so that the next hook has nothing to rebuild. Where nobody wrote anything,
 * or nothing can be written, nothing happens: whoever finds no snapshot makes one.
 */
export async function keepSnapshot(folder: string): Promise<void> {
  try {
    const root = findRoot(folder);
    if (root !== undefined && existsSync(cacheOf(root))) await writeSnapshot(await openFrom(root));
  } catch {
    // The next hook says what is wrong where there is somebody to tell.
  }
}

/** Makes the snapshot from nothing but the folder, and gives it as a reader wants it. */
export async function rebuildSnapshot(root: string): Promise<SavedFiles> {
  try {
    makeCache(root);
    // The first time that something is made in a folder changes its time; after the signs it would look like news.
    mkdirSync(join(cacheOf(root), 'tmp'), { recursive: true });
  } catch {
    // Read-only: it is made anew each time.
  }
  const { head, contents } = await writeSnapshot(await openFrom(root));
  return { head, contents: (start, end) => contents.subarray(start, end) };
}
