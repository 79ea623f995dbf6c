import { readdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/** Several files change at once, on a checkout as on a single write. */
const QUIET_MS = 150;
/** Each is a handle that the system has few of; of larger stores we look at everything now and then instead. */
const MAX_WATCHED = 2000;
const LOOK_EVERY_MS = 5000;
/** Elsewhere one handle watches a folder with all that is below it. */
const isRecursive = process.platform === 'darwin' || process.platform === 'win32';

/** Tells that something in the stores may have changed. Only a hint: whoever is told looks for himself. */
export class StoreWatch {
  private readonly watchers = new Map<string, FSWatcher>();
  private quiet: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;

  constructor(private readonly onHint: () => void) {}

  /** Watches the stores of these folders, and those where a store may yet be made; call it again when they changed. */
  follow(roots: readonly string[], folders: readonly string[]): void {
    const inStores = new Set(roots.flatMap(foldersOfStore));
    const around = folders.filter((folder) => !roots.includes(folder));
    const wanted = new Set([...inStores, ...around]);
    const isTooMuch = wanted.size > MAX_WATCHED;
    for (const [path, watcher] of this.watchers) {
      if (wanted.has(path) && !isTooMuch) continue;
      watcher.close();
      this.watchers.delete(path);
    }
    const isWatched = (path: string): boolean =>
      this.watchers.has(path) || this.watchOne(path, { isStore: inStores.has(path) });
    if (isTooMuch || [...wanted].filter((path) => !isWatched(path)).length > 0)
      this.looking ??= setInterval(this.onHint, LOOK_EVERY_MS).unref();
    else {
      clearInterval(this.looking);
      this.looking = undefined;
    }
  }

  private watchOne(path: string, { isStore }: { isStore: boolean }): boolean {
    try {
      const options = { recursive: isStore && isRecursive, persistent: false };
      const watcher = watch(path, options, (_, name) => {
        // What we keep in .cache tells nothing about records, and around a store only the store itself counts.
        if (isStore ? !name?.startsWith('.cache') : name === '.learnings') this.hint();
      });
      watcher.on('error', () => {
        watcher.close();
        this.watchers.delete(path);
      });
      this.watchers.set(path, watcher);
      return true;
    } catch {
      return false;
    }
  }

  private hint(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(this.onHint, QUIET_MS).unref();
  }
}

function foldersOfStore(root: string): string[] {
  const store = join(root, '.learnings');
  if (isRecursive) return [store];
  const records = foldersIn(store).filter((path) => !path.endsWith('.cache'));
  return [store, ...records, ...foldersIn(join(store, 'candidates'))];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(folder, entry.name)] : [],
    );
  } catch {
    return [];
  }
}
