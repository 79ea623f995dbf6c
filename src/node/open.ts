import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  LearningsError,
  openLearnings,
  openStore,
  type Learnings,
  type Store,
  type StorePorts,
} from '../core/api';
import { nodeFileSystem } from './files';
import { nodeGit } from './git';
import { nodeProcesses } from './processes';

/** The nearest folder at or above `from` that holds `.learnings`. */
export function findRoot(from: string): string | undefined {
  return findUp(from, '.learnings');
}

/** Where a new store belongs: the root of the git repository, or the folder itself. */
export function rootForNewStore(from: string): string {
  return findRoot(from) ?? findUp(from, '.git') ?? resolve(from);
}

function findUp(from: string, name: string): string | undefined {
  let folder = resolve(from);
  while (!existsSync(join(folder, name))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}

function mustFindRoot(folder: string): string {
  const root = findRoot(folder);
  if (root !== undefined) return root;
  throw new LearningsError(
    'no-store',
    `No .learnings folder in ${folder} or above it. Make one with learnings init.`,
  );
}

/** Opens the learnings that govern a folder, wherever above it they are. */
export async function openFrom(folder: string): Promise<Learnings> {
  const root = mustFindRoot(folder);
  return openLearnings({ root, files: nodeFileSystem(root) });
}

export interface OpenStore extends Store {
  readonly root: string;
  readonly git: StorePorts['git'];
}

/** The world below a root, as the core wants it. */
export function nodePorts(root: string): StorePorts {
  return {
    files: nodeFileSystem(root),
    clock: { now: () => new Date(), sleep: (ms) => sleep(ms) },
    processes: nodeProcesses(),
    random: {
      hex: (digits) =>
        randomBytes(Math.ceil(digits / 2))
          .toString('hex')
          .slice(0, digits),
    },
    git: nodeGit(root),
  };
}

/** Opens the store of a root for writing. */
export function openStoreAt(root: string): OpenStore {
  const ports = nodePorts(root);
  return { ...openStore(ports), root, git: ports.git };
}

/** Opens the store that governs a folder for writing. */
export const openStoreFrom = (folder: string): OpenStore => openStoreAt(mustFindRoot(folder));
