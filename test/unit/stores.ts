import { openStore, type Store } from '../../src/core/store/store';
import { memoryFileSystem, type MemoryFiles } from './memoryFiles';

export interface TestStore {
  readonly store: Store;
  readonly files: MemoryFiles;
  /** A second process on the same files, after the first has died. */
  restart(): Store;
}

/** A store in memory, with a clock that moves a second a look and random numbers that repeat from run to run. */
export function memoryStore(
  initial: Record<string, string> = {},
  options: { elsewhere?: readonly string[] } = {},
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
        mayBeAlive: (identity) => alive.has(identity.pid),
      },
      random: { hex: (digits) => (++counter).toString(16).padStart(digits, '0').slice(-digits) },
      git: {
        entriesEverywhere: () => Promise.resolve(options.elsewhere ?? []),
        branch: () => Promise.resolve(undefined),
        userName: () => Promise.resolve(undefined),
      },
    });
  };
  return { store: start(), files, restart: start };
}
