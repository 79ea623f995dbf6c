import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

/**
 * A path as somebody types it in a folder below the root: `../a.ts`, or `a.ts` where that is a file here and not at
 * the root, is taken from here; everything else from the root, as learnings write it.
 */
export function fromHere(path: string, { cwd, root }: { cwd: string; root: string }): string {
  if (isAbsolute(path) || path.startsWith('file:')) return path;
  const here = resolve(cwd, path);
  const meansHere = /^\.\.?[/\\]/.test(path) || (existsSync(here) && !existsSync(resolve(root, path)));
  return meansHere ? relative(root, here) || path : path;
}
