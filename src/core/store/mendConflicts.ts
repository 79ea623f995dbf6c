import type { Conflict } from '../ports';
import type { LearningRecord } from '../record/schema';
import { editYaml, type Change } from '../yaml/edit';
import { resolveConflict, type Resolution } from './conflict';
import { folderOf, isCandidateId, isRecordFile, isRecordId, nameOf, parentOf, recordFile } from './layout';
import { asValue } from './lists';
import { attempt, filesWith, readText, type Choices, type Surgery } from './surgery';
import type { StorePorts, Writer } from './writer';

interface Context extends Choices {
  readonly origins: ReadonlyMap<string, Conflict>;
  /** Ids of their side that have changed, old to new. */
  readonly moved?: ReadonlyMap<string, string>;
}

/** What would be made of a record in conflict. */
export async function planConflict(
  ports: StorePorts,
  file: string,
  { origins, keep, moved }: Context,
): Promise<Resolution> {
  const edited = origins.get(file) === 'edited';
  // The id of a candidate is random: nobody else comes upon the same.
  const sameRecord = edited || isCandidateId(nameOf(parentOf(file))) || undefined;
  const base = edited ? await ports.git.base(file) : undefined;
  return resolveConflict(await readText(ports.files, file), file, { keep, sameRecord, base, moved });
}

/** A record of theirs that has to give way, because ours has its id. */
interface Move {
  readonly file: string;
  readonly from: LearningRecord;
  readonly stays: LearningRecord;
  readonly texts: { readonly ours: string; readonly theirs: string };
  readonly to: string;
  /** Whether a doctor that died had written it under its new id already. */
  readonly written: boolean;
}

/**
 * All new ids are given before anything is written: what they made on their branch refers to each other by the old
 * ones, and ours, which keep them, must not come to be meant. Ours are written last: until then the conflicts are
 * there, and whoever comes after a process that died finds everything that it needs to go on.
 */
export async function resolveConflicts(surgery: Surgery): Promise<void> {
  const { ports, writer, choices, done } = surgery;
  const context = { ...choices, origins: await ports.git.conflicts() };
  const files = (await filesWith(ports, 'conflict-markers')).filter(isRecordFile);
  const moves = await planMoves(surgery, files, context);
  const moved = new Map(moves.map(({ file, to }) => [nameOf(parentOf(file)), to]));

  const parted: Move[] = [];
  const writtenBefore = moves.every(({ written }) => written);
  for (const move of moves) {
    const folder = `${parentOf(parentOf(move.file))}/${move.to}`;
    const text = editYaml(move.texts.theirs, [[['id'], move.to], ...referencesOf(move.from, moved)]);
    const there = writtenBefore || (await attempt(surgery, move.file, () => writer.createWith(folder, text)));
    if (there) parted.push(move);
  }
  for (const file of files) {
    const resolution = await planConflict(ports, file, { ...context, moved });
    if (resolution.kind !== 'one') continue;
    await attempt(surgery, file, async () => {
      await writer.writeRecord(parentOf(file), resolution.text);
      done.push({ file, did: ['both sides put together', ...resolution.notes].join('; ') });
    });
  }
  for (const move of parted) await followMove(surgery, { ...move, moved });
  for (const { file, texts, stays, to } of parted) {
    await attempt(surgery, file, async () => {
      await writer.writeRecord(parentOf(file), texts.ours);
      done.push({ file, did: `ours kept; theirs is ${to} now, and votes stay with ${stays.id}` });
    });
  }
}

async function planMoves(surgery: Surgery, files: readonly string[], context: Context): Promise<Move[]> {
  const { ports, writer, elsewhere, failed } = surgery;
  const plans: { file: string; resolution: Resolution }[] = [];
  for (const file of files) plans.push({ file, resolution: await planConflict(ports, file, context) });
  const collisions = plans.flatMap(({ file, resolution }) =>
    resolution.kind === 'two' ? [{ file, ...resolution }] : [],
  );
  // Once ours are written, nobody could tell any more whom an undecided record means by an id of both sides.
  for (const { file } of plans.filter(({ resolution }) => resolution.kind === 'unclear')) {
    const text = await readText(ports.files, file);
    const named = collisions.filter((one) => text.includes(nameOf(parentOf(one.file))));
    failed.push(
      ...named.map((one) => ({ file: one.file, why: `${file} names it and must be decided first.` })),
    );
    if (named.length > 0) return [];
  }
  const moves: Move[] = [];
  for (const { file, ours, theirs } of collisions) {
    const place = parentOf(parentOf(file));
    const copy = await findCopy(writer, place, theirs.text);
    const to = copy ?? (await writer.allocate(elsewhere, place));
    const texts = { ours: ours.text, theirs: theirs.text };
    moves.push({ file, from: theirs.record, stays: ours.record, texts, to, written: copy !== undefined });
  }
  return moves;
}

/** The id under which a doctor that died left this record. */
async function findCopy(writer: Writer, place: string, text: string): Promise<string | undefined> {
  for (const { name } of await writer.files.list(place)) {
    const found = isRecordId(name) ? await writer.find(`${place}/${name}`) : undefined;
    if (found?.record && withoutIds(found.text) === withoutIds(text)) return name;
  }
  return undefined;
}

const withoutIds = (text: string): string =>
  editYaml(
    text,
    ['id', 'supersedes', 'superseded_by'].map((key): Change => [[key], undefined]),
  );

/** The references of a record that moves, to others that move with it. */
function referencesOf(record: LearningRecord, moved: ReadonlyMap<string, string>): Change[] {
  const { supersedes, supersededBy } = record;
  const by = moved.get(supersededBy ?? '');
  return [
    ...(supersedes.some((id) => moved.has(id))
      ? [[['supersedes'], asValue(supersedes.map((id) => moved.get(id) ?? id))] as Change]
      : []),
    ...(by === undefined ? [] : [[['superseded_by'], by] as Change]),
  ];
}

interface Followed {
  readonly from: LearningRecord;
  readonly to: string;
  /** Keeps the old id and what refers to it. */
  readonly stays?: LearningRecord;
  /** Whoever else moved has its references right already; what bears its old id now is another record. */
  readonly moved?: ReadonlyMap<string, string>;
}

/** Points the records that knew `from` by its old id to its new one. */
export async function followMove(
  surgery: Surgery,
  { from, to, stays, moved = new Map() }: Followed,
): Promise<void> {
  const { writer, done } = surgery;
  const change = async (id: string, edit: (record: LearningRecord) => Change | undefined): Promise<void> => {
    if (moved.has(id)) return;
    const folder = folderOf(id);
    await attempt(surgery, recordFile(folder), async () => {
      const found = await writer.find(folder);
      const changed = found?.record && edit(found.record);
      if (!found || !changed) return;
      await writer.writeRecord(folder, editYaml(found.text, [changed]));
      done.push({ file: recordFile(folder), did: `${changed[0].join('.')} follows ${from.id} to ${to}` });
    });
  };
  for (const old of from.supersedes) {
    if (stays?.supersedes.includes(old)) continue;
    await change(old, (record) => (record.supersededBy === from.id ? [['superseded_by'], to] : undefined));
  }
  const { supersededBy } = from;
  if (supersededBy === undefined || supersededBy === stays?.supersededBy) return;
  await change(supersededBy, ({ supersedes }) =>
    supersedes.includes(from.id)
      ? [['supersedes'], asValue(supersedes.map((id) => (id === from.id ? to : id)))]
      : undefined,
  );
}
