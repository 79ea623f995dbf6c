import { spawn } from 'node:child_process';
import { lstatSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import {
  openSnapshot,
  resolveSettings,
  type SavedFiles,
  type Settings,
  type Snapshot,
  type SnapshotMatch,
  type Supply,
  type WatchedFile,
} from '../core/api';
import { attempt } from '../node/attempt';
import { nodeHash } from '../node/hash';
import { snapshotFile } from '../node/indexFile';
import { cacheOf } from '../node/journal';
import { areUnchanged } from '../node/signs';

/** So many files are looked at before each answer; that takes a few milliseconds. Of more, another process looks. */
const FEW_FILES = 1000;
/** Hooks of one agent's parallel calls start within so many milliseconds; they do not wait for each other's checks. */
const PARALLEL_MS = 30;
const MAX_WAIT_MS = 2000;
const DAY_MS = 86_400_000;
/** How often records may change while we look, before nothing is said at all. */
const MAX_TRIES = 4;

export interface HookSupply extends Supply {
  /** The tags that learnings have, for finding them in a prompt. */
  tags(): readonly string[];
  /** Has every file looked at behind our back, where that was too much for the time of an answer. */
  checkLater(program: string): void;
}

/**
 * Learnings for one answer, from the saved snapshot. It is believed only as far as it was verified just now; whatever
 * is in doubt is read again, by code that is loaded for that alone.
 */
export async function openSupply(root: string): Promise<HookSupply> {
  const checking = join(cacheOf(root), 'checking');
  await checkEnded(checking);
  const saved = openSaved(snapshotFile(root).load());
  let isFresh = false;
  let snapshot = saved && isCurrent(saved) ? saved : await rebuild();
  const isLarge = snapshot.watchedCount > FEW_FILES;
  const { settings } = resolveSettings({ environment: process.env, ...snapshot.layers });

  async function rebuild(): Promise<Snapshot> {
    const { rebuild: again } = await import('./hookWork');
    isFresh = true;
    return openSaved(await again(root)) ?? fail(`The learnings of ${root} could not be read.`);
  }

  /** Those among them that must not be given, though they match. */
  async function outdated(matches: readonly SnapshotMatch[]): Promise<string[]> {
    const found: string[] = [];
    for (const { name, fingerprint, store } of matches) {
      if (fingerprint.length === 0) continue;
      const { isOutdated } = await import('./hookWork');
      if (await isOutdated(store.root, fingerprint)) found.push(name);
    }
    return found;
  }

  return {
    settings,
    tags: () => snapshot.tags(),
    async find(target, { limit, accept }) {
      const dropped = new Set<string>();
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const found = snapshot.find(target, {
          limit,
          sinceMs: oldestAllowed(settings),
          accept: (name) => !dropped.has(name) && isLocalEnough(name, settings) && accept(name),
        });
        const changed = !found || (!isFresh && found.matches.some(({ file }) => !isSame(snapshot, file)));
        if (changed) {
          snapshot = await rebuild();
          continue;
        }
        const old = await outdated(found.matches);
        if (old.length === 0) return { offers: found.matches, total: found.total };
        for (const name of old) dropped.add(name);
      }
      return { offers: [], total: 0 };
    },
    checkLater(program) {
      // What was just read from every file needs no look at them.
      if (!isLarge || isFresh) return;
      try {
        writeFileSync(checking, '');
      } catch {
        return;
      }
      const options = { detached: true, stdio: 'ignore', windowsHide: true } as const;
      spawn(process.execPath, [program, '--check', root], options)
        .on('error', () => undefined)
        .unref();
    },
  };
}

/** Looks at every file, and makes the snapshot anew if one has changed. */
export async function checkEverything(root: string): Promise<void> {
  const checking = join(cacheOf(root), 'checking');
  try {
    const snapshot = openSaved(snapshotFile(root).load());
    const isUpToDate =
      snapshot && areUnchanged(snapshot.signs, { git: true }) && areSame(snapshot, [...snapshot.watched()]);
    if (isUpToDate) return;
    const { rebuild } = await import('./hookWork');
    await rebuild(root);
  } finally {
    rmSync(checking, { force: true });
  }
}

/** Waits for a check that an earlier answer asked for, so that what was edited before that one is seen by this one. */
async function checkEnded(checking: string): Promise<void> {
  for (let waited = 0; waited < MAX_WAIT_MS; waited += 10) {
    const asked = attempt(() => statSync(checking, { throwIfNoEntry: false })?.mtimeMs);
    const age = asked === undefined ? Infinity : Date.now() - asked;
    // One that is a minute old was killed.
    if (age > 60_000 || (waited === 0 && age < PARALLEL_MS)) return;
    await wait(10);
  }
}

const openSaved = (saved: SavedFiles | undefined): Snapshot | undefined =>
  saved && openSnapshot(saved, nodeHash);

function isCurrent(snapshot: Snapshot): boolean {
  const isSmall = snapshot.watchedCount <= FEW_FILES;
  // Where every file is looked at, what git notes tells nothing more, and it notes every `git status`.
  if (!areUnchanged(snapshot.signs, { git: !isSmall })) return false;
  return !isSmall || areSame(snapshot, [...snapshot.watched()]);
}

const areSame = (snapshot: Snapshot, files: readonly WatchedFile[]): boolean =>
  files.every((file) => isSame(snapshot, file));

function isSame({ stores }: Snapshot, { store, path, ms, size }: WatchedFile): boolean {
  try {
    const stat = lstatSync(`${stores[store]?.root ?? ''}/${path}`, { throwIfNoEntry: false });
    return stat ? stat.isFile() && stat.mtimeMs === ms && stat.size === size : ms === 0 && size === 0;
  } catch {
    return false;
  }
}

const oldestAllowed = ({ max_age_days: days }: Settings): number =>
  days === null ? 0 : Date.now() - days * DAY_MS;

/** Other stores' learnings have a name with a slash. */
const isLocalEnough = (name: string, { scope }: Settings): boolean =>
  scope === 'global' || !name.includes('/');

function fail(message: string): never {
  throw new Error(message);
}
