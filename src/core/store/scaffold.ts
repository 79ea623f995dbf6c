import type { FileSystem } from '../ports';
import { scaffolding, STORE } from './layout';
import { readText } from './surgery';

interface Lack {
  readonly file: string;
  /** The line that git needs and the file does not have. */
  readonly line: string;
  /** The file as it should be. */
  readonly text: string;
  readonly isNew: boolean;
}

/** What git does not know of the store yet. */
export async function findLacks(files: FileSystem): Promise<Lack[]> {
  const lacks: Lack[] = [];
  for (const [name, line] of Object.entries(scaffolding)) {
    const file = `${STORE}/${name}`;
    const isNew = (await files.stat(file))?.kind !== 'file';
    const old = isNew ? '' : await readText(files, file);
    if (old.split('\n').some((one) => one.trim() === line)) continue;
    const glue = old === '' || old.endsWith('\n') ? '' : '\n';
    lacks.push({ file, line, isNew, text: `${old}${glue}${line}\n` });
  }
  return lacks;
}
