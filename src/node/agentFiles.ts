import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';

import {
  ioError,
  LearningsError,
  plannedFiles,
  programNames,
  type FileChange,
  type Programs,
} from '../core/api';

/** The texts of the files, of those that agents look at, that are there. */
export function readAgentFiles(root: string): ReadonlyMap<string, string> {
  return new Map(
    plannedFiles.flatMap((path) => {
      const text = textAt(root, path);
      return text === undefined ? [] : [[path, text]];
    }),
  );
}

/** The programs that go with this one, from the folder it was built into, as a repository is to have them. */
export function readPrograms(folder: string, version: string): Programs {
  const texts = programNames.map((name): [string, string] => {
    const text = readFileSync(join(folder, name), 'utf8');
    // Behind the line that names the interpreter. What a team has its linter say of its own code is not about these.
    return [name, text.replace(/^(?:#!.*\n)?/, '$&/* eslint-disable */\n')];
  });
  return { version, texts: new Map(texts) };
}

/** Makes every change, or says which file has become another one since it was looked at, before any is made. */
export function applyChanges(root: string, changes: readonly FileChange[]): void {
  for (const { path, before } of changes) {
    if (textAt(root, path) === before) continue;
    throw new LearningsError(
      'conflict',
      `${path} has changed meanwhile. Nothing was written: look at it again.`,
    );
  }
  for (const { path, after } of changes) {
    try {
      if (after === undefined) remove(root, path);
      else write(root, path, after);
    } catch (cause) {
      if (cause instanceof LearningsError) throw cause;
      throw ioError(errnoOf(cause), { verb: 'write', path, cause });
    }
  }
}

/** What takes changes back. */
export const inverse = (changes: readonly FileChange[]): FileChange[] =>
  changes.map(({ path, before, after }) => ({ path, before: after, after: before }));

function textAt(root: string, path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return undefined;
    throw ioError(errno, { verb: 'read', path, cause });
  }
}

/** Whole or not at all; a link stays one, and what it leads to is written. */
function write(root: string, path: string, text: string): void {
  const named = join(root, path);
  mkdirSync(dirname(named), { recursive: true });
  const file = existsSync(named)
    ? realpathSync(named)
    : join(realpathSync(dirname(named)), path.slice(path.lastIndexOf('/') + 1));
  if (!file.startsWith(realpathSync(root) + sep))
    throw new LearningsError('refused', `${path} leads out of the repository, so it is left alone.`);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** With the folders that hold nothing else. */
function remove(root: string, path: string): void {
  rmSync(join(root, path));
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return;
    }
  }
}

const errnoOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);
