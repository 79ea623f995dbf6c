import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Conflict, Git } from '../core/api';
import { findUp } from './findUp';

const TIMEOUT_MS = 10_000;
/** Of those that took a file away: enough for what was moved lately. */
const MAX_COMMITS = 20;
const renamed = ['-M', '--relative', '--diff-filter=R', '--name-status', '-z'];

/** What git prints; nothing where it is absent or fails. */
export async function runGit(root: string, args: readonly string[]): Promise<string> {
  return (await run('git', args, { cwd: root, input: '' })).toString('utf8');
}

/** git, as far as a folder is in one of its repositories. Where it is absent or fails, the answer is nothing. */
export function nodeGit(root: string): Git {
  const git = (args: readonly string[], input = ''): Promise<Buffer> =>
    run('git', args, { cwd: root, input });
  const line = async (args: readonly string[]): Promise<string | undefined> =>
    (await git(args)).toString('utf8').trim() || undefined;

  return {
    branch: () => line(['branch', '--show-current']),
    userName: () => line(['config', 'user.name']),
    async conflicts() {
      // <mode> <object> <stage>\t<path>; stage 1 is what both sides began with, 2 is ours, 3 theirs.
      const entries = (await git(['ls-files', '--unmerged', '-z', '--', '.'])).toString().split('\0');
      const stages = new Map<string, string>();
      for (const entry of entries) {
        const [, stage, path] = /^\d+ [0-9a-f]+ (\d)\t(.+)$/s.exec(entry) ?? [];
        if (path !== undefined && stage !== undefined) stages.set(path, (stages.get(path) ?? '') + stage);
      }
      const kinds: Record<string, Conflict> = { '123': 'edited', '23': 'added' };
      return new Map([...stages].map(([path, seen]) => [path, kinds[seen] ?? 'removed']));
    },
    async base(path) {
      return (await git(['show', `:1:./${path}`])).toString('utf8') || undefined;
    },
    async workingFiles() {
      if (!isInRepository(root)) return undefined;
      const list = async (...which: string[]): Promise<string[]> =>
        (await git(['ls-files', ...which, '-z', '--', '.'])).toString().split('\0').filter(Boolean);
      const known = await list('--cached', '--others', '--exclude-standard');
      const deleted = new Set(await list('--deleted'));
      return known.length > 0 ? known.filter((name) => !deleted.has(name)) : undefined;
    },
    async missingCommits(commits) {
      if ((await line(['rev-parse', '--is-shallow-repository'])) !== 'false') return undefined;
      const history = (await git(['rev-list', 'HEAD'])).toString().split('\n').toSorted();
      if (history.length <= 1) return undefined;
      // Commits are often given shortened: the first that is not before it starts with it, or none does.
      return commits.filter(
        (commit) => !history[firstFrom(history, commit.toLowerCase())]?.startsWith(commit.toLowerCase()),
      );
    },
    async renames(paths) {
      if (paths.length === 0 || !isInRepository(root)) return [];
      const inTree = git(['diff', ...renamed, 'HEAD', '--', '.']);
      // Asked about single paths, git sees no renames, but it does see in which commits they went.
      const tookAway = ['log', '--no-renames', '--diff-filter=D', '--format=%H', `-n${MAX_COMMITS}`];
      const commits = (await git(['--literal-pathspecs', ...tookAway, '--', ...paths]))
        .toString()
        .split('\n');
      const found = [parseRenames(await inTree)];
      for (const commit of new Set(commits.filter(Boolean)))
        found.push(parseRenames(await git(['show', '--format=', ...renamed, commit, '--', '.'])));
      const isWanted = (from: string): boolean =>
        paths.some((path) => from === path || from.startsWith(`${path}/`));
      return found.flat().filter(({ from }) => isWanted(from));
    },
    async entriesEverywhere() {
      if (!isInRepository(root)) return [];
      const prefix = (await line(['rev-parse', '--show-prefix'])) ?? '';
      const [onBranches, inWorktrees] = await Promise.all([
        branchEntries(git, prefix),
        worktreeEntries(git, prefix),
      ]);
      return [...onBranches, ...inWorktrees];
    },
  };
}

/** `R100`, the old name and the new one, each ended by NUL. */
function parseRenames(output: Buffer): { from: string; to: string }[] {
  const parts = output.toString('utf8').split('\0');
  const found: { from: string; to: string }[] = [];
  for (let at = 0; at + 2 < parts.length; at += 3) {
    const [from, to] = [parts[at + 1], parts[at + 2]];
    if (parts[at]?.trim().startsWith('R') && from && to) found.push({ from, to });
  }
  return found;
}

/** The first place in a sorted list whose text is not before this one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Spares a folder outside of git the processes that would find nothing. */
function isInRepository(root: string): boolean {
  return process.env['GIT_DIR'] !== undefined || findUp(root, '.git') !== undefined;
}

type Run = (args: readonly string[], input?: string) => Promise<Buffer>;

/** Three processes, however many branches there are: tips, the trees they have, and what is in each different tree. */
async function branchEntries(git: Run, prefix: string): Promise<string[]> {
  const tips = (
    await git(['for-each-ref', '--format=%(objectname)', 'refs/heads', 'refs/remotes'])
  ).toString();
  const commits = [...new Set(tips.split('\n').filter(Boolean))];
  if (commits.length === 0) return [];
  const names = commits.flatMap((commit) => [
    `${commit}:${prefix}.learnings`,
    `${commit}:${prefix}.learnings/archive`,
  ]);
  const answers = (
    await git(['cat-file', '--batch-check'], names.map((name) => `${name}\n`).join(''))
  ).toString();
  const trees = new Set([...answers.matchAll(/^([0-9a-f]+) tree /gm)].map(([, oid]) => oid ?? ''));
  return parseTrees(await git(['cat-file', '--batch'], [...trees].map((oid) => `${oid}\n`).join('')));
}

/** The names in git's raw tree objects: `<oid> tree <size>\n`, then entries of `<mode> <name>\0<binary oid>`. */
function parseTrees(output: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; at < output.length;) {
    const headerEnd = output.indexOf(10, at);
    const [oid = '', , size = '0'] = output.toString('latin1', at, headerEnd).split(' ');
    const end = headerEnd + 1 + Number(size);
    for (let entry = headerEnd + 1; entry < end;) {
      const nul = output.indexOf(0, entry);
      names.push(output.toString('utf8', output.indexOf(32, entry) + 1, nul));
      entry = nul + 1 + oid.length / 2;
    }
    at = end + 1;
  }
  return names;
}

/** What other worktrees have taken and not committed yet. */
async function worktreeEntries(git: Run, prefix: string): Promise<string[]> {
  const list = (await git(['worktree', 'list', '--porcelain'])).toString();
  const folders = [...list.matchAll(/^worktree (.+)$/gm)].map(([, path]) =>
    join(path ?? '', prefix, '.learnings'),
  );
  const listed = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return listed.flat();
}

function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; input: string },
): Promise<Buffer> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // Not spawn's own limit: where there is no git, that would keep the process waiting for nothing.
    setTimeout(() => child.kill(), TIMEOUT_MS).unref();
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', () => resolve(Buffer.alloc(0)));
    child.once('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : Buffer.alloc(0)));
    child.stdin.on('error', () => undefined).end(options.input);
  });
}
