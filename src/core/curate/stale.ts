import { matchGlob, parseGlob } from '../match/glob';
import type { FileSystem, Git, Hash } from '../ports';
import type { LearningRecord } from '../record/schema';
import { fingerprintOf } from './fingerprint';
import { listWorkingFiles } from './workingFiles';

interface Reason {
  /** Commits alone prove little: a squash merge leaves none of a branch's own. */
  readonly kind: 'files' | 'commits' | 'inputs';
  /** A sentence. */
  readonly text: string;
}

export interface Stale {
  readonly record: LearningRecord;
  readonly reasons: readonly Reason[];
}

interface Ports {
  readonly files: FileSystem;
  readonly git: Git;
  readonly hash: Hash;
}

interface Options {
  /** Asked before each record; what is not looked at is not told of. */
  readonly goOn?: () => boolean;
}

/** The records that what they were about has left behind. What cannot be looked up here makes nothing stale. */
export async function findStale(
  ports: Ports,
  records: readonly LearningRecord[],
  { goOn = () => true }: Options = {},
): Promise<readonly Stale[]> {
  const present = await listWorkingFiles(ports);
  const commits = [...new Set(records.flatMap(commitsOf))];
  const missing = commits.length > 0 ? await ports.git.missingCommits(commits) : undefined;
  const gone = missing && new Set(missing);
  const found: Stale[] = [];
  for (const record of records) {
    if (!goOn()) break;
    const reasons: Reason[] = [
      ...(await filesGone(ports.files, record, present)),
      ...commitsGone(record, gone),
      ...(await inputsChanged(ports, record)),
    ];
    if (reasons.length > 0) found.push({ record, reasons });
  }
  return found;
}

async function filesGone(
  files: FileSystem,
  { scope: { paths } }: LearningRecord,
  present: readonly string[],
): Promise<Reason[]> {
  if (paths.length === 0) return [];
  const globs = paths
    .filter((pattern) => !pattern.startsWith('!'))
    .map((pattern) => parseGlob(pattern))
    .filter((glob) => 'readings' in glob);
  if (present.some((path) => globs.some((glob) => matchGlob(glob, path.split('/'))))) return [];
  for (const path of paths) if (await isOnDisk(files, path)) return [];
  return [{ kind: 'files', text: `No file matches ${paths.join(', ')} any more.` }];
}

/** Whether a path without wildcards is there, be it one that git ignores: a build's output, local settings. */
export async function isOnDisk(files: Pick<FileSystem, 'stat'>, path: string): Promise<boolean> {
  if (/[*?[\]{}()!]/.test(path) || path.startsWith('/') || path.split('/').includes('..')) return false;
  try {
    return (await files.stat(path.replace(/\/+$/, ''))) !== undefined;
  } catch {
    return true;
  }
}

export const commitsOf = ({ evidence }: LearningRecord): string[] =>
  evidence.flatMap(({ kind, ref }) => (kind === 'commit' && /^[0-9a-f]{7,40}$/i.test(ref) ? [ref] : []));

function commitsGone(record: LearningRecord, gone: ReadonlySet<string> | undefined): Reason[] {
  const commits = commitsOf(record);
  return gone && commits.length > 0 && commits.every((commit) => gone.has(commit))
    ? [
        {
          kind: 'commits',
          text: `This branch has none of the commits it rests on: ${commits.join(', ')}.`,
        },
      ]
    : [];
}

async function inputsChanged(ports: Ports, { fingerprint }: LearningRecord): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const { input, hash } of fingerprint) {
    const now = await fingerprintOf(ports, input).catch(() => undefined);
    if (now === hash) continue;
    const what = now === undefined ? 'is gone' : 'has changed';
    reasons.push({ kind: 'inputs', text: `${input}, which it depends on, ${what}.` });
  }
  return reasons;
}
