import { isAboutOne } from '../errors';
import type { FileSystem } from '../ports';
import type { Problem } from '../yaml/problem';
import type { Side } from './conflict';
import { readIfThere } from './files';
import { scanStore } from './scan';
import type { StorePorts, Writer } from './writer';

/** What a person has decided beforehand. */
export interface Choices {
  /** Whose text to take where both sides of a merge differ; the newer unless given. */
  readonly keep?: Side | undefined;
  /** Of records that supersede each other in a circle, the one that holds; the last changed unless given. */
  readonly inUse?: string | undefined;
}

/** What the steps of healing share. */
export interface Surgery {
  readonly ports: StorePorts;
  readonly writer: Writer;
  readonly choices: Choices;
  /** Names that other branches have taken. */
  readonly elsewhere: readonly string[];
  readonly done: { file: string; did: string }[];
  readonly failed: { file: string; why: string }[];
}

/** Works on one file; if that file stands in its own way, the others are healed all the same. False if it did. */
export async function attempt(
  { failed }: Surgery,
  file: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!isAboutOne(error)) throw error;
    failed.push({ file, why: error.message });
    return false;
  }
}

export async function filesWith({ files }: StorePorts, code: Problem['code']): Promise<string[]> {
  const { problems } = await scanStore(files);
  return [...new Set(problems.filter((problem) => problem.code === code).map(({ file }) => file))];
}

export async function readText(files: FileSystem, file: string): Promise<string> {
  return new TextDecoder('utf-8').decode((await readIfThere(files, file)) ?? new Uint8Array());
}
