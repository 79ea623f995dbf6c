import { LearningsError } from '../errors';
import type { FileSystem, Processes, Random } from '../ports';
import { TEMPORARY } from './layout';

interface Ports {
  readonly files: FileSystem;
  readonly processes: Processes;
  readonly random: Random;
}

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
  await files.flushFolder(path.slice(0, path.lastIndexOf('/')));
}

/** Makes a folder and those above it. */
export async function makeFolders(files: FileSystem, path: string): Promise<void> {
  const segments = path.split('/');
  for (let length = 1; length <= segments.length; length++)
    await files.makeFolder(segments.slice(0, length).join('/'));
}

/** Removes what writers that died left behind. Call it under the lock: then every temporary file is an orphan. */
export async function sweepTemporaries(files: FileSystem): Promise<void> {
  for (const { name } of await files.list(TEMPORARY)) await files.remove(`${TEMPORARY}/${name}`);
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
