import { LearningsError, type FileSystem } from '../../src/core/api';

/** A file system that is an object: path to text. */
export function memoryFileSystem(files: Record<string, string>): FileSystem {
  return {
    readText(path) {
      const text = files[path];
      return text === undefined
        ? Promise.reject(new LearningsError('not-found', `${path} does not exist.`))
        : Promise.resolve(text);
    },
    list(folder) {
      const below = Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
      const names = below.map((path) => path.slice(folder.length + 1).split('/'));
      return Promise.resolve(
        [...new Set(names.map(([first]) => first ?? ''))].map((name) => ({
          name,
          kind: names.some(([first, ...rest]) => first === name && rest.length > 0) ? 'folder' : 'file',
        })),
      );
    },
  };
}

/** The text of a record, with only what the test is about spelled out. */
export function recordText(
  id: string,
  fields: { summary?: string; scope?: object; [key: string]: unknown } = {},
): string {
  const record = { id, schemaVersion: 1, summary: `About ${id}.`, scope: { paths: ['**'] }, ...fields };
  return JSON.stringify(record, null, 2);
}
