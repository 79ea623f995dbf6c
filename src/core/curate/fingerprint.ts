import { parseDocument } from 'yaml';

import { LearningsError } from '../errors';
import type { FileSystem, Hash } from '../ports';
import { readIfThere } from '../store/files';
import { guardText } from '../yaml/guard';

interface Ports {
  readonly files: FileSystem;
  readonly hash: Hash;
}

/**
 * The hash of what an input stands for now: a file (`Makefile`), the names in a folder (`tests/`), or one value of a
 * JSON or YAML file (`package.json#scripts.test`). Undefined if there is no such thing.
 */
export async function fingerprintOf(ports: Ports, input: string): Promise<string | undefined> {
  const [path = '', key] = input.split('#', 2);
  if (path === '' || path.startsWith('/') || /^[a-z]:|\\/i.test(path) || path.split('/').includes('..')) {
    throw new LearningsError(
      'input-invalid',
      `"${input}" is not a file below the root, such as package.json.`,
    );
  }
  const digest = (bytes: Uint8Array): string => `sha256:${ports.hash.sha256(bytes)}`;
  if (path.endsWith('/')) {
    const names = (await ports.files.list(path.slice(0, -1))).map(({ name }) => name).toSorted();
    return names.length > 0 ? digest(new TextEncoder().encode(names.join('\n'))) : undefined;
  }
  if ((await ports.files.stat(path))?.kind !== 'file') return undefined;
  const bytes = await readIfThere(ports.files, path);
  if (!bytes || key === undefined) return bytes && digest(bytes);
  const value = pick(parseData(bytes, path), key.split('.'));
  return value === undefined ? undefined : digest(new TextEncoder().encode(JSON.stringify(value)));
}

function parseData(bytes: Uint8Array, path: string): unknown {
  try {
    if (path.endsWith('.json')) return JSON.parse(new TextDecoder('utf-8').decode(bytes));
    const guarded = guardText(bytes, path);
    return 'text' in guarded ? parseDocument(guarded.text).toJS() : undefined;
  } catch {
    return undefined;
  }
}

function pick(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
        ? (inner as Record<string, unknown>)[key]
        : undefined,
    value,
  );
}
