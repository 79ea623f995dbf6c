import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Learnings, PackedIndex, SavedFiles } from '../core/api';
import { snapshotFile } from './indexFile';
import { cacheOf, makeCache } from './journal';
import { openFrom } from './open';
import { signsOf } from './signs';

/**
 * Makes the snapshot that the hook answers from, and saves it where that is possible. The signs are read before the
 * records: what changes meanwhile makes the snapshot look out of date, never up to date.
 */
export async function writeSnapshot(learnings: Learnings): Promise<PackedIndex> {
  const signs = signsOf(
    learnings.root,
    learnings.origins().map(({ root }) => root),
  );
  await learnings.reload();
  const packed = learnings.snapshot(signs);
  snapshotFile(learnings.root).save(packed);
  return packed;
}

/** The same from nothing but the folder, and as a reader wants it. */
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
