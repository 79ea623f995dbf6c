import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import type { PackedIndex, SavedFiles } from '../core/api';

interface SavedPair {
  load(): SavedFiles | undefined;
  save(index: PackedIndex): void;
}

/** The saved index of a store. */
export const indexFile = (root: string): SavedPair =>
  savedPair(join(root, '.learnings', '.cache'), { head: 'index.bin', contents: 'records.bin' });

/** What the hook answers from. */
export const snapshotFile = (root: string): SavedPair =>
  savedPair(join(root, '.learnings', '.cache'), { head: 'deliver.bin', contents: 'deliver-rows.bin' });

/** Two derived files that belong together: where they cannot be read or written, nothing is lost but time. */
function savedPair(cache: string, names: { head: string; contents: string }): SavedPair {
  const file = join(cache, names.head);
  const contentsFile = join(cache, names.contents);
  return {
    load() {
      const head = readIfPossible(file);
      return head && { head, contents: partsOf(contentsFile) };
    },
    save({ head, contents }) {
      replaceDerived(cache, contentsFile, contents);
      replaceDerived(cache, file, head);
    },
  };
}

/** So many parts are read one by one; whoever wants more gets them from the whole file. */
const FEW = 64;

function partsOf(file: string): SavedFiles['contents'] {
  let whole: Uint8Array | undefined;
  let asked = 0;
  return (start, end) => {
    if (++asked > FEW) whole ??= readIfPossible(file) ?? new Uint8Array();
    return whole ? whole.subarray(start, end) : readPart(file, start, end);
  };
}

function readPart(file: string, start: number, end: number): Uint8Array | undefined {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const part = new Uint8Array(end - start);
      return part.subarray(0, readSync(descriptor, part, 0, part.length, start));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

function readIfPossible(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Puts a derived file in place, whole or not at all; it need not survive a crash of the machine. The folder was made by
 * whoever first wrote a learning: a mere look at a store leaves no trace in it.
 */
export function replaceDerived(cache: string, file: string, bytes: Uint8Array): void {
  if (!existsSync(cache)) return;
  const temporary = join(cache, 'tmp', `${process.pid}-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(join(cache, 'tmp'), { recursive: true });
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, file);
  } catch {
    // A read-only or full disk: the next process reads the records themselves.
    removeIfPossible(temporary);
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Even with `force`, a parent that is no folder is an error; then there is nothing to remove.
  }
}
