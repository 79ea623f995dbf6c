import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  LearningsError,
  openLearnings,
  openStore,
  type FurtherStore,
  type Hash,
  type Learnings,
  type Settings,
  type Store,
  type StorePorts,
} from '../core/api';
import { nodeFileSystem } from './files';
import { findRoot, findUp, isHome, realPath } from './findUp';
import { nodeGit } from './git';
import { nodeHash } from './hash';
import { indexFile } from './indexFile';
import { nodeProcesses } from './processes';
import { nodeSecrets } from './secrets';
import { indexTables } from './tables';

/** Where a new store belongs: the root of the git repository, or the folder itself. */
export function rootForNewStore(from: string): string {
  const root = findRoot(from) ?? findUp(from, '.git') ?? resolve(from);
  if (!isHome(root)) return root;
  throw new LearningsError(
    'refused',
    'The home folder belongs to no repository. For learnings of your own use learnings init --personal.',
  );
}

function mustFindRoot(folder: string): string {
  const root = findRoot(folder);
  if (root !== undefined) return root;
  throw new LearningsError(
    'no-store',
    `No .learnings folder in ${folder} or above it. Make one with learnings init.`,
  );
}

/** Makes the index of a store anew from its records, every one of them read again. */
export async function rebuildIndex(folder: string): Promise<Learnings> {
  const learnings = await openFrom(folder, { fresh: true });
  try {
    mkdirSync(join(learnings.root, '.learnings', '.cache'), { recursive: true });
  } catch {
    // Read-only: there is nothing to keep the index in, and nothing is lost by that.
    return learnings;
  }
  await learnings.save();
  await indexTables(learnings.root).write(learnings.rows(), learnings.problems());
  return learnings;
}

interface OpenOptions {
  /** Reads everything again, whatever was saved. */
  readonly fresh?: boolean;
  /** Leaves no trace on disk, not even an index. */
  readonly readOnly?: boolean;
  readonly editorSettings?: () => Partial<Settings>;
}

/** Opens the learnings that govern a folder, wherever above it they are, with those they extend and one's own. */
export async function openFrom(folder: string, options: OpenOptions = {}): Promise<Learnings> {
  const root = mustFindRoot(folder);
  const { files, clock, hash } = nodePorts(root);
  const index = indexFile(root);
  const personal = storeIn(homedir(), { kind: 'personal', name: 'personal' });
  return openLearnings({
    root,
    files,
    clock,
    hash,
    personal,
    environment: process.env,
    editorSettings: options.editorSettings,
    savedIndex: options.fresh ? undefined : index.load(),
    keepBodies: options.fresh ?? false,
    ...(!options.readOnly && { saveIndex: (bytes) => Promise.resolve(index.save(bytes)) }),
    openExtended(path) {
      const named = resolve(root, path.replace(/^~(?=[/\\]|$)/, homedir()));
      const store = storeIn(named, { kind: 'extended', name: '' });
      // The repository itself, by whatever way, is known by the name it was opened by.
      const isOwn = store?.origin.root === realPath(root);
      return isOwn ? { ...store, origin: { ...store.origin, root } } : store;
    },
  });
}

/** A folder's learnings; the folder may also be named by its `.learnings` itself. */
function storeIn(
  folder: string,
  origin: Pick<FurtherStore['origin'], 'kind' | 'name'>,
): FurtherStore | undefined {
  const root = realPath(basename(folder) === '.learnings' ? dirname(folder) : folder);
  if (!existsSync(join(root, '.learnings'))) return undefined;
  const name = origin.name || basename(root);
  return { origin: { ...origin, name, root }, files: nodeFileSystem(root) };
}

export interface OpenStore extends Store {
  readonly root: string;
  readonly ports: NodePorts;
}

type NodePorts = StorePorts & { readonly hash: Hash };

/** The world below a root, as the core wants it. */
export function nodePorts(root: string): NodePorts {
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
    secrets: nodeSecrets(),
    hash: nodeHash,
  };
}

/** Opens the store of a root for writing; that of the home folder is one's own. */
export function openStoreAt(root: string): OpenStore {
  const prefix = isHome(root) ? 'P' : 'L';
  const ports = nodePorts(root);
  return { ...openStore(ports, { prefix }), root, ports };
}

/** Opens the store that governs a folder for writing. */
export const openStoreFrom = (folder: string): OpenStore => openStoreAt(mustFindRoot(folder));

/** Opens one's own store, which belongs to no repository. */
export const openPersonalStore = (): OpenStore => openStoreAt(homedir());
