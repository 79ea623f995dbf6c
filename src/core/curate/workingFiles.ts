import type { FileSystem, Git } from '../ports';

const MAX_FILES = 200_000;
const skipped = new Set(['.git', '.learnings', 'node_modules']);

/** The files below the root, relative to it: those that git has or would add, or all where there is no git to ask. */
export async function listWorkingFiles({
  files,
  git,
}: {
  readonly files: FileSystem;
  readonly git?: Git | undefined;
}): Promise<readonly string[]> {
  return (await git?.workingFiles()) ?? (await walk(files));
}

async function walk(files: FileSystem): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined && found.length < MAX_FILES; folder = folders.pop()) {
    // What may not be looked into is passed over: the rest still tells most of it.
    const entries = await files.list(folder).catch(() => []);
    for (const { name, kind } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file') found.push(path);
      if (kind === 'folder' && !skipped.has(name)) folders.push(path);
    }
  }
  return found;
}
