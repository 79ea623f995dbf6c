import * as z from 'zod';

import { isAboutOne, LearningsError } from '../errors';
import type { Clock, FileSystem, Git, Processes, Random, Secrets } from '../ports';
import { parseRecord } from '../record/parse';
import { once } from '../once';
import { idSchema, type LearningRecord } from '../record/schema';
import { editYaml, type Change } from '../yaml/edit';
import { guardText } from '../yaml/guard';
import { makeFolders, readIfThere, replaceFile, sweepTemporaries } from './files';
import {
  ARCHIVE,
  CACHE,
  CANDIDATES,
  folderOf,
  formatId,
  isRecordId,
  LOCKS,
  numberOf,
  parentOf,
  PENDING,
  recordFile,
  STORE,
  TEMPORARY,
  votesFile,
} from './layout';
import { sweepLocks, withLock } from './lock';
import { joinVotes } from './votes';

export interface StorePorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly random: Random;
  readonly git: Git;
  readonly secrets: Secrets;
}

const PATIENCE_MS = 30_000;
/** What a note of ours is called; anything else in the folder is somebody else's. */
const NOTE = /^[0-9a-f]{16}\.json$/;

const pendingSchema = once(() => {
  const id = idSchema();
  return z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('supersede'), old: id, by: id }),
    z.object({ kind: z.literal('promote'), candidate: id, id }),
  ]);
});
/** What must still be done if a writer dies after its commit point. */
export type Pending = Readonly<z.infer<ReturnType<typeof pendingSchema>>>;

interface Found {
  readonly text: string;
  /** Undefined if the text is no record. */
  readonly record: LearningRecord | undefined;
}

/** The steps that every operation on a store is made of. Those that change something are for use inside `write`. */
export interface Writer {
  readonly files: FileSystem;
  /** The time, as records write it. */
  now(): string;
  /** Takes the lock, finishes what a dead writer began, and then works. */
  write<T>(work: () => Promise<T>): Promise<T>;
  find(folder: string): Promise<Found | undefined>;
  mustFind(folder: string, id: string): Promise<Found & { readonly record: LearningRecord }>;
  /** Writes a record's text, after making sure that it will be read again as a record. */
  writeRecord(folder: string, text: string): Promise<void>;
  /** Takes the next free id by making its folder in `place`, which the file system gives to one caller only. */
  allocate(elsewhere: readonly string[], place?: string): Promise<string>;
  /** Writes the first text of a record whose folder was just taken; if that fails, the id is free again. */
  createWith(folder: string, text: string): Promise<void>;
  commitAndFinish(pending: readonly Pending[], commit: () => Promise<void>): Promise<void>;
  markSuperseded(id: string, by: string): Promise<void>;
  removeRecord(folder: string): Promise<void>;
  moveVotes(from: string, to: string): Promise<void>;
  /** Makes sure that a folder can be moved there; refuses if something is. */
  makeRoom(folder: string): Promise<void>;
  moveFolder(from: string, to: string): Promise<void>;
  replaceFile(path: string, text: string): Promise<void>;
}

export function openWriter(ports: StorePorts, prefix: 'L' | 'P'): Writer {
  const { files, clock, random } = ports;
  const now = (): string =>
    clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');

  async function write<T>(work: () => Promise<T>): Promise<T> {
    await refuseLinks();
    return withLock(ports, { folder: LOCKS, patienceMs: PATIENCE_MS }, async () => {
      await heal();
      return work();
    });
  }

  /** A folder that is a link would lead every write below it to somewhere else. */
  async function refuseLinks(): Promise<void> {
    for (const folder of [STORE, CACHE, TEMPORARY, LOCKS, PENDING, ARCHIVE, CANDIDATES]) {
      if ((await files.stat(folder))?.kind !== 'link') continue;
      throw new LearningsError(
        'refused',
        `${folder} is a symbolic link, and links are not followed. Put the folder itself there.`,
      );
    }
  }

  async function heal(): Promise<void> {
    await sweepTemporaries(files);
    await sweepLocks(ports, LOCKS);
    for (const { name, kind } of await files.list(PENDING)) {
      if (kind !== 'file' || !NOTE.test(name)) continue;
      const note = `${PENDING}/${name}`;
      await settle(note, parsePending(await readIfThere(files, note)));
    }
  }

  /**
   * Does what a note says and takes it away. Where a record itself stands in the way, the note goes all the same: every
   * reader derives the outcome from the successor, and one record must not stop every later write.
   */
  async function settle(note: string, pending: Pending | undefined): Promise<void> {
    try {
      if (pending) await finish(pending);
    } catch (error) {
      if (!isAboutOne(error)) throw error;
    }
    await files.remove(note);
  }

  async function finish(pending: Pending): Promise<void> {
    if (pending.kind === 'supersede') {
      const successor = await find(folderOf(pending.by));
      if (successor?.record?.supersedes.includes(pending.old)) await markSuperseded(pending.old, pending.by);
    } else if (await files.stat(recordFile(folderOf(pending.id)))) {
      await moveVotes(folderOf(pending.candidate), folderOf(pending.id));
      await removeRecord(folderOf(pending.candidate));
    }
  }

  /**
   * Does something in two steps of which the first is the commit point. What follows is noted down before, so that the
   * next writer finishes it if this one cannot: the caller is told of success as soon as it is certain.
   */
  async function commitAndFinish(pending: readonly Pending[], commit: () => Promise<void>): Promise<void> {
    const notes = pending.map(() => `${PENDING}/${random.hex(16)}.json`);
    // Looks at what is there, so it is right whether the commit came about or not: the very last step of one can fail.
    const followUp = async (): Promise<void> => {
      for (const [index, note] of notes.entries()) await settle(note, pending[index]);
    };
    try {
      await makeFolders(files, PENDING);
      for (const [index, note] of notes.entries())
        await replaceFile(ports, note, JSON.stringify(pending[index]));
      await commit();
    } finally {
      // If this fails, the notes are still there, and every reader already sees the outcome.
      await followUp().catch(() => undefined);
    }
  }

  async function find(folder: string): Promise<Found | undefined> {
    for (const [path, kind] of [
      [folder, 'folder'],
      [recordFile(folder), 'file'],
    ] as const) {
      if ((await files.stat(path))?.kind !== kind) return undefined;
    }
    const bytes = await readIfThere(files, recordFile(folder));
    if (!bytes) return undefined;
    const guarded = guardText(bytes, recordFile(folder));
    return {
      text: 'text' in guarded ? guarded.text : '',
      record: parseRecord(bytes, recordFile(folder)).record,
    };
  }

  async function mustFind(folder: string, id: string): Promise<{ text: string; record: LearningRecord }> {
    const found = await find(folder);
    if (!found)
      throw new LearningsError('not-found', `No learning ${id}. Run learnings list to see what there is.`);
    if (!found.record) {
      throw new LearningsError(
        'record-invalid',
        `${recordFile(folder)} cannot be read. Run learnings sync to see what is wrong with it.`,
      );
    }
    return { text: found.text, record: found.record };
  }

  async function writeRecord(folder: string, text: string): Promise<void> {
    const { record, problems } = parseRecord(new TextEncoder().encode(text), recordFile(folder));
    // A warning is about what was there before: what comes in was looked at on the way.
    const problem = problems.find(({ severity }) => severity === 'error');
    if (!record || problem) {
      throw new LearningsError(
        'record-invalid',
        `${recordFile(folder)}: ${problem?.message ?? 'not a record'}. ${problem?.hint ?? ''}`,
      );
    }
    await replaceFile(ports, recordFile(folder), text);
  }

  async function allocate(elsewhere: readonly string[], place: string = STORE): Promise<string> {
    const here = [...(await files.list(STORE)), ...(await files.list(ARCHIVE))].map(({ name }) => name);
    const taken = [...here, ...elsewhere].filter((name) => isRecordId(name) && name.startsWith(prefix));
    let number = taken.reduce((highest, name) => Math.max(highest, numberOf(name)), 0) + 1;
    while (!(await files.makeFolder(`${place}/${formatId(prefix, number)}`))) number++;
    return formatId(prefix, number);
  }

  async function createWith(folder: string, text: string): Promise<void> {
    try {
      await writeRecord(folder, text);
    } catch (error) {
      await files.removeFolder(folder).catch(() => false);
      throw error;
    }
    await files.flushFolder(parentOf(folder));
  }

  async function markSuperseded(id: string, by: string): Promise<void> {
    const found = await find(folderOf(id));
    if (!found?.record || (found.record.status === 'superseded' && found.record.supersededBy === by)) return;
    const changes: Change[] = [
      [['status'], 'superseded'],
      [['superseded_by'], by],
      [['updated_at'], now()],
    ];
    await writeRecord(folderOf(id), editYaml(found.text, changes));
  }

  /** The votes of one record, put with those of another. They are never gone from both places. */
  async function moveVotes(from: string, to: string): Promise<void> {
    const [source, target] = [votesFile(from), votesFile(to)];
    if ((await files.stat(source))?.kind !== 'file') return;
    if (await files.stat(target)) {
      const known = await readIfThere(files, target);
      await replaceFile(ports, target, joinVotes(known, await files.read(source)));
      await files.remove(source);
    } else {
      await files.rename(source, target);
      await files.flushFolder(to);
    }
  }

  async function removeRecord(folder: string): Promise<void> {
    for (const file of [recordFile(folder), votesFile(folder)]) await files.remove(file);
    await files.removeFolder(folder);
  }

  async function makeRoom(folder: string): Promise<void> {
    const kind = (await files.stat(folder))?.kind;
    // What a writer leaves that dies between taking an id and writing the record.
    if (kind === undefined || (kind === 'folder' && (await files.removeFolder(folder)))) return;
    throw new LearningsError('refused', `${folder} is there already. Move it away first.`);
  }

  async function moveFolder(from: string, to: string): Promise<void> {
    await makeRoom(to);
    await makeFolders(files, parentOf(to));
    await files.rename(from, to);
    for (const path of [from, to]) await files.flushFolder(parentOf(path));
  }

  return {
    files,
    now,
    write,
    find,
    mustFind,
    writeRecord,
    allocate,
    createWith,
    commitAndFinish,
    markSuperseded,
    removeRecord,
    moveVotes,
    makeRoom,
    moveFolder,
    replaceFile: (path, text) => replaceFile(ports, path, text),
  };
}

function parsePending(bytes: Uint8Array | undefined): Pending | undefined {
  try {
    return bytes && pendingSchema().parse(JSON.parse(new TextDecoder('utf-8').decode(bytes)));
  } catch {
    return undefined;
  }
}
