import { existsSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import { LearningsError, type Learnings } from '../../core/api';
import { pathOf } from '../activeFile';
import type { Question } from './question';

/** A file that somebody asks about. */
export interface AskedFile {
  readonly store: Learnings;
  /** Relative to the root. */
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** The files of attached references, in the order in which they were attached. */
export function attachedFiles({ surface, request }: Question): AskedFile[] {
  const uris = request.references.flatMap(({ value }) =>
    value instanceof vscode.Uri ? [value] : value instanceof vscode.Location ? [value.uri] : [],
  );
  const seen = new Set<string>();
  return uris.toReversed().flatMap((uri) => {
    if (seen.has(uri.toString())) return [];
    seen.add(uri.toString());
    return placed(surface, uri);
  });
}

export function activeFile({ surface }: Question): AskedFile[] {
  const { uri } = surface.activeFile;
  return uri ? placed(surface, uri) : [];
}

function placed({ workspace }: Question['surface'], uri: vscode.Uri): AskedFile[] {
  const found = pathOf(uri) === undefined ? undefined : workspace.findForFile(uri, 0);
  if (!found || found.path.startsWith('.learnings/')) return [];
  return [{ store: found.store, path: found.path, uri }];
}

/** Files that a text names: by their path, or by a name that only one file has. */
export async function namedFiles({ surface: { workspace } }: Question, text: string): Promise<AskedFile[]> {
  const words = text.split(/[\s"'`]+/).flatMap((word) => word.replace(/^[(#]+|[),;:?!]+$/g, '') || []);
  const found: AskedFile[] = [];
  for (const store of workspace.all()) {
    const at = (path: string): AskedFile => ({ store, path, uri: vscode.Uri.file(join(store.root, path)) });
    const files = await workspace.listFiles(store.root).catch((): readonly string[] => []);
    for (const word of words) {
      const plain = word.replaceAll('\\', '/').replace(/^\.\//, '');
      if (plain === '' || plain.includes('..')) continue;
      const exact = files.includes(plain) || (plain.includes('.') && existsSync(join(store.root, plain)));
      const alike = exact ? [plain] : files.filter((file) => file.endsWith(`/${plain}`));
      if (alike.length === 1) found.push(...alike.map(at));
      else if (alike.length === 0 && /^[\w@.-]+\/[\w@./-]+\.\w+$/.test(plain)) found.push(at(plain));
    }
  }
  return found;
}

/** The repository that is meant: that of a file, or the only one that is open. */
export function storeFor({ surface: { workspace } }: Question, files: readonly AskedFile[]): Learnings {
  const stores = workspace.all();
  const store = files[0]?.store ?? (stores.length === 1 ? stores[0] : undefined);
  if (store) return store;
  throw new LearningsError(
    stores.length === 0 ? 'no-store' : 'input-invalid',
    stores.length === 0
      ? vscode.l10n.t(
          'Nothing has been learned about this folder yet. Run “Learnings: Start Keeping Learnings Here” first.',
        )
      : vscode.l10n.t('Several repositories are open. Attach a file of the one that is meant.'),
  );
}
