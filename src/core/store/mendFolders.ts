import { editYaml } from '../yaml/edit';
import { readIfThere } from './files';
import {
  ARCHIVE,
  CANDIDATES,
  folderOf,
  isCandidateId,
  isRecordId,
  nameOf,
  parentOf,
  recordFile,
  STORE,
  votesFile,
} from './layout';
import { followMove } from './mendConflicts';
import { migrateLayout } from './migrate';
import { findLacks } from './scaffold';
import { attempt, filesWith, type Surgery } from './surgery';
import { withoutRubbish } from './votes';
import type { Writer } from './writer';

export async function writeScaffolding({ writer, done }: Surgery): Promise<void> {
  for (const { file, line, text, isNew } of await findLacks(writer.files)) {
    await writer.replaceFile(file, text);
    done.push({ file, did: isNew ? 'written' : `${line} added` });
  }
}

export async function moveFlatRecords({ writer, done, failed }: Surgery): Promise<void> {
  const migration = await migrateLayout(writer);
  done.push(...migration.moved.map((id) => ({ file: recordFile(folderOf(id)), did: 'moved here' })));
  failed.push(...migration.failed);
}

export async function cleanVoteFiles({ ports, writer, done }: Surgery): Promise<void> {
  for (const file of await filesWith(ports, 'vote')) {
    const bytes = await readIfThere(ports.files, file);
    if (!bytes) continue;
    await writer.replaceFile(file, withoutRubbish(bytes));
    done.push({ file, did: 'lines that were no votes removed' });
  }
}

/** Whether a folder holds nothing but votes for a record that is in the archive. */
export async function isLeftBehind({ files }: Pick<Writer, 'files'>, folder: string): Promise<boolean> {
  const [only, ...others] = await files.list(folder);
  if (only?.name !== nameOf(votesFile(folder)) || only.kind !== 'file' || others.length > 0) return false;
  return (await files.stat(recordFile(`${ARCHIVE}/${nameOf(folder)}`)))?.kind === 'file';
}

/** One branch put a record away, another voted for it meanwhile: git leaves the votes where the record was. */
export async function moveVotesLeftBehind({ ports, writer, done }: Surgery): Promise<void> {
  for (const file of await filesWith(ports, 'missing-record')) {
    const folder = parentOf(file);
    if (parentOf(folder) === ARCHIVE || !(await isLeftBehind(writer, folder))) continue;
    const to = `${ARCHIVE}/${nameOf(folder)}`;
    await writer.moveVotes(folder, to);
    await writer.files.removeFolder(folder);
    done.push({ file: votesFile(folder), did: `moved to ${to}, where its record is` });
  }
}

export async function mendIds(surgery: Surgery): Promise<void> {
  const { ports, writer, done } = surgery;
  for (const file of await filesWith(ports, 'id-mismatch')) {
    const folder = parentOf(file);
    const found = await writer.find(folder);
    if (!found?.record) continue;
    const { record, text } = found;
    const id = nameOf(folder);
    const mended = await attempt(surgery, file, () =>
      writer.writeRecord(folder, editYaml(text, [[['id'], id]])),
    );
    if (!mended) continue;
    done.push({ file, did: `id set to ${id}` });
    // A folder that was renamed by hand: whoever knew it by its old id still means it.
    const stillThere = isRecordId(record.id) && (await ports.files.stat(folderOf(record.id)));
    if (!stillThere) await followMove(surgery, { from: record, to: id });
  }
}

export async function partDuplicates(surgery: Surgery): Promise<void> {
  const { ports, writer, done, elsewhere } = surgery;
  for (const file of await filesWith(ports, 'duplicate-id')) {
    const folder = parentOf(file);
    const id = nameOf(folder);
    const [inUse, archived] = [await writer.find(folderOf(id)), await writer.find(folder)];
    if (!inUse?.record || !archived?.record) continue;
    await attempt(surgery, file, async () => {
      const votes = await readIfThere(ports.files, votesFile(folder));
      if (withoutTimes(inUse.text) === withoutTimes(archived.text) && !votes?.length) {
        await writer.removeRecord(folder);
        done.push({ file, did: `removed: the same as ${id} in use` });
        return;
      }
      const next = await writer.allocate(elsewhere, ARCHIVE);
      await writer.writeRecord(folder, editYaml(archived.text, [[['id'], next]]));
      await writer.moveFolder(folder, `${ARCHIVE}/${next}`);
      done.push({ file, did: `is ${next} now, in the archive as before` });
    });
  }
}

const withoutTimes = (text: string): string =>
  editYaml(text, [
    [['updated_at'], undefined],
    [['archived'], undefined],
  ]);

/** What a writer leaves that dies between taking an id and writing the record. */
export async function removeEmptyFolders({ writer, done }: Surgery): Promise<void> {
  for (const parent of [STORE, CANDIDATES, ARCHIVE]) {
    for (const { name, kind } of await writer.files.list(parent)) {
      if (kind !== 'folder' || !(isRecordId(name) || isCandidateId(name))) continue;
      if ((await writer.files.list(`${parent}/${name}`)).length > 0) continue;
      if (await writer.files.removeFolder(`${parent}/${name}`))
        done.push({ file: `${parent}/${name}`, did: 'removed: an empty folder' });
    }
  }
}
