/** What the core needs of the world. Hosts hand it in; `src/node` has the real ones. */

interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'other';
}

/** Files below one root. Paths are relative to it and use `/` on every platform. */
export interface FileSystem {
  /** Rejects with a `not-found` LearningsError if there is no such file. */
  readText(path: string): Promise<string>;
  /** The entries of a folder; empty if there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
}
