import { openStore, type Store } from '../../src/core/store/store';
import type { Clock, Conflict, Secrets } from '../../src/core/ports';
import { nodeSecrets } from '../../src/node/secrets';
import { memoryFileSystem, type MemoryFiles } from './memoryFiles';

/** The real rules; the same text is looked at once in a run, for faults are tried at every call. */
const looked = new Map<string, ReturnType<Secrets['find']>>();
const secrets: Secrets = {
  find(text) {
    const found = looked.get(text) ?? nodeSecrets().find(text);
    looked.set(text, found);
    return found;
  },
};

export interface TestStore {
  readonly store: Store;
  readonly files: MemoryFiles;
  /** A second process on the same files, after the first has died. */
  restart(): Store;
}

/** A store in memory, with a clock that moves a second a look and random numbers that repeat from run to run. */
export function memoryStore(
  initial: Record<string, string> = {},
  options: {
    elsewhere?: readonly string[];
    conflicts?: readonly (readonly [string, Conflict])[];
    /** What both sides of a merge began with, by path. */
    bases?: Readonly<Record<string, string>>;
  } = {},
): TestStore {
  const files = memoryFileSystem(initial);
  let second = Date.parse('2026-06-01T00:00:00Z');
  let counter = 0;
  let pid = 1;
  const alive = new Set<number>();
  const start = (): Store => {
    alive.clear();
    alive.add(pid);
    return openStore({
      files,
      clock: { now: () => new Date((second += 1000)), sleep: () => Promise.resolve() },
      processes: {
        self: { pid: pid++, started: '', machine: 'test' },
        // Of another machine nobody can tell.
        mayBeAlive: (identity) => identity.machine !== 'test' || alive.has(identity.pid),
      },
      random: { hex: (digits) => (++counter).toString(16).padStart(digits, '0').slice(-digits) },
      git: {
        entriesEverywhere: () => Promise.resolve(options.elsewhere ?? []),
        conflicts: () => Promise.resolve(new Map(options.conflicts)),
        base: (path) => Promise.resolve(options.bases?.[path]),
        workingFiles: () => Promise.resolve(undefined),
        renames: () => Promise.resolve([]),
        missingCommits: () => Promise.resolve(undefined),
        branch: () => Promise.resolve(undefined),
        userName: () => Promise.resolve(undefined),
      },
      secrets,
    });
  };
  return { store: start(), files, restart: start };
}

export const systemClock: Clock = { now: () => new Date(), sleep: () => Promise.resolve() };
