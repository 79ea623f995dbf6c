import { LearningsError } from '../errors';
import type { FileSystem, FolderEntry } from '../ports';
import { parseRecord } from '../record/parse';
import { problemAt, type Problem } from '../record/problem';
import type { LearningRecord } from '../record/schema';
import { readIfThere } from './files';
import {
  ARCHIVE,
  CANDIDATES,
  isCandidateId,
  isFlatRecord,
  isRecordId,
  recordFile,
  STORE,
  votesFile,
} from './layout';
import { parseVotes, type Vote } from './votes';

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
  readonly problems: readonly Problem[];
}

const BATCH = 32;

/** Reads the whole store. Nothing in it makes this reject, except a folder that cannot be listed. */
export async function scanStore(files: FileSystem): Promise<Scan> {
  const top = await files.list(STORE);
  const problems = top
    .filter(({ name }) => isFlatRecord(name))
    .map(({ name }) => flatProblem(`${STORE}/${name}`));
  const learnings = await readFolders(files, STORE, top, isRecordId);
  const candidates = await readFolders(files, CANDIDATES, await files.list(CANDIDATES), isCandidateId);
  const archived = await readFolders(
    files,
    ARCHIVE,
    await files.list(ARCHIVE),
    (name) => isRecordId(name) || isCandidateId(name),
  );
  problems.push(...learnings.problems, ...candidates.problems, ...archived.problems);
  return {
    learnings: applySuccession(learnings.found),
    candidates: candidates.found,
    archived: archived.found,
    problems,
  };
}

/** A record is superseded from the moment its successor is on disk, whatever its own text still says. */
function applySuccession(learnings: readonly Learning[]): Learning[] {
  const successors = new Map<string, string>();
  for (const { record } of learnings)
    for (const old of record.supersedes) if (old !== record.id) successors.set(old, record.id);
  return learnings.map((learning) => {
    const supersededBy = learning.record.supersededBy ?? successors.get(learning.record.id);
    const superseded = learning.record.status === 'superseded' || successors.has(learning.record.id);
    return superseded
      ? { ...learning, record: { ...learning.record, status: 'superseded', supersededBy } }
      : learning;
  });
}

async function readFolders(
  files: FileSystem,
  parent: string,
  entries: readonly FolderEntry[],
  isId: (name: string) => boolean,
): Promise<{ found: Learning[]; problems: Problem[] }> {
  const wanted = entries.filter(({ name }) => isId(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const found: Learning[] = [];
  const problems: Problem[] = [];
  for (let start = 0; start < wanted.length; start += BATCH) {
    const batch = wanted
      .slice(start, start + BATCH)
      .map((entry) => readLearning(files, `${parent}/${entry.name}`, entry));
    for (const read of await Promise.all(batch)) {
      problems.push(...read.problems);
      if (read.learning) found.push(read.learning);
    }
  }
  return { found, problems };
}

interface Read {
  readonly learning?: Learning;
  readonly problems: readonly Problem[];
}

/** One record and its votes. What is wrong with them is told, not thrown. */
async function readLearning(files: FileSystem, folder: string, { name, kind }: FolderEntry): Promise<Read> {
  const file = recordFile(folder);
  const problem = problemAt('', file);
  const broken = (code: Problem['code'], message: string, hint: string): Read => ({
    problems: [problem(0, { code, message, hint })],
  });
  const link = (): Read =>
    broken('symlink', 'a symbolic link', 'Links are not followed: put the file itself here.');
  try {
    if (kind === 'link') return link();
    const stat = await files.stat(file);
    if (stat?.kind === 'link') return link();
    // A folder without a record is an id that was taken by a writer that died; it holds nothing.
    if (stat === undefined) return { problems: [] };
    const parsed = parseRecord(await files.read(file), file);
    if (!parsed.record) return { problems: parsed.problems };
    if (parsed.record.id !== name) {
      const hint = `Set id: ${name}, or rename the folder.`;
      return broken('id-mismatch', `id ${parsed.record.id} in the folder ${name}`, hint);
    }
    const votes = votesFile(folder);
    const bytes = (await files.stat(votes))?.kind === 'file' ? await readIfThere(files, votes) : undefined;
    const counted = bytes ? parseVotes(bytes, votes) : { votes: [], problems: [] };
    return {
      learning: { record: parsed.record, votes: counted.votes, file },
      problems: [...parsed.problems, ...counted.problems],
    };
  } catch (error) {
    if (!(error instanceof LearningsError)) throw error;
    return broken('unreadable', error.message, 'Check the file and its permissions.');
  }
}

function flatProblem(file: string): Problem {
  return problemAt('', file)(0, {
    code: 'legacy-layout',
    message: 'a record in the old flat layout, which is not read',
    hint: 'Run learnings migrate-layout: it moves each record into a folder of its own.',
  });
}
