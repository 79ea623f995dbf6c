import type { LearningsError } from './errors';

/** What the core needs of the world. Hosts hand it in; `src/node` has the real ones. */

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

export interface FileStat {
  readonly kind: EntryKind;
  readonly size: number;
  readonly modifiedMs: number;
}

/**
 * Files below one root. Paths are relative to it and use `/` on every platform; links are never followed by `stat` and
 * `list`. Everything rejects with a LearningsError: `not-found`, or `io` with what to do.
 */
export interface FileSystem {
  read(path: string): Promise<Uint8Array>;
  /** Undefined if there is nothing there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Many at once, each with its own outcome; far quicker than one by one. */
  statAll(paths: readonly string[]): Promise<readonly (FileStat | LearningsError | undefined)[]>;
  readAll(paths: readonly string[]): Promise<readonly (Uint8Array | LearningsError)[]>;
  /** The entries of a folder; empty if there is no such folder. */
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** Makes a folder; false if it was there already. Of several callers at once, exactly one gets true. */
  makeFolder(path: string): Promise<boolean>;
  /** Creates a file that must not exist yet and writes it; durable unless it need not outlive the machine's next crash. */
  writeNew(path: string, bytes: Uint8Array, options?: { readonly fleeting: boolean }): Promise<void>;
  /** Appends by a single write and flushes. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Atomic; replaces a file that is there. */
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; false if the name is taken. Of several callers at once, exactly one gets true. */
  link(from: string, to: string): Promise<boolean>;
  /** Removes a file; nothing happens if it is not there. */
  remove(path: string): Promise<void>;
  /** Removes a folder if it is empty; false if it is not. */
  removeFolder(path: string): Promise<boolean>;
  /** Makes names in a folder durable, where the platform can. */
  flushFolder(path: string): Promise<void>;
}

/** A file that several processes add lines to. Nothing about it fails: what cannot be read or written is not there. */
export interface Journal {
  read(): string;
  /** Adds one line by a single write; false if that was not possible. */
  append(line: string): boolean;
}

export interface Clock {
  now(): Date;
  sleep(ms: number): Promise<void>;
}

/** Who runs here, so that what a dead process left behind can be told from what a living one holds. */
export interface Processes {
  /** Names this process among all that ever ran on machines that share the store. */
  readonly self: ProcessIdentity;
  /** False only if it is certain that the process can never act again. */
  mayBeAlive(identity: ProcessIdentity): boolean;
}

export interface ProcessIdentity {
  readonly pid: number;
  /** Differs between two processes that had the same pid. */
  readonly started: string;
  /** Machine, boot and process namespace: only within one of them can a pid be looked up. */
  readonly machine: string;
}

/** What a merge left of a file: both sides edited it, each added its own, or one edited what the other removed. */
export type Conflict = 'edited' | 'added' | 'removed';

/** What git knows; every method answers with nothing where git is absent or this is no repository. */
export interface Git {
  /** Names of the entries of `.learnings` on every local and remote-tracking branch and in every worktree. */
  entriesEverywhere(): Promise<readonly string[]>;
  /** Files, relative to the root, that a merge left in conflict. */
  conflicts(): Promise<ReadonlyMap<string, Conflict>>;
  /** The text that both sides of a conflict began with. */
  base(path: string): Promise<string | undefined>;
  /** Files of the working tree, relative to the root, that git has or would add; undefined where git cannot say. */
  workingFiles(): Promise<readonly string[] | undefined>;
  /** Which of these commits the branch does not have; undefined where its history is not all here. */
  missingCommits(commits: readonly string[]): Promise<readonly string[] | undefined>;
  /** New names of files that were at or below these paths, by the working tree and by the commits that took them away. */
  renames(paths: readonly string[]): Promise<readonly { readonly from: string; readonly to: string }[]>;
  branch(): Promise<string | undefined>;
  userName(): Promise<string | undefined>;
}

export interface Random {
  /** Lower-case hexadecimal digits. */
  hex(digits: number): string;
}

/** Finds passwords, tokens and keys. */
export interface Secrets {
  /** What each is, as in `a GitHub token`, and where it starts; never the secret itself. */
  find(text: string): Promise<readonly { readonly what: string; readonly offset: number }[]>;
}

export interface Hash {
  /** Of bytes, as lower-case hexadecimal digits. */
  sha256(bytes: Uint8Array): string;
  /** The same in a third of the time, 40 digits: tells what was damaged by accident, not what an enemy made. */
  quick(bytes: Uint8Array): string;
}
