import { LearningsError } from '../errors';
import type { Clock, FileSystem, Git, Processes, Random } from '../ports';
import { editYaml, renderYaml, sameValue, type Change } from '../record/edit';
import { guardText } from '../record/guard';
import { findHostile } from '../record/hostileText';
import { parseRecord } from '../record/parse';
import type { Evidence, LearningRecord } from '../record/schema';
import { makeFolders, readIfThere, replaceFile, sweepTemporaries } from './files';
import {
  ARCHIVE,
  CANDIDATES,
  folderOf,
  formatId,
  isCandidateId,
  isFlatRecord,
  isRecordId,
  LOCKS,
  numberOf,
  PENDING,
  recordFile,
  STORE,
  votesFile,
} from './layout';
import { sweepLocks, withLock } from './lock';
import { scanStore, type Scan } from './scan';
import { parseVotes, renderVote, voteKey, type Vote } from './votes';

export interface StorePorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly random: Random;
  readonly git: Git;
}

/** What somebody wants remembered. The store gives it its id and times. */
export interface NewLearning {
  readonly summary: string;
  readonly scope: {
    readonly paths?: readonly string[];
    readonly tags?: readonly string[];
    readonly symbols?: readonly string[];
  };
  readonly kind?: LearningRecord['kind'];
  readonly priority?: number;
  readonly confidence?: LearningRecord['confidence'];
  readonly rationale?: string;
  readonly body?: string;
  readonly evidence?: readonly Evidence[];
  readonly createdBy?: string;
  /** The records this one takes the place of. */
  readonly supersedes?: readonly string[];
}

export interface Store {
  read(): Promise<Scan>;
  /** Makes the folder and what git should know of it. Says which files are new. */
  init(): Promise<readonly string[]>;
  add(learning: NewLearning): Promise<string>;
  /** Keeps it as a candidate, which is not delivered until it is promoted. */
  propose(learning: NewLearning): Promise<string>;
  /** Changes fields. With `expected`, the text the caller saw, a field that somebody else changed since is not overwritten. */
  update(id: string, changes: readonly Change[], expected?: string): Promise<void>;
  supersede(id: string, by: string): Promise<void>;
  /** False if this voter has voted for it on this task before. */
  upvote(id: string, vote: Omit<Vote, 'at'>): Promise<{ added: boolean; count: number }>;
  archive(id: string, reason?: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Makes a candidate a learning and gives its new id. */
  promote(id: string): Promise<string>;
  reject(id: string, reason?: string): Promise<void>;
  /** Moves records of the old flat layout into folders. Gives their ids. */
  migrateLayout(): Promise<readonly string[]>;
}

const PATIENCE_MS = 30_000;

/** What must still be done if a writer dies after its commit point. */
type Pending =
  | { readonly kind: 'supersede'; readonly old: string; readonly by: string }
  | { readonly kind: 'promote'; readonly candidate: string; readonly id: string };

/** Opens the store for writing. Every operation takes the lock, finishes what a dead writer began, and then works. */
export function openStore(ports: StorePorts, options: { prefix: 'L' | 'P' } = { prefix: 'L' }): Store {
  const { files, clock, random } = ports;
  const now = (): string =>
    clock
      .now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');

  const write = <T>(work: () => Promise<T>): Promise<T> =>
    withLock(ports, { folder: LOCKS, patienceMs: PATIENCE_MS }, async () => {
      await heal();
      return work();
    });

  async function heal(): Promise<void> {
    await sweepTemporaries(files);
    await sweepLocks(ports, LOCKS);
    for (const { name } of await files.list(PENDING)) {
      const pending = parsePending(await readIfThere(files, `${PENDING}/${name}`));
      if (pending) await finish(pending);
      await files.remove(`${PENDING}/${name}`);
    }
  }

  async function finish(pending: Pending): Promise<void> {
    if (pending.kind === 'supersede') {
      const successor = await find(folderOf(pending.by));
      if (successor?.record?.supersedes.includes(pending.old)) await markSuperseded(pending.old, pending.by);
    } else if (await files.stat(recordFile(folderOf(pending.id)))) {
      await removeRecord(folderOf(pending.candidate));
    }
  }

  /**
   * Does something in two steps of which the first is the commit point. What follows is noted down before, so that the
   * next writer finishes it if this one cannot: the caller is told of success as soon as it is certain.
   */
  async function commitAndFinish(pending: readonly Pending[], commit: () => Promise<void>): Promise<void> {
    const notes = pending.map(() => `${PENDING}/${random.hex(16)}.json`);
    const forget = async (): Promise<void> => {
      for (const note of notes) await files.remove(note);
    };
    try {
      await makeFolders(files, PENDING);
      for (const [index, note] of notes.entries())
        await replaceFile(ports, note, JSON.stringify(pending[index]));
      await commit();
    } catch (error) {
      await forget().catch(() => undefined);
      throw error;
    }
    try {
      for (const one of pending) await finish(one);
      await forget();
    } catch {
      // The notes are still there; every reader already sees the outcome.
    }
  }

  async function find(
    folder: string,
  ): Promise<{ text: string; record: LearningRecord | undefined } | undefined> {
    const bytes =
      (await files.stat(recordFile(folder)))?.kind === 'file'
        ? await readIfThere(files, recordFile(folder))
        : undefined;
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

  /** Writes a record's text, after making sure that it will be read again as a record. */
  async function writeRecord(folder: string, text: string): Promise<void> {
    const { record, problems } = parseRecord(new TextEncoder().encode(text), recordFile(folder));
    const [problem] = problems;
    if (!record || problem) {
      throw new LearningsError(
        'record-invalid',
        `${problem?.message ?? 'not a record'}. ${problem?.hint ?? ''}`,
      );
    }
    await replaceFile(ports, recordFile(folder), text);
  }

  /** Takes the next free id by making its folder, which the file system gives to one caller only. */
  async function allocate(elsewhere: readonly string[]): Promise<string> {
    const here = [...(await files.list(STORE)), ...(await files.list(ARCHIVE))].map(({ name }) => name);
    const everywhere = [...here, ...elsewhere];
    let number =
      Math.max(0, ...everywhere.filter((name) => name.startsWith(`${options.prefix}-`)).map(numberOf)) + 1;
    while (!(await files.makeFolder(folderOf(formatId(options.prefix, number))))) number++;
    return formatId(options.prefix, number);
  }

  const create = (id: string, learning: NewLearning): Promise<void> =>
    createWith(id, renderYaml(newRecord(id, learning, now())));

  /** Writes the first text of a record whose folder was just taken; if that fails, the id is free again. */
  async function createWith(id: string, text: string): Promise<void> {
    const folder = folderOf(id);
    try {
      await writeRecord(folder, text);
    } catch (error) {
      await files.removeFolder(folder).catch(() => false);
      throw error;
    }
    await files.flushFolder(folder.slice(0, folder.lastIndexOf('/')));
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

  /**
   * Looks at the records concerned alone, so that it costs the same in a store of any size: what a dead writer left
   * undone has been finished by now, so their own texts are up to date.
   */
  async function checkSuperseded(ids: readonly string[], by: string | undefined): Promise<void> {
    for (const id of ids) {
      if (id === by) throw new LearningsError('refused', `${id} cannot supersede itself.`);
      const { record } = await mustFind(folderOf(id), id);
      if (record.status === 'superseded' && record.supersededBy !== by) {
        const successor = record.supersededBy ?? 'another';
        throw new LearningsError(
          'refused',
          `${id} is already superseded by ${successor}. Supersede ${successor} instead.`,
        );
      }
    }
    // Following the successors of the new one must not lead back to what it supersedes.
    const seen = new Set<string>();
    for (let next = by; next !== undefined && !seen.has(next);) {
      seen.add(next);
      next = (await find(folderOf(next)))?.record?.supersededBy;
      if (next !== undefined && ids.includes(next)) {
        throw new LearningsError(
          'refused',
          `${by ?? ''} is itself superseded by ${next}, so it cannot supersede it.`,
        );
      }
    }
  }

  async function removeRecord(folder: string): Promise<void> {
    for (const file of [recordFile(folder), votesFile(folder)]) await files.remove(file);
    await files.removeFolder(folder);
  }

  async function moveFolder(from: string, to: string): Promise<void> {
    if (await files.stat(to))
      throw new LearningsError('refused', `${to} is there already. Move it away first.`);
    await makeFolders(files, to.slice(0, to.lastIndexOf('/')));
    await files.rename(from, to);
    for (const path of [from, to]) await files.flushFolder(path.slice(0, path.lastIndexOf('/')));
  }

  return {
    read: () => scanStore(files),

    init: () =>
      write(async () => {
        const made: string[] = [];
        for (const [name, text] of Object.entries(scaffolding)) {
          const path = `${STORE}/${name}`;
          if (await files.stat(path)) continue;
          await replaceFile(ports, path, text);
          made.push(path);
        }
        return made;
      }),

    async add(learning) {
      checkInput(learning);
      const elsewhere = await ports.git.entriesEverywhere();
      return write(async () => {
        const supersedes = learning.supersedes ?? [];
        if (supersedes.length > 0) await checkSuperseded(supersedes, undefined);
        const id = await allocate(elsewhere);
        const pending = supersedes.map((old): Pending => ({ kind: 'supersede', old, by: id }));
        await commitAndFinish(pending, () => create(id, learning));
        return id;
      });
    },

    propose: (learning) =>
      write(async () => {
        checkInput(learning);
        await makeFolders(files, CANDIDATES);
        let id = `C-${random.hex(8)}`;
        while (!(await files.makeFolder(folderOf(id)))) id = `C-${random.hex(8)}`;
        await create(id, learning);
        return id;
      }),

    update: (id, changes, expected) =>
      write(async () => {
        const { text } = await mustFind(folderOf(id), id);
        const forbidden = changes.find(([[key]]) => protectedKeys.has(key));
        if (forbidden) {
          throw new LearningsError(
            'refused',
            `${forbidden[0][0]} is set by the store. Use supersede, archive or restore.`,
          );
        }
        if (expected !== undefined && expected !== text) {
          const both = changes.find(([path]) => !sameValue(expected, text, path));
          if (both) {
            throw new LearningsError(
              'conflict',
              `${both[0].join('.')} of ${id} was changed by somebody else meanwhile. Look at it again and repeat the change.`,
            );
          }
        }
        const edited = editYaml(text, changes);
        if (edited !== text) await writeRecord(folderOf(id), editYaml(edited, [[['updated_at'], now()]]));
      }),

    supersede: (id, by) =>
      write(async () => {
        const successor = await mustFind(folderOf(by), by);
        await mustFind(folderOf(id), id);
        await checkSuperseded([id], by);
        const supersedes = [...new Set([...successor.record.supersedes, id])];
        const value = supersedes.length === 1 ? id : supersedes;
        const text = editYaml(successor.text, [
          [['supersedes'], value],
          [['updated_at'], now()],
        ]);
        await commitAndFinish([{ kind: 'supersede', old: id, by }], () => writeRecord(folderOf(by), text));
      }),

    upvote: (id, vote) =>
      write(async () => {
        if (vote.voter.trim() === '' || vote.task.trim() === '') {
          throw new LearningsError(
            'input-invalid',
            'A vote needs a voter and the task it was found true in.',
          );
        }
        await mustFind(folderOf(id), id);
        const file = votesFile(folderOf(id));
        const bytes = (await readIfThere(files, file)) ?? new Uint8Array();
        const { votes } = parseVotes(bytes, file);
        if (votes.some((known) => voteKey(known) === voteKey(vote)))
          return { added: false, count: votes.length };
        // A full disk may have torn the last line; ours must not be glued to it.
        const torn = bytes.length > 0 && bytes.at(-1) !== 10;
        const line = (torn ? '\n' : '') + renderVote(id, { ...vote, at: now() });
        await files.append(file, new TextEncoder().encode(line));
        if (bytes.length === 0) await files.flushFolder(folderOf(id));
        return { added: true, count: votes.length + 1 };
      }),

    archive: (id, reason) =>
      write(async () => {
        const { text } = await mustFind(folderOf(id), id);
        const archived = { at: now(), ...(reason && { reason }) };
        await writeRecord(folderOf(id), editYaml(text, [[['archived'], archived]]));
        await moveFolder(folderOf(id), `${ARCHIVE}/${id}`);
      }),

    restore: (id) =>
      write(async () => {
        const folder = folderOf(id);
        const { text } = await mustFind(`${ARCHIVE}/${id}`, id);
        await writeRecord(`${ARCHIVE}/${id}`, editYaml(text, [[['archived'], undefined]]));
        await moveFolder(`${ARCHIVE}/${id}`, folder);
      }),

    async promote(id) {
      if (!isCandidateId(id))
        throw new LearningsError('refused', `${id} is not a candidate. Candidates look like C-7f3a9c21.`);
      const elsewhere = await ports.git.entriesEverywhere();
      return write(async () => {
        const { text } = await mustFind(folderOf(id), id);
        const newId = await allocate(elsewhere);
        const promoted = editYaml(text, [
          [['id'], newId],
          [['updated_at'], now()],
        ]);
        await commitAndFinish([{ kind: 'promote', candidate: id, id: newId }], () =>
          createWith(newId, promoted),
        );
        return newId;
      });
    },

    reject: (id, reason) =>
      write(async () => {
        if (!isCandidateId(id))
          throw new LearningsError('refused', `${id} is not a candidate. Use learnings archive ${id}.`);
        const { text } = await mustFind(folderOf(id), id);
        const archived = { at: now(), rejected: true, ...(reason && { reason }) };
        await writeRecord(folderOf(id), editYaml(text, [[['archived'], archived]]));
        await moveFolder(folderOf(id), `${ARCHIVE}/${id}`);
      }),

    migrateLayout: () =>
      write(async () => {
        const moved: string[] = [];
        const places = [STORE, `${STORE}/superseded`];
        for (const place of places) {
          for (const { name } of (await files.list(place)).filter((entry) => isFlatRecord(entry.name))) {
            const bytes = await files.read(`${place}/${name}`);
            const { record, problems } = parseRecord(bytes, `${place}/${name}`);
            if (!record || !isRecordId(record.id)) {
              const [problem] = problems;
              throw new LearningsError(
                'record-invalid',
                `${place}/${name}:${problem?.line ?? 1}: ${problem?.message ?? 'its id is not of the form L-0001'}. Mend it and run migrate-layout again; ${moved.length} records were moved.`,
              );
            }
            await files.makeFolder(folderOf(record.id));
            await moveFile(files, `${place}/${name}`, recordFile(folderOf(record.id)));
            moved.push(record.id);
          }
        }
        await files.removeFolder(`${STORE}/superseded`);
        return moved;
      }),
  };
}

async function moveFile(files: FileSystem, from: string, to: string): Promise<void> {
  if (await files.stat(to))
    throw new LearningsError('refused', `${to} is there already, and so is ${from}. Remove one of them.`);
  await files.rename(from, to);
  for (const path of [from, to]) await files.flushFolder(path.slice(0, path.lastIndexOf('/')));
}

/** Keys that only the store's own operations set. */
const protectedKeys = new Set([
  'id',
  'schemaVersion',
  'schema_version',
  'status',
  'supersedes',
  'superseded_by',
  'archived',
  'updated_at',
]);

const scaffolding = {
  // Two branches that both voted merge without a conflict.
  '.gitattributes': '*/votes.jsonl merge=union\n',
  '.gitignore': '.cache/\n',
};

function checkInput(learning: NewLearning): void {
  const texts = [
    learning.summary,
    learning.rationale,
    learning.body,
    ...Object.values(learning.scope).flat(),
  ];
  for (const text of texts) {
    const found = text === undefined ? undefined : findHostile(text);
    if (found) {
      throw new LearningsError(
        'refused',
        `The text holds the invisible or control character ${found.codePoint}. Remove it and try again.`,
      );
    }
  }
}

function newRecord(id: string, learning: NewLearning, at: string): Record<string, unknown> {
  const { supersedes } = learning;
  const scope = Object.fromEntries(Object.entries(learning.scope).filter(([, list]) => list.length > 0));
  const optional = {
    kind: learning.kind ?? 'rule',
    priority: learning.priority,
    confidence: learning.confidence,
    created_at: at,
    updated_at: at,
    created_by: learning.createdBy,
    scope,
    summary: learning.summary,
    rationale: learning.rationale,
    body: learning.body,
    evidence: learning.evidence?.length ? learning.evidence : undefined,
    supersedes: supersedes?.length === 1 ? supersedes[0] : supersedes?.length ? supersedes : undefined,
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { id, schemaVersion: 1, status: 'active', ...Object.fromEntries(given) };
}

function parsePending(bytes: Uint8Array | undefined): Pending | undefined {
  try {
    return bytes && (JSON.parse(new TextDecoder('utf-8').decode(bytes)) as Pending);
  } catch {
    return undefined;
  }
}
