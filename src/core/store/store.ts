import type { SettingKey } from '../config/settings';
import { LearningsError } from '../errors';
import type { Evidence } from '../record/schema';
import { editYaml, sameValue, valueAt, type Change } from '../yaml/edit';
import { setInConfig } from './configure';
import { diagnose, heal, type Finding, type Healed } from './doctor';
import { checkAtDoor } from './door';
import { makeFolders, readIfThere } from './files';
import { ARCHIVE, CANDIDATES, folderOf, isCandidateId, votesFile } from './layout';
import { asValue, mergeList } from './lists';
import { migrateLayout, type Migration } from './migrate';
import { renderNew, type NewLearning } from './newLearning';
import { findLacks } from './scaffold';
import { scanStore, type Scan } from './scan';
import type { Choices } from './surgery';
import { retractVote, withdraw } from './undo';
import { parseVotes, renderVote, voteKey, type Vote } from './votes';
import { openWriter, type Pending, type StorePorts } from './writer';

interface UpdateOptions {
  /** The text the caller saw: a field that somebody else changed since is not overwritten. */
  readonly expected?: string | undefined;
  /** Added to what is there. */
  readonly evidence?: readonly Evidence[];
}

export interface Store {
  read(): Promise<Scan>;
  /** Makes the folder and what git should know of it. Says which files are new. */
  init(): Promise<readonly string[]>;
  add(learning: NewLearning): Promise<string>;
  /** Keeps it as a candidate, which is not delivered until it is promoted. */
  propose(learning: NewLearning): Promise<string>;
  update(id: string, changes: readonly Change[], options?: UpdateOptions): Promise<void>;
  supersede(id: string, by: string): Promise<void>;
  /** False if this voter has voted for it on this task before. */
  upvote(id: string, vote: Omit<Vote, 'at'>): Promise<{ added: boolean; count: number }>;
  /** Takes back what `upvote` added; `removed` is false if there was no such vote. */
  retractVote(id: string, vote: Omit<Vote, 'at'>): Promise<{ removed: boolean; count: number }>;
  /** Takes back what `add` wrote, unless somebody has touched it since, or its text is not the one expected. */
  withdraw(id: string, expected?: string): Promise<void>;
  archive(id: string, reason?: string): Promise<void>;
  restore(id: string): Promise<void>;
  /** Makes a candidate a learning and gives its new id. */
  promote(id: string): Promise<string>;
  reject(id: string, reason?: string): Promise<void>;
  /** What is wrong with the store, and what `heal` would do about it. */
  diagnose(choices?: Choices): Promise<readonly Finding[]>;
  /** Mends what can be mended without losing anything. */
  heal(choices?: Choices): Promise<Healed>;
  /** Sets something in config.yaml, or takes it away again. */
  configure(key: SettingKey, value: unknown): Promise<void>;
  /** Moves records of the old flat layout into folders. */
  migrateLayout(): Promise<Migration>;
}

/** Opens the store for writing. Every operation takes the lock, finishes what a dead writer began, and then works. */
export function openStore(ports: StorePorts, options: { prefix: 'L' | 'P' } = { prefix: 'L' }): Store {
  const { random, secrets } = ports;
  const writer = openWriter(ports, options.prefix);
  const { files } = writer;

  const create = (id: string, learning: NewLearning): Promise<void> =>
    writer.createWith(folderOf(id), renderNew(id, learning, writer.now()));

  /**
   * Looks at the records concerned alone, so that it costs the same in a store of any size: what a dead writer left
   * undone has been finished by now, so their own texts are up to date wherever they can be written.
   */
  async function checkSuperseded(ids: readonly string[], by: string | undefined): Promise<void> {
    for (const id of ids) {
      if (id === by) throw new LearningsError('refused', `${id} cannot supersede itself.`);
      const { record } = await writer.mustFind(folderOf(id), id);
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
      next = (await writer.find(folderOf(next)))?.record?.supersededBy;
      if (next !== undefined && ids.includes(next)) {
        throw new LearningsError(
          'refused',
          `${by ?? ''} is itself superseded by ${next}, so it cannot supersede it.`,
        );
      }
    }
  }

  async function putAway(id: string, text: string, archived: object): Promise<void> {
    const to = `${ARCHIVE}/${id}`;
    await writer.makeRoom(to);
    await writer.writeRecord(folderOf(id), editYaml(text, [[['archived'], archived]]));
    await writer.moveFolder(folderOf(id), to);
  }

  return {
    read: () => scanStore(files),

    init: () =>
      writer.write(async () => {
        const lacks = (await findLacks(files)).filter(({ isNew }) => isNew);
        for (const { file, text } of lacks) await writer.replaceFile(file, text);
        return lacks.map(({ file }) => file);
      }),

    async add(learning) {
      await checkAtDoor(secrets, learning);
      const elsewhere = await ports.git.entriesEverywhere();
      return writer.write(async () => {
        const supersedes = learning.supersedes ?? [];
        await checkSuperseded(supersedes, undefined);
        const id = await writer.allocate(elsewhere);
        await writer.commitAndFinish(notesFor(supersedes, id), () => create(id, learning));
        return id;
      });
    },

    async propose(learning) {
      await checkAtDoor(secrets, learning);
      return writer.write(async () => {
        await checkSuperseded(learning.supersedes ?? [], undefined);
        await makeFolders(files, CANDIDATES);
        let id = `C-${random.hex(8)}`;
        while (!(await files.makeFolder(folderOf(id)))) id = `C-${random.hex(8)}`;
        await create(id, learning);
        return id;
      });
    },

    async update(id, changes, { expected, evidence = [] } = {}) {
      const fields = Object.fromEntries(changes.map(([path, value]) => [path.join('.'), value]));
      await checkAtDoor(secrets, { ...fields, evidence });
      return writer.write(async () => {
        const { text } = await writer.mustFind(folderOf(id), id);
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
        const more = mergeList([], valueAt(text, ['evidence']), evidence);
        const edited = editYaml(text, [
          ...changes,
          ...(evidence.length > 0 ? [[['evidence'], more] as Change] : []),
        ]);
        if (edited !== text)
          await writer.writeRecord(folderOf(id), editYaml(edited, [[['updated_at'], writer.now()]]));
      });
    },

    supersede: (id, by) =>
      writer.write(async () => {
        if (isCandidateId(by))
          throw new LearningsError(
            'refused',
            `${by} is a candidate, which nobody is shown yet. Make it a learning first: learnings promote ${by}.`,
          );
        const successor = await writer.mustFind(folderOf(by), by);
        await writer.mustFind(folderOf(id), id);
        await checkSuperseded([id], by);
        const supersedes = [...new Set([...successor.record.supersedes, id])];
        const text = editYaml(successor.text, [
          [['supersedes'], asValue(supersedes)],
          [['updated_at'], writer.now()],
        ]);
        await writer.commitAndFinish([{ kind: 'supersede', old: id, by }], () =>
          writer.writeRecord(folderOf(by), text),
        );
      }),

    async upvote(id, vote) {
      await checkAtDoor(secrets, vote);
      return writer.write(async () => {
        if (vote.voter.trim() === '' || vote.task.trim() === '') {
          throw new LearningsError(
            'input-invalid',
            'A vote needs a voter and the task it was found true in.',
          );
        }
        await writer.mustFind(folderOf(id), id);
        const file = votesFile(folderOf(id));
        const kind = (await files.stat(file))?.kind ?? 'file';
        if (kind !== 'file')
          throw new LearningsError('refused', `${file} is not a plain file. Put the votes themselves there.`);
        const bytes = (await readIfThere(files, file)) ?? new Uint8Array();
        const { votes } = parseVotes(bytes, file);
        if (votes.some((known) => voteKey(known) === voteKey(vote)))
          return { added: false, count: votes.length };
        // A full disk may have torn the last line; ours must not be glued to it.
        const torn = bytes.length > 0 && bytes.at(-1) !== 10;
        const line = (torn ? '\n' : '') + renderVote(id, { ...vote, at: writer.now() });
        await files.append(file, new TextEncoder().encode(line));
        if (bytes.length === 0) await files.flushFolder(folderOf(id));
        return { added: true, count: votes.length + 1 };
      });
    },

    retractVote: (id, vote) => writer.write(() => retractVote(writer, id, vote)),
    withdraw: (id, expected) => writer.write(() => withdraw(writer, id, expected)),

    async archive(id, reason) {
      await checkAtDoor(secrets, { reason });
      return writer.write(async () => {
        const { text } = await writer.mustFind(folderOf(id), id);
        await putAway(id, text, { at: writer.now(), ...(reason && { reason }) });
      });
    },

    restore: (id) =>
      writer.write(async () => {
        const folder = folderOf(id);
        const { text, record } = await writer.mustFind(`${ARCHIVE}/${id}`, id);
        await checkAtDoor(secrets, record);
        await writer.makeRoom(folder);
        await writer.writeRecord(`${ARCHIVE}/${id}`, editYaml(text, [[['archived'], undefined]]));
        await writer.moveFolder(`${ARCHIVE}/${id}`, folder);
      }),

    async promote(id) {
      if (!isCandidateId(id))
        throw new LearningsError('refused', `${id} is not a candidate. Candidates look like C-7f3a9c21.`);
      const elsewhere = await ports.git.entriesEverywhere();
      return writer.write(async () => {
        const { text, record } = await writer.mustFind(folderOf(id), id);
        await checkAtDoor(secrets, record);
        await checkSuperseded(record.supersedes, undefined);
        const newId = await writer.allocate(elsewhere);
        const promoted = editYaml(text, [
          [['id'], newId],
          [['updated_at'], writer.now()],
        ]);
        const notes: Pending[] = [
          ...notesFor(record.supersedes, newId),
          { kind: 'promote', candidate: id, id: newId },
        ];
        await writer.commitAndFinish(notes, () => writer.createWith(folderOf(newId), promoted));
        return newId;
      });
    },

    async reject(id, reason) {
      await checkAtDoor(secrets, { reason });
      return writer.write(async () => {
        if (!isCandidateId(id))
          throw new LearningsError('refused', `${id} is not a candidate. Use learnings archive ${id}.`);
        const { text } = await writer.mustFind(folderOf(id), id);
        await putAway(id, text, { at: writer.now(), rejected: true, ...(reason && { reason }) });
      });
    },

    diagnose: (choices = {}) => diagnose(ports, choices),
    heal: (choices = {}) => writer.write(() => heal(ports, writer, choices)),
    async configure(key, value) {
      await checkAtDoor(secrets, { [key]: value });
      return writer.write(() => setInConfig(writer, key, value));
    },
    migrateLayout: () => writer.write(() => migrateLayout(writer)),
  };
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

const notesFor = (supersedes: readonly string[], by: string): Pending[] =>
  supersedes.map((old) => ({ kind: 'supersede', old, by }));
