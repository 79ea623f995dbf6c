import { compileScope, type Matcher, type Target } from './match';
import { relativeTo } from './paths';
import type { FileSystem } from './ports';
import { parseRecord, type LearningRecord, type Problem } from './record';

export interface Match {
  readonly record: LearningRecord;
  /** Why it matched, such as `path:src/a.ts ~ src/**`. */
  readonly matchedBy: readonly string[];
}

/** The learnings of one repository, as they were when last loaded. */
export interface Learnings {
  /** The folder that holds `.learnings`. */
  readonly root: string;
  /** Every record that could be read, active first, then by rank. */
  all(): readonly LearningRecord[];
  problems(): readonly Problem[];
  /** The active learnings about a target, best first. Paths may be absolute or relative to the root. */
  find(target: Target): readonly Match[];
  /** Reads the folder again. */
  reload(): Promise<void>;
}

const RECORD_FOLDER = /^L-\d{4,}$/;

/** Opens the learnings of a repository. `files` is rooted at `root`, the folder that holds `.learnings`. */
export async function openLearnings(options: { root: string; files: FileSystem }): Promise<Learnings> {
  const { root, files } = options;
  let entries: readonly { record: LearningRecord; match: Matcher }[] = [];
  let problems: readonly Problem[] = [];

  const learnings: Learnings = {
    root,
    all: () => entries.map((entry) => entry.record),
    problems: () => problems,
    find(target) {
      const normal: Target = {
        ...target,
        paths: target.paths?.flatMap((path) => relativeTo(root, path) ?? []),
      };
      return entries.flatMap(({ record, match }) => {
        const matchedBy = record.status === 'active' ? match(normal) : [];
        return matchedBy.length > 0 ? [{ record, matchedBy }] : [];
      });
    },
    async reload() {
      const loaded = await loadRecords(files);
      problems = loaded.problems;
      entries = loaded.records
        .toSorted(byRank)
        .map((record) => ({ record, match: compileScope(record.scope) }));
    },
  };
  await learnings.reload();
  return learnings;
}

async function loadRecords(files: FileSystem): Promise<{ records: LearningRecord[]; problems: Problem[] }> {
  const records: LearningRecord[] = [];
  const problems: Problem[] = [];
  for (const entry of await files.list('.learnings')) {
    if (entry.kind !== 'folder' || !RECORD_FOLDER.test(entry.name)) continue;
    const file = `.learnings/${entry.name}/learning.yaml`;
    try {
      const parsed = parseRecord(await files.readText(file), file);
      if ('record' in parsed) records.push(parsed.record);
      else problems.push(...parsed.problems);
    } catch (error) {
      // One unreadable file must not hide the others.
      problems.push({ file, line: 1, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { records, problems };
}

/** Active before superseded, higher priority first, newer first, then by id: a total order. */
function byRank(a: LearningRecord, b: LearningRecord): number {
  return (
    Number(a.status === 'superseded') - Number(b.status === 'superseded') ||
    b.priority - a.priority ||
    (b.updated_at ?? '').localeCompare(a.updated_at ?? '') ||
    a.id.localeCompare(b.id)
  );
}
