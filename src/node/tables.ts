import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IndexRow, Problem } from '../core/api';
import { nodeHash } from './hash';
import { replaceDerived } from './indexFile';

/**
 * The index as a database, `.cache/index.sqlite`. It is derived from the records: whatever is wrong with it, it is
 * made anew. A flipped byte passes SQLite's own check, so the file's hash is kept beside it.
 */
export interface Tables {
  /** Brings the file in line with the rows and problems, which are all there should be. */
  write(rows: AsyncIterable<IndexRow>, problems: readonly Problem[]): Promise<void>;
}

export function indexTables(root: string): Tables {
  const cache = join(root, '.learnings', '.cache');
  const file = join(cache, 'index.sqlite');
  const hashFile = join(cache, 'index.sqlite.sha256');

  const readVerified = (): Uint8Array | undefined => {
    try {
      const bytes = readFileSync(file);
      return readFileSync(hashFile, 'utf8') === nodeHash.sha256(bytes) ? bytes : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    async write(rows, problems) {
      const { openDatabase } = await import('./database');
      const database = await openDatabase(readVerified());
      try {
        const stamps = database.stamps();
        let changes = 0;
        const gone = new Set(stamps.keys());
        database.begin();
        for await (const row of rows) {
          gone.delete(row.folder);
          if (row.stamp !== '' && stamps.get(row.folder) === row.stamp) continue;
          database.put(row);
          changes++;
        }
        for (const folder of gone) database.remove(folder);
        const isOtherwiseWrong = database.putProblems(problems);
        database.commit();
        if (changes + gone.size === 0 && !isOtherwiseWrong && existsSync(file)) return;
        const bytes = database.export();
        // In this order: a reader between the two finds a hash that does not fit, and does without.
        replaceDerived(cache, file, bytes);
        replaceDerived(cache, hashFile, Buffer.from(nodeHash.sha256(bytes)));
      } finally {
        database.close();
      }
    },
  };
}
