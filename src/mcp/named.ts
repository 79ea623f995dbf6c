import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { relativeTo } from '../core/api';

/** Longer texts are contents, and what they mention is not what the call is about. */
const MAX_ARGUMENT_CHARS = 4096;
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_WORDS = 2000;
/** What names more files than this is a listing. */
const MAX_FILES = 20;
const MAX_DEPTH = 5;

/** Files that are there, below one of the roots, by their real names or through links. */
export interface Files {
  find(name: string): FoundFile | undefined;
}

export interface FoundFile {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
}

export function filesBelow(roots: readonly string[], cwd: string): Files {
  const real = roots.map((root) => ({ root, real: realPath(root) ?? root }));
  return {
    find(name) {
      const plain = withoutScheme(name);
      if (plain === undefined) return undefined;
      const places = isAbsolute(plain)
        ? [plain]
        : [resolve(cwd, plain), ...roots.map((root) => resolve(root, plain))];
      const place = places.find(isFile);
      if (place === undefined) return undefined;
      const links = realPath(place) ?? place;
      for (const { root, real: realRoot } of real) {
        const path = relativeTo(root, place) ?? relativeTo(realRoot, links);
        if (path !== undefined && !path.startsWith('.learnings/')) return { root, path };
      }
      return undefined;
    },
  };
}

/**
 * The files that a call of a tool is about: those that its arguments name, or, where they name none, as in a search, those
 * that its result names. What a file that was read mentions is not what the call is about.
 */
export function filesOfCall(files: Files, input: unknown, result: unknown): readonly FoundFile[] {
  const asked = unique(stringsIn(input).flatMap((text) => filesInArgument(files, text)));
  if (asked.length > 0) return asked.slice(0, MAX_FILES);
  const told = unique(stringsIn(result).flatMap((text) => filesInText(files, text)));
  return told.length > MAX_FILES ? [] : told;
}

function filesInArgument(files: Files, text: string): readonly FoundFile[] {
  if (text.length > MAX_ARGUMENT_CHARS) return [];
  const whole = files.find(text);
  return whole ? [whole] : filesInText(files, text);
}

/** Anything that could be a path: with a folder or an ending, up to a quote, a bracket or the number of a line. */
const pathLike = /(?:file:\/\/|[A-Za-z]:(?=[\\/]))?[^\s"'`<>|:*?()[\]{},;=]*[/\\.][^\s"'`<>|:*?()[\]{},;=]+/g;

function filesInText(files: Files, text: string): readonly FoundFile[] {
  const words = new Set<string>();
  for (const [word] of text.slice(0, MAX_TEXT_CHARS).matchAll(pathLike)) {
    words.add(word.replace(/[.!]+$/, ''));
    if (words.size >= MAX_WORDS) break;
  }
  return [...words].flatMap((word) => files.find(word) ?? []);
}

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth === MAX_DEPTH || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => stringsIn(one, depth + 1));
}

function unique(found: readonly FoundFile[]): readonly FoundFile[] {
  return [...new Map(found.map((one) => [`${one.root}\0${one.path}`, one])).values()];
}

function withoutScheme(name: string): string | undefined {
  if (name.length > MAX_ARGUMENT_CHARS || name.includes('\0')) return undefined;
  if (!/^[a-z][\w+.-]+:\/\//i.test(name)) return name;
  try {
    return fileURLToPath(name);
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
