import { basename } from 'node:path';

/** What a resource is about. */
export type Address =
  | { readonly kind: 'status' }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'learning'; readonly id: string; readonly repository: string | undefined };

export const STATUS = 'learnings://status';
export const LEARNING_TEMPLATE = 'learnings://{id}';
export const FILE_TEMPLATE = 'learnings://file/{+path}';

/** The address of a learning; the root is said where several repositories are open. */
export function addressOf(id: string, root?: string): string {
  const query = root === undefined ? '' : `?repository=${encodeURIComponent(basename(root))}`;
  // The slash of `store/L-0001` is encoded, or a store called `file` would be taken for files.
  return `learnings://${encodeURIComponent(id)}${query}`;
}

/** Undefined for what is no address of ours. */
export function parseAddress(uri: string): Address | undefined {
  const [, scheme = '', place = '', query = ''] = /^(learnings:\/\/)([^?#]*)(?:\?([^#]*))?/i.exec(uri) ?? [];
  const plain = decoded(place);
  if (scheme === '' || plain === undefined || plain === '') return undefined;
  if (/^status\/?$/i.test(place)) return { kind: 'status' };
  const [, path] = /^file\/(.+)$/is.exec(place) ?? [];
  if (path !== undefined) return { kind: 'file', path: decoded(path) ?? path };
  return {
    kind: 'learning',
    id: plain,
    repository: new URLSearchParams(query).get('repository') ?? undefined,
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
