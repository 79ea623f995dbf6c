import { parseConfig, parseTags } from '../config/config';
import { patternProblems } from '../index/catalog';
import { parseGlob } from '../match/glob';
import type { FileSystem, Git, Secrets } from '../ports';
import { parseRecord, type ParsedRecord } from '../record/parse';
import type { LearningRecord } from '../record/schema';
import { ARCHIVE, nameOf, parentOf } from '../store/layout';
import { innerOf, isAt, placesIn, placeAt, type Place, type Span } from '../yaml/cursor';
import { editYaml } from '../yaml/edit';
import { oneLine } from '../yaml/hostileText';
import { nearest } from '../yaml/nearest';
import { problemAt, type Problem, type ProblemCode } from '../yaml/problem';
import { keysBelow, storeFileOf, type StoreFile } from './keys';
import { filesMatching, MAX_CHOICES, movedTo } from './patterns';
import { commitsOf, isOnDisk } from './stale';

/** What a file of a store is looked at beside. What is left out is not looked for. */
export interface ReviewContext {
  /** The files of the working tree, relative to the root. */
  readonly workingFiles?: readonly string[] | undefined;
  readonly files?: Pick<FileSystem, 'stat'> | undefined;
  readonly git?: Pick<Git, 'missingCommits'> | undefined;
  readonly secrets?: Secrets | undefined;
  /** What tags.yaml says; where it says nothing, every tag will do. */
  readonly tags: ReadonlyMap<string, string>;
  /** Another record of the store. */
  readonly get: (id: string) => Pick<LearningRecord, 'summary' | 'supersedes'> | undefined;
  /** Learnings that say much the same, the likest first. */
  readonly similar: (summary: string) => readonly { readonly id: string; readonly overlap: number }[];
}

type Finding = Pick<Problem, 'code' | 'message' | 'hint'> & Partial<Problem>;

interface Subject {
  readonly file: string;
  readonly text: string;
  readonly places: readonly Place[];
}

/** What the review finds itself, so that of a file being edited nothing else needs to be said of these. */
export const reviewedCodes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'too-large',
  'conflict-markers',
  'too-complex',
  'alias',
  'yaml',
  'schema',
  'hostile-text',
  'id-mismatch',
  'pattern',
  'lost-successor',
  'secret',
  'dead-glob',
  'too-broad',
  'missing-commit',
  'similar',
  'unknown-tag',
  'unknown-id',
  'unknown-key',
]);

/** Everything that is wrong, or may be, with the text of a file of a store. `file` is relative to the root. */
export async function reviewFile(
  file: string,
  text: string,
  context: ReviewContext,
): Promise<readonly Problem[]> {
  const kind = storeFileOf(file);
  if (!kind) return [];
  const subject: Subject = { file, text, places: placesIn(text) };
  const bytes = new TextEncoder().encode(text);
  const found =
    kind === 'record'
      ? await reviewRecord(subject, bytes, context)
      : (kind === 'config' ? parseConfig(bytes) : parseTags(bytes)).problems;
  const secrets = (await context.secrets?.find(text)) ?? [];
  return [
    ...found.map((problem) => placed(subject, withChoices(problem, kind))),
    ...secrets.map(({ what, offset }) => secretProblem(subject, what, offset)),
  ];
}

async function reviewRecord(
  subject: Subject,
  bytes: Uint8Array,
  context: ReviewContext,
): Promise<readonly Problem[]> {
  const { file } = subject;
  const parsed = parseRecord(bytes, file);
  const record = readable(parsed, subject);
  const always = [...parsed.problems, ...patternProblems(parsed), ...unknownKeys(subject)];
  if (!record) return always;
  const at = (path: readonly PropertyKey[], finding: Finding): Problem =>
    problemAt(subject.text, file)(0, { severity: 'warning', ...finding, path });
  const folder = nameOf(parentOf(file));
  if (record.id !== folder) {
    always.push(
      at(['id'], {
        code: 'id-mismatch',
        severity: 'error',
        message: `id ${record.id} in the folder ${folder}`,
        hint: `Set id: ${folder}, or rename the folder.`,
        instead: [folder],
      }),
    );
  }
  always.push(...unknownIds(record, context).map(([path, finding]) => at(path, finding)));
  // What is put away need not be true of today's files.
  if (file.startsWith(`${ARCHIVE}/`) || record.status === 'superseded') return always;
  const more = [
    ...(await deadGlobs(record, context)),
    ...tooBroad(record, context),
    ...(await missingCommits(record, context)),
    ...unknownTags(record, context),
    ...similarOnes(record, context),
  ];
  return [...always, ...more.map(([path, finding]) => at(path, finding))];
}

/** The record; of one with values that are wrong, what is left without them, for the rest may need a word too. */
function readable({ record, problems }: ParsedRecord, { text, file }: Subject): LearningRecord | undefined {
  if (record || problems.some(({ code }) => code !== 'schema')) return record;
  const wrong = new Set(problems.map(({ path = [] }) => String(path[0])));
  try {
    const rest = editYaml(
      text,
      [...wrong].map((key) => [[key], undefined]),
    );
    return parseRecord(new TextEncoder().encode(rest), file).record;
  } catch {
    return undefined;
  }
}

type Found = [path: readonly PropertyKey[], finding: Finding];

async function deadGlobs(
  { scope: { paths } }: LearningRecord,
  { workingFiles, files }: ReviewContext,
): Promise<Found[]> {
  if (!workingFiles) return [];
  const found: Found[] = [];
  for (const [index, pattern] of paths.entries()) {
    if (pattern.startsWith('!') || 'refused' in parseGlob(pattern)) continue;
    if (filesMatching([pattern], workingFiles, 1).length > 0) continue;
    if (files && (await isOnDisk(files, pattern))) continue;
    const finding: Finding = {
      code: 'dead-glob',
      message: `no file matches ${pattern}`,
      hint: 'Correct the pattern, or remove it if what it was about is gone.',
      instead: movedTo(pattern, workingFiles),
    };
    found.push([['scope', 'paths', index], finding]);
  }
  return found;
}

/** `*`, `**`, `**\/*`: whatever the file. */
const EVERYTHING = /^(?:\*\*\/)*\*{1,2}$/;

/** `**` alone says that the whole repository is meant. Anything else that matches all of it may be an accident. */
function tooBroad(record: LearningRecord, { workingFiles }: ReviewContext): Found[] {
  const wanted = record.scope.paths.filter((pattern) => !pattern.startsWith('!'));
  return record.scope.paths.flatMap((pattern, index): Found[] => {
    if (!EVERYTHING.test(pattern) || (pattern === '**' && wanted.length === 1)) return [];
    const others = wanted.length > 1;
    const finding: Finding = {
      code: 'too-broad',
      message: `${pattern} matches every file${others ? ', so the patterns beside it say nothing' : ''}`,
      hint: `Name the files it is about, or write "**" alone if it is about all of them.`,
      instead: narrower(record, workingFiles ?? []),
    };
    return [[['scope', 'paths', index], finding]];
  });
}

/** What the evidence points at. */
function narrower({ evidence, scope }: LearningRecord, files: readonly string[]): string[] {
  const known = new Set(files);
  const named = evidence
    .filter(({ kind }) => kind === 'file')
    .map(({ ref }) => ref.replace(/[:#].*$/, ''))
    .filter((path) => known.has(path));
  const folders = named.map(parentOf).filter(Boolean);
  const proposals = [...named, ...folders.map((folder) => `${folder}/**`)];
  return [...new Set(proposals)].filter((one) => !scope.paths.includes(one)).slice(0, MAX_CHOICES);
}

async function missingCommits(record: LearningRecord, { git }: ReviewContext): Promise<Found[]> {
  const commits = commitsOf(record);
  const missing = commits.length > 0 ? await git?.missingCommits(commits) : undefined;
  return record.evidence.flatMap(({ kind, ref }, index): Found[] =>
    kind === 'commit' && missing?.includes(ref)
      ? [
          [
            ['evidence', index, 'ref'],
            {
              code: 'missing-commit',
              message: `this branch has no commit ${ref}`,
              hint: 'A squash or rebase leaves the commits of a branch behind. Name one that is here, or remove it.',
            },
          ],
        ]
      : [],
  );
}

function unknownTags({ scope }: LearningRecord, { tags }: ReviewContext): Found[] {
  if (tags.size === 0) return [];
  return scope.tags.flatMap((tag, index): Found[] => {
    if (tags.has(tag)) return [];
    const finding: Finding = {
      code: 'unknown-tag',
      message: `${tag} is not in tags.yaml`,
      hint: 'Add it there with what it means, or use one that is there.',
      instead: nearest(tag, tags.keys()).slice(0, MAX_CHOICES),
    };
    return [[['scope', 'tags', index], finding]];
  });
}

function similarOnes(record: LearningRecord, { similar, get }: ReviewContext): Found[] {
  const related = new Set([record.id, record.supersededBy, ...record.supersedes]);
  const [first] = similar(record.summary).filter(
    ({ id }) => !related.has(id) && !get(id)?.supersedes.includes(record.id),
  );
  const other = first && get(first.id);
  if (!other) return [];
  const finding: Finding = {
    code: 'similar',
    message: `much the same as ${first.id}: ${oneLine(other.summary, 120)}`,
    hint: 'Upvote that one instead, or supersede it with this one.',
    instead: [first.id],
  };
  return [[['summary'], finding]];
}

function unknownIds(record: LearningRecord, { get }: ReviewContext): Found[] {
  const { id, supersedes, supersededBy } = record;
  const found = supersedes.flatMap((old, index): Found[] => {
    if (get(old) || old === id) return [];
    const path = supersedes.length === 1 ? ['supersedes'] : ['supersedes', index];
    const hint = 'Correct the id, or remove it.';
    return [[path, { code: 'unknown-id', message: `it supersedes ${old}, which is not there`, hint }]];
  });
  if (supersededBy === undefined || get(supersededBy) || supersededBy === id) return found;
  const finding: Finding = {
    code: 'lost-successor',
    message: `${id} is superseded by ${supersededBy}, which is not there`,
    hint: `Get ${supersededBy} back from git, or take superseded_by away and set status: active.`,
  };
  return [...found, [['superseded_by'], finding]];
}

/** Keys are free, so one that nobody knows is only told of if it looks like one that somebody meant. */
function unknownKeys({ text, file, places }: Subject): Problem[] {
  return places.flatMap(({ path, key, shape }) => {
    const name = path.at(-1);
    if (!key || typeof name !== 'string' || shape === 'unfinished' || oldSpellings.has(name)) return [];
    const known = keysBelow('record', path.slice(0, -1)).map((one) => one.name);
    if (known.length === 0 || known.includes(name)) return [];
    const unused = known.filter((one) => !places.some((place) => isAt(place, [...path.slice(0, -1), one])));
    const instead = nearest(name, unused).slice(0, MAX_CHOICES);
    if (instead.length === 0) return [];
    const problem = problemAt(text, file)(key.start, {
      code: 'unknown-key',
      severity: 'warning',
      message: `${name} is not a key that is known here`,
      hint: `Did you mean ${instead.join(' or ')}?`,
      path,
      instead,
    });
    return [problem];
  });
}

const oldSpellings = new Set(['schema_version', 'reference']);

/** Puts the likeliest of what may stand there first. */
function withChoices(problem: Problem, file: StoreFile): Problem {
  const { code, path = [], message, instead } = problem;
  if (code !== 'schema' || path.length === 0) return problem;
  const last = String(path.at(-1));
  if (file === 'config' && message.endsWith('is not a setting')) {
    const keys = keysBelow('config', path.slice(0, -1).map(String));
    const near = nearest(
      last,
      keys.map(({ name }) => name),
    );
    return { ...problem, instead: near.slice(0, MAX_CHOICES) };
  }
  return instead ? problem : { ...problem, instead: keyValues(file, path) };
}

const keyValues = (file: StoreFile, path: readonly PropertyKey[]): readonly string[] =>
  keysBelow(file, path.slice(0, -1).map(String)).find(({ name }) => name === path.at(-1))?.values ?? [];

function secretProblem({ text, file, places }: Subject, what: string, offset: number): Problem {
  const word = /^[^\s"'`,\]}]+/.exec(text.slice(offset))?.[0] ?? '';
  const holder = places.findLast(({ value }) => value.start <= offset && offset < value.end);
  return spanned(
    text,
    problemAt(text, file)(offset, {
      code: 'secret',
      message: `this looks like ${what}`,
      hint: 'Remove it, and make it useless where it came from: what was committed once stays in the history of git.',
      ...(holder && { path: holder.path }),
    }),
    { start: offset, end: offset + Math.max(1, word.length) },
  );
}

/** A problem on the very value or key that it is about. */
function placed({ text, places }: Subject, problem: Problem): Problem {
  const { path, code } = problem;
  const place = path && path.length > 0 ? placeAt(places, path) : undefined;
  if (!place) return problem;
  const { key, value, shape } = place;
  const isWord = shape === 'plain' || shape === 'quoted';
  const ofKey = code === 'unknown-key' || problem.message.endsWith('is not a setting');
  const span = key && (ofKey || !isWord) ? key : isWord ? innerOf(text, value) : value;
  return span.end > span.start ? spanned(text, problem, span) : problem;
}

function spanned(text: string, problem: Problem, { start, end }: Span): Problem {
  const at = problemAt(text, problem.file);
  const { line, column } = at(start, problem);
  const { line: lastLine, column: lastColumn } = at(end, problem);
  return { ...problem, line, column, end: { line: lastLine, column: lastColumn } };
}
