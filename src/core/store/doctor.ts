import { CONFIG, TAGS } from '../config/config';
import type { Conflict } from '../ports';
import { problemAt, type Problem } from '../yaml/problem';
import { folderOf, isRecordFile, nameOf, parentOf, recordFile, STORE, votesFile } from './layout';
import { planConflict, resolveConflicts } from './mendConflicts';
import {
  cleanVoteFiles,
  isLeftBehind,
  mendIds,
  moveFlatRecords,
  moveVotesLeftBehind,
  partDuplicates,
  removeEmptyFolders,
  writeScaffolding,
} from './mendFolders';
import { mendSuccession } from './mendSuccession';
import { findLacks } from './scaffold';
import { scanStore, type Scan } from './scan';
import { findDisorders } from './succession';
import { readText, type Choices, type Surgery } from './surgery';
import type { StorePorts, Writer } from './writer';

export interface Finding {
  readonly problem: Problem;
  /** What healing does about it; undefined where only a person can. */
  readonly remedy: string | undefined;
  /** What a person can decide beforehand: whose text holds, or which of these records. */
  readonly asks?: 'keep' | { readonly inUse: readonly string[] };
}

export interface Healed {
  readonly done: readonly { readonly file: string; readonly did: string }[];
  /** What could not be mended, because the file itself stands in the way. */
  readonly failed: readonly { readonly file: string; readonly why: string }[];
  /** What is still wrong afterwards. */
  readonly left: readonly Problem[];
}

/** Everything that is wrong, with what `heal` would do. Changes nothing. */
export async function diagnose(ports: StorePorts, choices: Choices): Promise<readonly Finding[]> {
  const scan = await scanStore(ports.files);
  const origins = await ports.git.conflicts();
  const findings: Finding[] = [];
  for (const problem of scan.problems)
    findings.push(...(await judge(ports, problem, { ...choices, scan, origins })));
  for (const { file, line, isNew } of await findLacks(ports.files)) {
    const lack = isNew ? 'not there' : `does not say ${line}`;
    const problem = problemAt('', file)(0, {
      code: 'git-unaware',
      severity: 'warning',
      message: `${lack}, so git does not know how to treat this folder`,
      hint: 'Run learnings doctor --fix.',
    });
    findings.push({ problem, remedy: isNew ? 'write it' : `add ${line}` });
  }
  for (const problem of [...findRemoved(origins), ...(await findSecrets(ports, scan))])
    findings.push({ problem, remedy: undefined });
  return findings;
}

/** Mends what can be mended without losing anything. Runs inside the writer's lock. */
export async function heal(ports: StorePorts, writer: Writer, choices: Choices): Promise<Healed> {
  const elsewhere = await ports.git.entriesEverywhere();
  const surgery: Surgery = { ports, writer, choices, elsewhere, done: [], failed: [] };
  const steps = [
    writeScaffolding,
    moveFlatRecords,
    resolveConflicts,
    cleanVoteFiles,
    moveVotesLeftBehind,
    mendIds,
    partDuplicates,
    mendSuccession,
    removeEmptyFolders,
  ];
  for (const step of steps) await step(surgery);
  const { done, failed } = surgery;
  return { done, failed, left: (await diagnose(ports, choices)).map(({ problem }) => problem) };
}

interface Context extends Choices {
  readonly scan: Scan;
  readonly origins: ReadonlyMap<string, Conflict>;
}

/** What a problem of the scan comes to: its remedy, and what a person has to decide where there is none. */
async function judge(ports: StorePorts, problem: Problem, context: Context): Promise<readonly Finding[]> {
  const folder = parentOf(problem.file);
  const remedy = (text: string): Finding[] => [{ problem, remedy: text }];
  const open = (hint = problem.hint): Finding[] => [{ problem: { ...problem, hint }, remedy: undefined }];
  switch (problem.code) {
    case 'legacy-layout':
      return remedy('move it into a folder of its own');
    case 'vote':
      return remedy('remove the lines that are no votes');
    case 'id-mismatch':
      return remedy(`set id: ${nameOf(folder)}`);
    case 'missing-record':
      return (await isLeftBehind(ports, folder)) ? remedy('move its votes to the archived record') : open();
    case 'duplicate-id': {
      // A folder that has no record is no duplicate, and told of by itself.
      if (!(await ports.files.stat(recordFile(folderOf(nameOf(folder)))))) return [];
      return remedy('keep the one in use; give the archived one another id if it differs, else remove it');
    }
    case 'supersede':
      return judgeSuccession(problem, context);
    case 'conflict-markers': {
      if (!isRecordFile(problem.file)) return open();
      const resolution = await planConflict(ports, problem.file, context);
      const asks = (await dependsOnSide(ports, problem.file, context)) && ({ asks: 'keep' } as const);
      if (resolution.kind === 'unclear')
        return open(`Left to you: ${resolution.why}.`).map((finding) => ({ ...finding, ...asks }));
      return remedy(
        resolution.kind === 'one'
          ? ['put both sides together', ...resolution.notes].join('; ')
          : `keep both: ours as ${nameOf(folder)}, theirs under a new id, references followed`,
      ).map((finding) => ({ ...finding, ...asks }));
    }
    default:
      return open();
  }
}

/** Whether it makes a difference whose text holds, and nobody has decided that yet. */
async function dependsOnSide(ports: StorePorts, file: string, context: Context): Promise<boolean> {
  if (context.keep !== undefined) return false;
  const ours = await planConflict(ports, file, { ...context, keep: 'ours' });
  const theirs = await planConflict(ports, file, { ...context, keep: 'theirs' });
  return ours.kind === 'one' && theirs.kind === 'one' && ours.notes.join() !== theirs.notes.join();
}

function judgeSuccession(problem: Problem, { scan, inUse }: Context): readonly Finding[] {
  const records = scan.learnings.map(({ record }) => record);
  const circle = findDisorders(records, new Set()).find(
    (disorder) => disorder.kind === 'circle' && recordFile(folderOf(disorder.id)) === problem.file,
  );
  if (circle?.kind !== 'circle') return [{ problem, remedy: 'make both records say the same' }];
  const { id, ids, tied } = circle;
  if (ids.length === 1) {
    const message = `${id} is superseded by itself, so it is not delivered`;
    return [{ problem: { ...problem, message }, remedy: 'put it into use again' }];
  }
  const chosen = inUse !== undefined && ids.includes(inUse) ? inUse : tied ? undefined : id;
  if (chosen !== undefined) return [{ problem, remedy: `put ${chosen} into use again` }];
  const hint = `Say which one holds: learnings doctor --fix --in-use ${ids.toSorted().join(', or ')}.`;
  return [{ problem: { ...problem, hint }, remedy: undefined, asks: { inUse: ids.toSorted() } }];
}

/** What git cannot put together and leaves no marks in: a file that one side changed and the other does not have. */
function findRemoved(origins: ReadonlyMap<string, Conflict>): Problem[] {
  const removed = [...origins].filter(([file, kind]) => kind === 'removed' && file.startsWith(`${STORE}/`));
  return removed.map(([file]) =>
    problemAt('', file)(0, {
      code: 'unmerged',
      severity: 'warning',
      message: 'one side of the merge removed it, the other changed it',
      hint: `Keep it with git add ${file}, or let it go with git rm ${file}.`,
    }),
  );
}

/** Secrets in whatever of the store is committed. */
async function findSecrets({ files, secrets }: StorePorts, scan: Scan): Promise<Problem[]> {
  const records = [...scan.learnings, ...scan.candidates, ...scan.archived].map(({ file }) => file);
  const found: Problem[] = [];
  for (const file of [...records, ...records.map((one) => votesFile(parentOf(one))), CONFIG, TAGS]) {
    if ((await files.stat(file))?.kind !== 'file') continue;
    const text = await readText(files, file);
    for (const { what, offset } of await secrets.find(text)) {
      const message = `what looks like ${what}`;
      const hint = 'Take it out and have it revoked: what was committed stays in the history of git.';
      found.push(problemAt(text, file)(offset, { code: 'secret', severity: 'warning', message, hint }));
    }
  }
  return found;
}
