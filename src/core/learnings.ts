import { compileScope, type Matcher, type Target } from './match';
import { relativeTo } from './paths';
import type { FileSystem } from './ports';
import type { Problem } from './record/problem';
import type { LearningRecord } from './record/schema';
import { scanStore } from './store/scan';

export interface Match {
  readonly record: LearningRecord;
  /** Why it matched, such as `path:src/a.ts ~ src/**`. */
  readonly matchedBy: readonly string[];
}

/** Finds learnings about a target, in one repository or several. */
export type Finder = Pick<Learnings, 'find'>;

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
      const scan = await scanStore(files);
      problems = scan.problems;
      entries = scan.learnings
        .map(({ record }) => record)
        .toSorted(byRank)
        .map((record) => ({ record, match: compileScope(record.scope) }));
    },
  };
  await learnings.reload();
  return learnings;
}

/** Active before superseded, higher priority first, newer first, then by id: a total order. */
function byRank(a: LearningRecord, b: LearningRecord): number {
  return (
    Number(a.status === 'superseded') - Number(b.status === 'superseded') ||
    b.priority - a.priority ||
    time(b.updatedAt) - time(a.updatedAt) ||
    a.id.localeCompare(b.id)
  );
}

function time(text: string | undefined): number {
  return text === undefined ? 0 : Date.parse(text);
}
