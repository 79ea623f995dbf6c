import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { LearningsError, type FileSystem } from '../core/api';

/** The real file system, below one root. */
export function nodeFileSystem(root: string): FileSystem {
  return {
    async readText(path) {
      try {
        return await readFile(join(root, path), 'utf8');
      } catch (cause) {
        if (isMissing(cause)) throw new LearningsError('not-found', `${path} does not exist.`, { cause });
        throw cause;
      }
    },
    async list(folder) {
      try {
        const entries = await readdir(join(root, folder), { withFileTypes: true });
        return entries.map((entry) => ({
          name: entry.name,
          kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other',
        }));
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
