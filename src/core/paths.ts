/**
 * Brings a path as people, editors and agents write it (absolute, `file:` URI, backslashes, `./`) to the one form the
 * core knows: relative to the root, with `/`. Undefined if it lies outside.
 */
export function relativeTo(root: string, path: string): string | undefined {
  const plain = slashes(path.startsWith('file://') ? (fromFileUri(path) ?? '..') : path);
  const base = slashes(root).replace(/\/+$/, '');
  const below = isAbsolute(plain) ? withoutPrefix(plain, `${base}/`) : plain;
  if (below === undefined) return undefined;

  const segments: string[] = [];
  for (const segment of below.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

function withoutPrefix(path: string, prefix: string): string | undefined {
  const windows = /^[A-Za-z]:\//.test(prefix);
  const matches = windows ? path.toLowerCase().startsWith(prefix.toLowerCase()) : path.startsWith(prefix);
  return matches ? path.slice(prefix.length) : undefined;
}

function fromFileUri(uri: string): string | undefined {
  try {
    const path = decodeURIComponent(uri.replace(/^file:\/\/(localhost)?/, ''));
    return path.replace(/^\/([A-Za-z]:)/, '$1');
  } catch {
    // A percent sign that encodes nothing: no file has this address.
    return undefined;
  }
}
