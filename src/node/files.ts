import { constants, lstatSync, readFileSync, type Stats } from 'node:fs';
import { link, lstat, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { ioError, type EntryKind, type FileSystem, type LearningsError } from '../core/api';

/** The real file system, below one root. */
export function nodeFileSystem(root: string): FileSystem {
  const at = (path: string): string => join(root, path);
  // Paths come from the core, with `/` and nothing to tidy up; joining properly would cost half as much as the call.
  const near = (path: string): string => `${root}/${path}`;

  return {
    read: (path) => attempt('read', path, () => readFile(at(path))),
    async stat(path) {
      const stats = await unless(['ENOENT', 'ENOTDIR'], undefined, 'look at', path, () => lstat(at(path)));
      return stats && { kind: kindOf(stats), size: stats.size, modifiedMs: stats.mtimeMs };
    },
    // Synchronous calls are three to four times quicker than promises; the pauses between let others have their turn.
    statAll: (paths) =>
      inPortions(paths, (path) => {
        const stats = lstatSync(near(path), lenient);
        return stats && { kind: kindOf(stats), size: stats.size, modifiedMs: stats.mtimeMs };
      }),
    readAll: (paths) => inPortions(paths, (path) => readFileSync(near(path))),
    async list(folder) {
      const entries = await unless(['ENOENT', 'ENOTDIR'], [], 'list', folder, () =>
        readdir(at(folder), { withFileTypes: true }),
      );
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    makeFolder: (path) =>
      unless(['EEXIST'], false, 'create', path, async () => {
        await mkdir(at(path));
        return true;
      }),
    writeNew: (path, bytes, options) =>
      attempt('write', path, async () => {
        const file = await open(at(path), 'wx');
        try {
          await file.writeFile(bytes);
          if (!options?.fleeting) await file.datasync();
        } catch (error) {
          await rm(at(path), { force: true });
          throw error;
        } finally {
          await file.close();
        }
      }),
    append: (path, bytes) =>
      attempt('append to', path, async () => {
        const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;
        const file = await open(at(path), flags);
        try {
          const { bytesWritten } = await file.write(bytes);
          if (bytesWritten < bytes.length) throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
          await file.datasync();
        } finally {
          await file.close();
        }
      }),
    rename: (from, to) => attempt('rename', from, () => rename(at(from), at(to))),
    link: (from, to) =>
      unless(['EEXIST'], false, 'create', to, async () => {
        await link(at(from), at(to));
        return true;
      }),
    remove: (path) => attempt('remove', path, () => rm(at(path), { force: true })),
    removeFolder: (path) =>
      unless(['ENOTEMPTY', 'EEXIST', 'ENOENT'], false, 'remove', path, async () => {
        await rmdir(at(path));
        return true;
      }),
    async flushFolder(path) {
      // Windows cannot open a folder; there a rename is durable with the file system's own journal.
      if (process.platform === 'win32') return;
      await attempt('flush', path, async () => {
        const folder = await open(at(path), 'r');
        try {
          await folder.sync();
        } finally {
          await folder.close();
        }
      });
    },
  };
}

const lenient = { throwIfNoEntry: false } as const;
/** About ten milliseconds of work. */
const PORTION = 2000;

/** Does something for each path; what fails is part of the answer. */
async function inPortions<T>(
  paths: readonly string[],
  run: (path: string) => T,
): Promise<(T | LearningsError)[]> {
  const results: (T | LearningsError)[] = [];
  for (const path of paths) {
    if (results.length > 0 && results.length % PORTION === 0) await setImmediate();
    try {
      results.push(run(path));
    } catch (cause) {
      results.push(ioError(errnoOf(cause), { verb: 'read', path, cause }));
    }
  }
  return results;
}

async function attempt<T>(verb: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    throw ioError(errnoOf(cause), { verb, path, cause });
  }
}

/** Runs it, and answers with `otherwise` where it fails in one of the expected ways. */
async function unless<T, U>(
  expected: readonly string[],
  otherwise: U,
  verb: string,
  path: string,
  run: () => Promise<T>,
): Promise<T | U> {
  try {
    return await run();
  } catch (cause) {
    if (expected.includes(errnoOf(cause))) return otherwise;
    throw ioError(errnoOf(cause), { verb, path, cause });
  }
}

function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}
