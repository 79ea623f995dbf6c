import { LearningsError } from '../errors';
import { editYaml } from '../yaml/edit';
import { readIfThere } from './files';
import { folderOf, nameOf, parentOf, recordFile, votesFile } from './layout';
import { scanStore } from './scan';
import { parseVotes, voteKey, withoutVote, type Vote } from './votes';
import type { Pending, Writer } from './writer';

/**
 * Takes away a record that was just added. The commit point is the removal of its file: until then what it superseded
 * is superseded for every reader, and the notes make the next writer mark it so again; after it they find nothing to do.
 */
export async function withdraw(writer: Writer, id: string, expected: string | undefined): Promise<void> {
  const folder = folderOf(id);
  const { text, record } = await writer.mustFind(folder, id);
  await checkUntouched(writer, id, { changed: expected !== undefined && expected !== text });
  const notes = record.supersedes.map((old): Pending => ({ kind: 'supersede', old, by: id }));
  await writer.commitAndFinish(notes, async () => {
    for (const old of record.supersedes) await serveAgain(writer, old, id);
    await writer.files.remove(recordFile(folder));
    await writer.files.flushFolder(folder);
  });
  // What is left is an empty folder, which is no record, and which the next that takes the id passes over.
  if (await writer.files.removeFolder(folder).catch(() => false))
    await writer.files.flushFolder(parentOf(folder)).catch(() => undefined);
}

async function checkUntouched(writer: Writer, id: string, { changed }: { changed: boolean }): Promise<void> {
  const refuse = (what: string): never => {
    throw new LearningsError('conflict', `${what}, so it stays. Archive ${id} if it is not wanted.`);
  };
  if (changed) refuse(`${id} was changed meanwhile`);
  const folder = folderOf(id);
  const others = (await writer.files.list(folder)).filter(({ name }) => name !== nameOf(recordFile(folder)));
  if (others.some(({ name }) => name === nameOf(votesFile(folder)))) refuse(`${id} was voted for meanwhile`);
  if (others.length > 0) refuse(`There is more than the record in ${folder}`);
  const { learnings, candidates, archived } = await scanStore(writer.files);
  const user = [...learnings, ...candidates, ...archived].find(({ record }) =>
    record.supersedes.includes(id),
  );
  if (user) refuse(`${user.record.id} takes the place of ${id}`);
}

/** Undoes what superseding wrote into the old record. */
async function serveAgain(writer: Writer, old: string, by: string): Promise<void> {
  const found = await writer.find(folderOf(old));
  if (found?.record?.supersededBy !== by) return;
  const text = editYaml(found.text, [
    [['status'], 'active'],
    [['superseded_by'], undefined],
    [['updated_at'], writer.now()],
  ]);
  await writer.writeRecord(folderOf(old), text);
}

/** Takes one vote back; false if there is no such vote. */
export async function retractVote(
  writer: Writer,
  id: string,
  vote: Omit<Vote, 'at'>,
): Promise<{ removed: boolean; count: number }> {
  const { files } = writer;
  await writer.mustFind(folderOf(id), id);
  const file = votesFile(folderOf(id));
  const bytes = (await files.stat(file))?.kind === 'file' ? await readIfThere(files, file) : undefined;
  const { votes } = parseVotes(bytes ?? new Uint8Array(), file);
  const count = votes.filter((known) => voteKey(known) !== voteKey(vote)).length;
  if (!bytes || count === votes.length) return { removed: false, count };
  const rest = withoutVote(bytes, vote);
  if (rest.trim() !== '') await writer.replaceFile(file, rest);
  else {
    await files.remove(file);
    await files.flushFolder(folderOf(id));
  }
  return { removed: true, count };
}
