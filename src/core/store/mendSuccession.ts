import type { LearningRecord } from '../record/schema';
import { editYaml, type Change } from '../yaml/edit';
import { ARCHIVE, folderOf, isRecordId, recordFile, STORE } from './layout';
import { asValue } from './lists';
import { findDisorders, type Disorder } from './succession';
import { attempt, type Choices, type Surgery } from './surgery';
import type { Writer } from './writer';

/** Mending one disorder can bring out the next; a store has few, so a few rounds do. */
const MAX_ROUNDS = 20;

export async function mendSuccession(surgery: Surgery): Promise<void> {
  const { ports, writer, choices, done } = surgery;
  const givenUp = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const records: LearningRecord[] = [];
    const names = (await ports.files.list(STORE)).map(({ name }) => name);
    for (const name of names.filter(isRecordId)) {
      const record = (await writer.find(`${STORE}/${name}`))?.record;
      if (record?.id === name) records.push(record);
    }
    const known = new Set([...names, ...(await ports.files.list(ARCHIVE)).map(({ name }) => name)]);
    const disorders = findDisorders(records, known).flatMap((disorder) => decide(disorder, choices) ?? []);
    const open = disorders.filter(({ id }) => !givenUp.has(id));
    if (open.length === 0) return;
    for (const disorder of open) {
      const file = recordFile(folderOf(disorder.id));
      if (await attempt(surgery, file, () => mendDisorder(writer, disorder)))
        done.push({ file, did: describeMend(disorder) });
      else givenUp.add(disorder.id);
    }
  }
}

/** A disorder that can be mended, with what a person chose; undefined if only a person can. */
function decide(disorder: Disorder, { inUse }: Choices): Disorder | undefined {
  if (disorder.kind !== 'circle') return disorder.kind === 'lost' ? undefined : disorder;
  if (inUse !== undefined && disorder.ids.includes(inUse)) return { ...disorder, id: inUse, tied: false };
  return disorder.tied ? undefined : disorder;
}

async function mendDisorder(writer: Writer, disorder: Disorder): Promise<void> {
  const edit = async (id: string, changes: (record: LearningRecord) => readonly Change[]): Promise<void> => {
    const found = await writer.find(folderOf(id));
    if (found?.record) await writer.writeRecord(folderOf(id), editYaml(found.text, changes(found.record)));
  };
  if (disorder.kind === 'unfinished') await writer.markSuperseded(disorder.id, disorder.by);
  if (disorder.kind === 'one-sided') {
    await edit(disorder.by, ({ supersedes }) => [[['supersedes'], asValue([...supersedes, disorder.id])]]);
  }
  if (disorder.kind === 'circle') {
    const { id } = disorder;
    for (const member of disorder.ids) {
      await edit(member, ({ supersedes }) =>
        supersedes.includes(id) ? [[['supersedes'], asValue(supersedes.filter((old) => old !== id))]] : [],
      );
    }
    await edit(id, () => [
      [['status'], 'active'],
      [['superseded_by'], undefined],
    ]);
  }
}

function describeMend(disorder: Disorder): string {
  if (disorder.kind !== 'circle') return `superseded by ${disorder.by}, and both say so`;
  return disorder.ids.length === 1
    ? 'in use again: it was superseded by itself'
    : `in use again, of ${disorder.ids.join(', ')}, which superseded each other`;
}
