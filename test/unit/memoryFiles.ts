import { ioError, LearningsError, type FileSystem } from '../../src/core/api';

/** Called before each change or read: throw to make it fail. `step` counts the calls. */
type Fault = (call: { step: number; verb: string; path: string }) => void;

export interface MemoryFiles extends FileSystem {
  /** Every file, path to text; folders are not listed. */
  snapshot(): Record<string, string>;
  put(path: string, text: string): void;
  /** Puts a symbolic link there, in place of whatever was. */
  putLink(path: string): void;
  /** How many calls have been made. */
  readonly calls: number;
  fault: Fault;
}

type Node = Uint8Array | 'folder' | 'link';

/** A file system that is a map, with the same promises as the real one and faults on request. */
export function memoryFileSystem(initial: Record<string, string> = {}): MemoryFiles {
  const nodes = new Map<string, Node>();
  const modified = new Map<string, number>();
  let calls = 0;
  let changes = 0;
  // Every change is later than the one before, as on a disk whose clock is fine enough.
  const touch = (path: string): void => void modified.set(path, ++changes);

  const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const put = (path: string, text: string): void => {
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) nodes.set(parent, 'folder');
    nodes.set(path, new TextEncoder().encode(text));
    touch(path);
  };
  for (const [path, text] of Object.entries(initial)) put(path, text);

  const fail = (errno: string, verb: string, path: string): never => {
    throw ioError(errno, { verb, path });
  };
  const needParent = (verb: string, path: string): void => {
    const parent = parentOf(path);
    if (parent !== '' && nodes.get(parent) !== 'folder') fail('ENOENT', verb, path);
  };
  const bytesOf = (verb: string, path: string): Uint8Array => {
    const node = nodes.get(path);
    if (node === undefined) return fail('ENOENT', verb, path);
    return typeof node === 'string' ? fail('EISDIR', verb, path) : node;
  };
  const below = (path: string): string[] =>
    [...nodes.keys()].filter((key) => path === '' || key.startsWith(`${path}/`));

  const files: MemoryFiles = {
    fault: () => undefined,
    get calls() {
      return calls;
    },
    snapshot: () =>
      Object.fromEntries(
        [...nodes].flatMap(([path, node]) =>
          typeof node === 'string' ? [] : [[path, new TextDecoder().decode(node)]],
        ),
      ),
    put,
    putLink(path) {
      nodes.set(path, 'link');
    },
    read: (path) => step('read', path, () => bytesOf('read', path)),
    stat: (path) =>
      step('stat', path, () => {
        const node = nodes.get(path);
        if (node === undefined) return undefined;
        return typeof node === 'string'
          ? { kind: node, size: 0, modifiedMs: 0 }
          : { kind: 'file', size: node.length, modifiedMs: modified.get(path) ?? 0 };
      }),
    statAll: (paths) => Promise.all(paths.map((path) => files.stat(path).catch(asResult))),
    readAll: (paths) => Promise.all(paths.map((path) => files.read(path).catch(asResult))),
    list: (folder) =>
      step('list', folder, () =>
        below(folder)
          .filter((path) => parentOf(path) === folder)
          .map((path) => {
            const node = nodes.get(path);
            return {
              name: path.slice(path.lastIndexOf('/') + 1),
              kind: typeof node === 'string' ? node : 'file',
            };
          }),
      ),
    makeFolder: (path) =>
      step('makeFolder', path, () => {
        if (nodes.has(path)) return false;
        needParent('create', path);
        nodes.set(path, 'folder');
        return true;
      }),
    writeNew: (path, bytes) =>
      step('writeNew', path, () => {
        needParent('write', path);
        if (nodes.has(path)) fail('EEXIST', 'write', path);
        nodes.set(path, bytes.slice());
        touch(path);
      }),
    append: (path, bytes) =>
      step('append', path, () => {
        needParent('append to', path);
        const old = nodes.has(path) ? bytesOf('append to', path) : new Uint8Array();
        nodes.set(path, new Uint8Array([...old, ...bytes]));
        touch(path);
      }),
    rename: (from, to) =>
      step('rename', from, () => {
        const node = nodes.get(from) ?? fail('ENOENT', 'rename', from);
        needParent('rename', to);
        for (const path of below(from)) {
          nodes.set(to + path.slice(from.length), nodes.get(path) ?? 'folder');
          modified.set(to + path.slice(from.length), modified.get(path) ?? 0);
          nodes.delete(path);
        }
        nodes.delete(from);
        nodes.set(to, node);
        modified.set(to, modified.get(from) ?? 0);
      }),
    link: (from, to) =>
      step('link', to, () => {
        if (nodes.has(to)) return false;
        nodes.set(to, bytesOf('link', from));
        return true;
      }),
    remove: (path) =>
      step('remove', path, () => {
        nodes.delete(path);
      }),
    removeFolder: (path) => step('removeFolder', path, () => below(path).length === 0 && nodes.delete(path)),
    flushFolder: (path) => step('flushFolder', path, () => undefined),
  };

  async function step<T>(verb: string, path: string, run: () => T): Promise<T> {
    // As on a disk, nothing happens at once.
    await Promise.resolve();
    calls++;
    files.fault({ step: calls, verb, path });
    return run();
  }
  return files;
}

function asResult(error: unknown): LearningsError {
  if (error instanceof LearningsError) return error;
  throw error;
}

/** The text of a record, with only what the test is about spelled out. */
export function recordText(id: string, fields: Record<string, unknown> = {}): string {
  const record = { id, schemaVersion: 1, summary: `About ${id}.`, scope: { paths: ['**'] }, ...fields };
  return JSON.stringify(record, null, 2);
}
