import { isAboutOne, LearningsError } from '../errors';
import { parseRecord } from '../record/parse';
import { folderOf, isFlatRecord, isRecordId, parentOf, recordFile, STORE } from './layout';
import type { Writer } from './writer';

export interface Migration {
  /** The ids of the records that were moved. */
  readonly moved: readonly string[];
  /** What stayed where it was. */
  readonly failed: readonly { readonly file: string; readonly why: string }[];
}

const SUPERSEDED = `${STORE}/superseded`;
const LINK = 'It is a symbolic link, and links are not followed. Put the thing itself there.';

/** Moves records of Orbit's flat layout into folders of their own. One that cannot be moved costs that one alone. */
export async function migrateLayout({ files }: Writer): Promise<Migration> {
  const moved: string[] = [];
  const failed: { file: string; why: string }[] = [];
  const places = [STORE];
  const kind = (await files.stat(SUPERSEDED))?.kind;
  if (kind === 'folder') places.push(SUPERSEDED);
  if (kind === 'link') failed.push({ file: SUPERSEDED, why: LINK });
  for (const place of places) {
    const entries = (await files.list(place)).filter(({ name }) => isFlatRecord(name));
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = `${place}/${entry.name}`;
      try {
        if (entry.kind === 'link') throw new LearningsError('refused', LINK);
        if (entry.kind === 'file') moved.push(await move(file));
      } catch (error) {
        if (!isAboutOne(error)) throw error;
        failed.push({ file, why: error.message });
      }
    }
  }
  if (kind === 'folder') await files.removeFolder(SUPERSEDED);
  return { moved, failed };

  async function move(from: string): Promise<string> {
    const { record, problems } = parseRecord(await files.read(from), from);
    if (!record || !isRecordId(record.id)) {
      const { line, message } = problems[0] ?? { line: 1, message: 'its id is not of the form L-0001' };
      throw new LearningsError('record-invalid', `Line ${line}: ${message}. Mend it and try again.`);
    }
    const folder = folderOf(record.id);
    const to = recordFile(folder);
    if (((await files.stat(folder))?.kind ?? 'folder') !== 'folder' || (await files.stat(to)))
      throw new LearningsError('refused', `${to} is there already. Remove one of the two.`);
    await files.makeFolder(folder);
    await files.rename(from, to);
    for (const path of [from, to]) await files.flushFolder(parentOf(path));
    return record.id;
  }
}
