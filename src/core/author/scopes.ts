import { nameOf, parentOf } from '../store/layout';

/** A pattern that somebody may want, with what it means. */
export interface ScopeProposal {
  readonly pattern: string;
  readonly means: 'file' | 'folder' | 'kindHere' | 'kindEverywhere' | 'everything';
  /** The name of the file or folder, or the kind of file, such as `*.test.ts`. */
  readonly what: string;
}

const MAX_PROPOSALS = 12;
const everything: ScopeProposal = { pattern: '**', means: 'everything', what: '' };

/** The patterns that a path suggests, the closest first. It is relative to the root. */
export function proposeScopes(
  path: string,
  { isFolder = false }: { readonly isFolder?: boolean } = {},
): readonly ScopeProposal[] {
  if (isFolder) return path === '' ? [everything] : [folderProposal(path)];
  const folder = parentOf(path);
  const kind = kindOf(nameOf(path));
  // At the root, what lies below is everything, so there it is this folder alone.
  const kindHere = folder === '' ? `/${kind}` : rooted(`${escaped(folder)}/**/${kind}`);
  return unique([
    { pattern: rooted(escaped(path)), means: 'file', what: nameOf(path) },
    folder === '' ? everything : folderProposal(folder),
    { pattern: kindHere, means: 'kindHere', what: kind },
    { pattern: `**/${kind}`, means: 'kindEverywhere', what: kind },
  ]);
}

/** The patterns that several files suggest together, as those of a commit. */
export function proposeScopesOfFiles(paths: readonly string[]): readonly ScopeProposal[] {
  const [first] = paths;
  if (first === undefined || paths.length === 1) return first === undefined ? [] : proposeScopes(first);
  const shared = sharedFolder(paths);
  const kinds = [...new Set(paths.map((path) => kindOf(nameOf(path))))];
  const [kind] = kinds;
  return unique([
    ...(shared === '' ? [] : [folderProposal(shared)]),
    ...(kind !== undefined && kinds.length === 1
      ? [{ pattern: `**/${kind}`, means: 'kindEverywhere' as const, what: kind }]
      : []),
    ...[...new Set(paths.map(parentOf))]
      .filter((folder) => folder !== '' && folder !== shared)
      .map((folder) => folderProposal(folder)),
    ...paths.map((path) => ({ pattern: rooted(escaped(path)), means: 'file' as const, what: nameOf(path) })),
  ]).slice(0, MAX_PROPOSALS);
}

/** The patterns for somebody who points at nothing: everything, and the folders at the root with most files first. */
export function proposeTopFolders(files: readonly string[]): readonly ScopeProposal[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const slash = file.indexOf('/');
    if (slash > 0) counts.set(file.slice(0, slash), (counts.get(file.slice(0, slash)) ?? 0) + 1);
  }
  const folders = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  return [everything, ...folders.map(folderProposal)].slice(0, MAX_PROPOSALS);
}

const folderProposal = (folder: string): ScopeProposal => ({
  pattern: rooted(`${escaped(folder)}/**`),
  means: 'folder',
  what: folder,
});

/** `*.test.ts` for `a.test.ts`; the name itself for one without an ending, or which begins with a dot. */
function kindOf(name: string): string {
  const [, ending] = /^[^.].*?((?:\.[a-z]{1,12})?\.[^.]+)$/.exec(name) ?? [];
  return ending === undefined ? escaped(name) : `*${escaped(ending)}`;
}

/** Without a slash it would match at any depth, and an exclamation mark at its beginning would take away. */
const rooted = (pattern: string): string =>
  pattern.includes('/') && !pattern.startsWith('!') ? pattern : `/${pattern}`;

/** Brackets and most parentheses match themselves and are better read as they are. */
const escaped = (path: string): string =>
  path.replaceAll(/[*?{\\]|[@+!*?]?\((?=[^)]*[|)])/g, escapeIfSpecial);

function escapeIfSpecial(found: string): string {
  if (found === '(') return found;
  return found.endsWith('(') ? `${escapeIfSpecial(found[0] ?? '')}\\(` : `\\${found}`;
}

function sharedFolder(paths: readonly string[]): string {
  let shared = parentOf(paths[0] ?? '').split('/');
  for (const path of paths) {
    const folders = parentOf(path).split('/');
    const differs = shared.findIndex((name, index) => folders[index] !== name);
    if (differs >= 0) shared = shared.slice(0, differs);
  }
  return shared.join('/');
}

function unique(proposals: readonly ScopeProposal[]): readonly ScopeProposal[] {
  const seen = new Set<string>();
  return proposals.filter(({ pattern }) => !seen.has(pattern) && seen.add(pattern));
}
