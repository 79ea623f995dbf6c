import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

import { parseReceipts, tallyReceipts, type Tally } from '../core/api';
import { olderReceiptsFile, receiptsFile } from './journal';

interface Counted {
  readonly inode: number;
  /** Where the last whole line ends that was counted. */
  readonly end: number;
  readonly tallies: ReadonlyMap<string, Tally>;
}

/**
 * Counts how often the learnings of a root were given and used. The file only grows, so that the next time what is new
 * is read alone; a file that was put aside or removed is counted from its beginning.
 */
export function deliveryCounter(root: string): () => ReadonlyMap<string, Tally> {
  let counted: Counted | undefined;
  return () => {
    const more = counted && readFrom(receiptsFile(root), counted);
    if (counted && more) {
      const tallies = tallyReceipts(parseReceipts(more.text), counted.tallies);
      counted = { ...more, tallies };
      return tallies;
    }
    const older = readFrom(olderReceiptsFile(root));
    const now = readFrom(receiptsFile(root));
    const tallies = tallyReceipts(parseReceipts((older?.text ?? '') + (now?.text ?? '')));
    counted = now && { ...now, tallies };
    return tallies;
  };
}

/** The whole lines from where the last ended; undefined if it is not the same file, or there is none. */
function readFrom(
  file: string,
  last?: Counted,
): (Omit<Counted, 'tallies'> & { readonly text: string }) | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { ino: inode, size } = fstatSync(descriptor);
      const start = last?.end ?? 0;
      if (last && (last.inode !== inode || size < start)) return undefined;
      const bytes = Buffer.alloc(size - start);
      const read = readSync(descriptor, bytes, 0, bytes.length, start);
      const end = bytes.subarray(0, read).lastIndexOf(10) + 1;
      return { inode, end: start + end, text: bytes.toString('utf8', 0, end) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}
