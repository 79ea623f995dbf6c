import { lstatSync, readFileSync } from 'node:fs';

import { checksum, openSnapshot, type Snapshot, type WatchedFile } from '../core/api';
import { nodeHash } from './hash';
import { snapshotFile } from './indexFile';
import { areUnchanged } from './signs';

/** So many texts are read again before the snapshot is made anew, after which their times are enough. */
const MAX_TEXTS = 50;

/** What was saved for the hook to answer from; undefined if there is nothing that can be used. */
export function loadSnapshot(root: string): Snapshot | undefined {
  const saved = snapshotFile(root).load();
  return saved && openSnapshot(saved, nodeHash);
}

/** Whether everything that a snapshot was made from is as it was, every file looked at. */
export const isUpToDate = (snapshot: Snapshot): boolean =>
  areUnchanged(snapshot.signs, { git: true }) && areSame(snapshot);

/** Whether every record is as it was. */
export function areSame(snapshot: Snapshot): boolean {
  let texts = 0;
  for (const file of snapshot.watched()) {
    if (file.check !== 0 && ++texts > MAX_TEXTS) return false;
    if (!isSame(snapshot, file)) return false;
  }
  return true;
}

/** Whether a record is as it was: by its time, or by its text where it had only just been written. */
export function isSame({ stores }: Snapshot, { store, path, ms, size, check }: WatchedFile): boolean {
  const file = `${stores[store]?.root ?? ''}/${path}`;
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (!stat) return ms === 0 && size === 0;
    if (!stat.isFile() || stat.mtimeMs !== ms || stat.size !== size) return false;
    return check === 0 || (checksum(readFileSync(file)) || 1) === check;
  } catch {
    return false;
  }
}
