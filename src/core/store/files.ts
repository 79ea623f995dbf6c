import { LearningsError } from '../errors';
import type { FileSystem, Processes, Random } from '../ports';
import { parentOf, TEMPORARY } from './layout';

interface Ports {
  readonly files: FileSystem;
  readonly processes: Processes;
  readonly random: Random;
}

/** What a temporary file of ours is called; anything else in the folder is somebody else's. */
const OURS = /^\d+-[0-9a-f]{12}$/;

/**
 * Puts a whole file in place: written elsewhere, flushed, renamed over, and the rename made durable. A reader sees the
 * old text or the new; a crash leaves one of the two.
 */
export async function replaceFile(ports: Ports, path: string, text: string): Promise<void> {
  const { files } = ports;
  await makeFolders(files, TEMPORARY);
  const temporary = `${TEMPORARY}/${ports.processes.self.pid}-${ports.random.hex(12)}`;
  try {
    await files.writeNew(temporary, new TextEncoder().encode(text));
    await files.rename(temporary, path);
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw error;
  }
  await files.flushFolder(parentOf(path));
}

/** Makes a folder and those above it. The folder itself is tried first: it is nearly always there. */
export async function makeFolders(files: FileSystem, path: string): Promise<void> {
  try {
    await files.makeFolder(path);
  } catch (error) {
    const parent = parentOf(path);
    if (!(error instanceof LearningsError && error.code === 'not-found') || parent === '') throw error;
    await makeFolders(files, parent);
    await files.makeFolder(path);
  }
}

/** Removes what writers that died left behind. Call it under the lock: then every temporary file is an orphan. */
export async function sweepTemporaries(files: FileSystem): Promise<void> {
  for (const { name, kind } of await files.list(TEMPORARY))
    if (kind === 'file' && OURS.test(name)) await files.remove(`${TEMPORARY}/${name}`);
}

/** The bytes of a file, or undefined if there is none. */
export async function readIfThere(files: FileSystem, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (error instanceof LearningsError && error.code === 'not-found') return undefined;
    throw error;
  }
}
