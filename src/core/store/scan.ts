import { emptyConfig, readConfig, type Config } from '../config/config';
import { folderOfEntry, refreshCatalog, type Catalog, type Place } from '../index/catalog';
import type { FileSystem } from '../ports';
import { parseRecord } from '../record/parse';
import type { LearningRecord } from '../record/schema';
import { problemAt, type Problem } from '../yaml/problem';
import { readIfThere } from './files';
import { ARCHIVE, folderOf, isRecordId, recordFile } from './layout';
import { asSuperseded, findDisorders, successions, type Disorder } from './succession';
import type { Vote } from './votes';

/** A record with what stands beside it. */
export interface Learning {
  readonly record: LearningRecord;
  readonly votes: readonly Vote[];
  /** The record's file, relative to the root. */
  readonly file: string;
}

/** Everything that is on disk, the good beside the bad. */
export interface Scan {
  readonly learnings: readonly Learning[];
  readonly candidates: readonly Learning[];
  readonly archived: readonly Learning[];
  readonly config: Config;
  readonly problems: readonly Problem[];
}

/** Reads the whole store. Nothing in it makes this reject, except a folder that cannot be listed. */
export async function scanStore(files: FileSystem): Promise<Scan> {
  const { catalog, problems } = await refreshCatalog(files, new Map(), {
    clock: { now: () => new Date() },
  });
  const config = catalog.size > 0 || problems.length === 0 ? await readConfig(files) : emptyConfig;
  const learnings = learningsIn(catalog, 'learnings');
  const superseded = successions(learnings.map(({ record }) => record));
  return {
    learnings: learnings.map((one) => ({ ...one, record: asSuperseded(one.record, superseded) })),
    candidates: learningsIn(catalog, 'candidates'),
    archived: learningsIn(catalog, 'archive'),
    config,
    problems: [...problems, ...config.problems, ...(await problemsOf(files, catalog))],
  };
}

function learningsIn(catalog: Catalog, place: Place): Learning[] {
  return [...catalog.values()].flatMap((entry) => {
    if (entry.place !== place || !entry.readable) return [];
    const { record, votes } = entry.contents();
    return record ? [{ record, votes, file: recordFile(folderOfEntry(entry)) }] : [];
  });
}

/** What is wrong with single entries, and between them. */
export async function problemsOf(files: FileSystem, catalog: Catalog): Promise<Problem[]> {
  const entries = [...catalog.values()];
  const own = entries.filter(({ flawed }) => flawed).flatMap((entry) => entry.contents().problems);
  const live = new Set(entries.filter(({ place }) => place === 'learnings').map(({ name }) => name));
  const inUse = new Set(
    entries.filter((one) => one.place === 'learnings' && one.readable).map(({ name }) => name),
  );
  const archived = entries.filter(({ place }) => place === 'archive').map(({ name }) => name);
  const twice = archived.filter((name) => isRecordId(name) && inUse.has(name));
  const disorders = findDisorders(recordsInvolved(catalog), new Set([...live, ...archived]));
  return [...own, ...twice.map(duplicateProblem), ...(await disorderProblems(files, disorders))];
}

/** The records that take another's place or were replaced, and those they name: all others are none's business. */
function recordsInvolved(catalog: Catalog): LearningRecord[] {
  const linked = [...catalog.values()].filter(({ place, linked }) => place === 'learnings' && linked);
  const records = linked.flatMap((entry) => entry.contents().record ?? []);
  const named = records.flatMap(({ supersedes, supersededBy }) => [
    ...supersedes,
    ...(supersededBy ? [supersededBy] : []),
  ]);
  const seen = new Set(records.map(({ id }) => id));
  for (const id of named) {
    const record = seen.has(id) || !isRecordId(id) ? undefined : catalog.get(folderOf(id))?.contents().record;
    if (record) records.push(record);
    seen.add(id);
  }
  return records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** What is out of order, as problems of the files that say so. Files are read again for it, which is seldom. */
async function disorderProblems(files: FileSystem, disorders: readonly Disorder[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const disorder of disorders) {
    const file = recordFile(folderOf(disorder.id));
    const bytes = await readIfThere(files, file);
    const at = bytes && parseRecord(bytes, file).at;
    const key = disorder.kind === 'circle' ? 'supersedes' : 'superseded_by';
    const code = disorder.kind === 'lost' ? 'lost-successor' : 'supersede';
    const problem = { code, severity: 'warning', ...describeDisorder(disorder) } as const;
    problems.push(at ? at([key], problem) : problemAt('', file)(0, problem));
  }
  return problems;
}

function describeDisorder(disorder: Disorder): Pick<Problem, 'message' | 'hint'> {
  const hint = 'Run learnings doctor --fix.';
  const { id } = disorder;
  switch (disorder.kind) {
    case 'unfinished':
      return { message: `${disorder.by} supersedes ${id}, which does not say so itself`, hint };
    case 'one-sided':
      return { message: `${id} is superseded by ${disorder.by}, which does not say so`, hint };
    case 'lost': {
      const advice = `Get ${disorder.by} back from git, or take superseded_by away and set status: active.`;
      return { message: `${id} is superseded by ${disorder.by}, which is not there`, hint: advice };
    }
    case 'circle': {
      if (disorder.ids.length === 1)
        return { message: `${id} supersedes itself, so it is not delivered`, hint };
      const message = `${disorder.ids.join(', ')} supersede each other, so none is delivered`;
      const choice = `Run learnings doctor --fix --in-use <id> with the one to keep.`;
      return { message, hint: disorder.tied ? choice : hint };
    }
  }
}

function duplicateProblem(id: string): Problem {
  return problemAt('', recordFile(`${ARCHIVE}/${id}`))(0, {
    code: 'duplicate-id',
    severity: 'warning',
    message: `${id} is in the archive and in use`,
    hint: 'Run learnings doctor --fix: both are kept, this one under another id if it differs.',
  });
}
