import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import type { Sign } from '../core/api';
import { findUp } from './findUp';
import { cacheOf } from './journal';

/** Where the extension writes what was set in the editor, for the programs that cannot ask it. */
export const editorSettingsFile = (root: string): string => join(cacheOf(root), 'editor.json');

/** Environment variables that decide which stores reach a repository. */
const deciding = ['LEARNINGS_SCOPE', 'LEARNINGS_EXTENDS'] as const;

/**
 * What tells by its time or value that the learnings of a root may have changed, without a look at every file: the
 * folders of the stores, what sets them up, and where git notes a checkout or a pull.
 */
export function signsOf(root: string, otherRoots: readonly string[]): Sign[] {
  const stores = [...new Set([root, homedir(), ...otherRoots])].map((folder) => join(folder, '.learnings'));
  const paths = [
    ...stores,
    join(root, '.learnings', 'config.yaml'),
    editorSettingsFile(root),
    ...gitSigns(root),
  ];
  return [
    ...paths.map((path): Sign => [path, stampOf(path)]),
    ...deciding.map((name): Sign => [`$${name}`, process.env[name] ?? '']),
  ];
}

/** Whether everything is as it was; `git` says whether git's own notes count. */
export function areUnchanged(signs: readonly Sign[], { git }: { git: boolean }): boolean {
  return signs.every(([path, stamp]) => {
    if (path.startsWith('$')) return (process.env[path.slice(1)] ?? '') === stamp;
    return (!git && isGitSign(path)) || stampOf(path) === stamp;
  });
}

const isGitSign = (path: string): boolean => /[/\\](?:HEAD|index)$/.test(path);

function gitSigns(root: string): string[] {
  const top = findUp(root, '.git');
  if (top === undefined) return [];
  const folder = gitFolder(join(top, '.git'));
  return [join(folder, 'HEAD'), join(folder, 'index')];
}

/** In a worktree `.git` is a file that says where the folder is. */
export function gitFolder(path: string): string {
  try {
    const [, named = path] = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8')) ?? [];
    return resolve(dirname(path), named.trim());
  } catch {
    return path;
  }
}

function stampOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return '';
    // What is in a folder changes its time and nothing else that is the same everywhere.
    return stat.isDirectory() ? String(stat.mtimeMs) : `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size}`;
  } catch {
    return 'unreadable';
  }
}
