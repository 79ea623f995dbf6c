import {
  evidenceKinds,
  kinds,
  LearningsError,
  toRow,
  type Change,
  type Evidence,
  type Learning,
  type LearningRecord,
  type Learnings,
  type NewLearning,
  type Problem,
  type Store,
} from '../core/api';
import { openFrom, openStoreAt, openStoreFrom, rootForNewStore } from '../node/open';
import { exitCodes, UsageError, type Command, type Invocation, type Option } from './command';

const scopeOption: Option = {
  type: 'string',
  multiple: true,
  value: 'paths=GLOB,…|tags=…|symbols=…',
  help: 'what it is about; may be repeated, or give several after one --scope',
};
const textOptions: Record<string, Option> = {
  summary: { type: 'string', value: 'TEXT', help: 'one sentence: what to know' },
  rationale: { type: 'string', value: 'TEXT', help: 'why: what went wrong without it' },
  'body-file': { type: 'string', value: 'FILE', help: 'a longer text in Markdown; - for standard input' },
  kind: { type: 'string', choices: kinds, help: 'what sort of knowledge it is' },
  priority: { type: 'string', value: 'NUMBER', help: 'higher comes first; 0 unless given' },
  scope: scopeOption,
};

/** Every command of `learnings`, by name. */
export const commands: Readonly<Record<string, Command>> = {
  init: {
    summary: 'Make a .learnings folder here, and tell git about it.',
    usage: '',
    examples: ['learnings init'],
    async run(invocation) {
      const { terminal } = invocation;
      const root = rootForNewStore(invocation.cwd);
      const created = await openStoreAt(root).init();
      invocation.answer({ root, created }, () =>
        terminal.print(
          created.length > 0
            ? `Made ${created.join(', ')} in ${root}.`
            : `${root} has a .learnings folder already.`,
        ),
      );
      return exitCodes.ok;
    },
  },

  add: {
    summary: 'Record a learning.',
    usage: '--summary TEXT --scope paths=GLOB [tags=TAG] [--evidence task=ID]',
    positionals: [0, Infinity],
    options: {
      ...textOptions,
      evidence: {
        type: 'string',
        multiple: true,
        value: 'KIND=REF',
        help: `where it comes from: ${evidenceKinds.join(', ')}`,
      },
      supersedes: {
        type: 'string',
        multiple: true,
        value: 'ID',
        help: 'the learning this one takes the place of',
      },
      model: { type: 'string', value: 'NAME', help: "who says so; git's user unless given" },
      candidate: { type: 'boolean', help: 'propose it only: it is not delivered until promoted' },
    },
    examples: [
      'learnings add --summary "Compare outputs first." --scope paths=src/engine/** tags=performance',
      'git log -1 --format=%B | learnings add --summary "Never retry a POST." --scope paths=src/http/ --body-file - --evidence commit=3edf00ed',
    ],
    async run(invocation) {
      const summary = invocation.value('summary');
      if (summary === undefined) throw new UsageError('Give the learning as --summary TEXT.');
      const { scope, evidence } = readPairs(invocation);
      const store = openStoreFrom(invocation.cwd);
      const createdBy = invocation.value('model') ?? (await store.git.userName());
      const learning: NewLearning = {
        summary,
        scope,
        ...(await readTexts(invocation)),
        ...(evidence.length > 0 && { evidence }),
        ...(createdBy && { createdBy }),
        supersedes: invocation.values('supersedes'),
      };
      const id = await (invocation.flag('candidate') ? store.propose(learning) : store.add(learning));
      invocation.answer({ id }, () => invocation.terminal.print(`Saved as ${id}.`));
      return exitCodes.ok;
    },
  },

  list: {
    summary: 'List learnings; with --path or --tag, the active ones about that, best first.',
    usage: '[--path FILE]… [--tag TAG]… [--status active|superseded|archived|candidate]',
    options: {
      path: {
        type: 'string',
        multiple: true,
        value: 'FILE',
        help: 'a file, relative to the root or absolute',
      },
      tag: { type: 'string', multiple: true, value: 'TAG', help: 'a topic' },
      status: {
        type: 'string',
        choices: ['active', 'superseded', 'archived', 'candidate'],
        help: 'only these',
      },
    },
    examples: ['learnings list --path src/http/server.ts', 'learnings list --status superseded --json'],
    async run(invocation) {
      const status = invocation.value('status');
      const paths = invocation.values('path');
      const tags = invocation.values('tag');
      const learnings = await openFrom(invocation.cwd);
      const matches = paths.length + tags.length > 0 ? learnings.find({ paths, tags }) : undefined;
      const pool = await recordsOf(learnings, status);
      const rows =
        matches && (status === undefined || status === 'active')
          ? matches
          : pool
              .filter(
                (record) =>
                  status === undefined ||
                  !['active', 'superseded'].includes(status) ||
                  record.status === status,
              )
              .filter((record) => tags.length === 0 || tags.some((tag) => record.scope.tags.includes(tag)))
              .map((record) => ({ record, matchedBy: [] }));
      const results = rows.map(toRow);
      const { terminal } = invocation;
      invocation.answer({ results }, () => {
        if (rows.length === 0) terminal.print('Nothing matches.');
        for (const { record } of rows) {
          const superseded = record.status === 'superseded';
          const label = terminal.style(superseded ? 'dim' : 'bold', record.id);
          const note = superseded ? `(superseded by ${record.supersededBy ?? 'another'}) ` : '';
          terminal.print(`${label}  ${terminal.wrap(note + record.summary, record.id.length + 2)}`);
        }
      });
      return reportProblems(invocation, learnings.problems());
    },
  },

  show: {
    summary: 'Show one learning whole, with its votes.',
    usage: '<id>',
    positionals: [1, 1],
    examples: ['learnings show L-0001'],
    async run(invocation) {
      const [id = ''] = invocation.positionals;
      const scan = await openStoreFrom(invocation.cwd).read();
      const found = [...scan.learnings, ...scan.candidates, ...scan.archived].find(
        ({ record }) => record.id === id,
      );
      if (!found) {
        const broken = scan.problems.find(({ file }) => file.includes(`/${id}/`));
        throw new LearningsError(
          'not-found',
          broken ? describeProblem(broken) : `No learning ${id}. Run learnings list to see what there is.`,
        );
      }
      const lastVoted = found.votes
        .map(({ at }) => at)
        .toSorted()
        .at(-1);
      const data = {
        ...found.record,
        file: found.file,
        vote_count: found.votes.length,
        last_voted_at: lastVoted ?? null,
      };
      invocation.answer(data, () => printLearning(invocation, found));
      return exitCodes.ok;
    },
  },

  update: {
    summary: 'Change fields of a learning; every other line of the file stays as it is.',
    usage: '<id> [--summary TEXT] [--scope paths=…] …',
    positionals: [1, Infinity],
    options: textOptions,
    examples: [
      'learnings update L-0001 --scope paths=src/new/**',
      'learnings update L-0001 --body-file notes.md',
    ],
    async run(invocation) {
      const [id = '', ...rest] = invocation.positionals;
      const { scope } = readPairs(invocation, rest);
      const texts = await readTexts(invocation);
      const summary = invocation.value('summary');
      const changes: Change[] = [
        ...(summary === undefined ? [] : [[['summary'], summary] as Change]),
        ...Object.entries(texts).map(([key, value]): Change => [[key], value]),
        ...Object.entries(scope).map(([key, value]): Change => [['scope', key], value]),
      ];
      if (changes.length === 0)
        throw new UsageError('Nothing to change: give --summary, --scope, --body-file or another field.');
      await openStoreFrom(invocation.cwd).update(id, changes);
      invocation.answer({ id }, () => invocation.terminal.print(`Updated ${id}.`));
      return exitCodes.ok;
    },
  },

  supersede: {
    summary: 'Replace a learning by another: the old one is kept and never delivered again.',
    usage: '<id> --with <id>',
    positionals: [1, 1],
    options: { with: { type: 'string', value: 'ID', help: 'the learning that takes its place' } },
    examples: ['learnings supersede L-0001 --with L-0042'],
    async run(invocation) {
      const [id = ''] = invocation.positionals;
      const by = invocation.value('with');
      if (by === undefined) throw new UsageError('Usage: learnings supersede <id> --with <id>');
      await openStoreFrom(invocation.cwd).supersede(id, by);
      invocation.answer({ id, superseded_by: by }, () =>
        invocation.terminal.print(`${id} is superseded by ${by}.`),
      );
      return exitCodes.ok;
    },
  },

  upvote: {
    summary: 'Say that a learning proved true again.',
    usage: '<id> [--model NAME] [--task ID]',
    positionals: [0, 1],
    options: {
      id: { type: 'string', value: 'ID', help: 'the learning, if it is not given as an argument' },
      model: { type: 'string', value: 'NAME', help: "who votes; git's user unless given" },
      task: { type: 'string', value: 'ID', help: 'the work it was met in; the branch unless given' },
    },
    examples: ['learnings upvote L-0001', 'learnings upvote --id L-0001 --model claude --task TIDE-95'],
    async run(invocation) {
      const id = invocation.positionals[0] ?? invocation.value('id');
      if (id === undefined) throw new UsageError('Usage: learnings upvote <id>');
      const store = openStoreFrom(invocation.cwd);
      const voter = invocation.value('model') ?? (await store.git.userName());
      const task = invocation.value('task') ?? (await store.git.branch());
      if (!voter)
        throw new LearningsError('refused', 'Who votes? git has no user.name here: give --model NAME.');
      if (!task)
        throw new LearningsError('refused', 'For which work? There is no git branch here: give --task ID.');
      const { added, count } = await store.upvote(id, { voter, task });
      invocation.answer({ id, added, vote_count: count }, () =>
        invocation.terminal.print(
          added
            ? `${voter} upvoted ${id} for ${task}: ${count} in all.`
            : `${voter} has voted for ${id} on ${task} before.`,
        ),
      );
      return exitCodes.ok;
    },
  },

  archive: moveCommand('archive', {
    summary: 'Put a learning away: kept for history, never delivered.',
    past: 'Archived',
    example: 'L-0001 --reason "the module is gone"',
    takesReason: true,
    async move(store, id, reason) {
      await store.archive(id, reason);
      return id;
    },
  }),
  restore: moveCommand('restore', {
    summary: 'Take a learning out of the archive again.',
    past: 'Restored',
    example: 'L-0001',
    async move(store, id) {
      await store.restore(id);
      return id;
    },
  }),
  promote: moveCommand('promote', {
    summary: 'Make a candidate a learning.',
    past: 'Promoted',
    example: 'C-7f3a9c21',
    move: (store, id) => store.promote(id),
  }),
  reject: moveCommand('reject', {
    summary: 'Put a candidate away; it is kept in the archive.',
    past: 'Rejected',
    example: 'C-7f3a9c21 --reason "not true any more"',
    takesReason: true,
    async move(store, id, reason) {
      await store.reject(id, reason);
      return id;
    },
  }),

  sync: {
    summary: 'Read every record and vote again, and list what is wrong.',
    usage: '',
    examples: ['learnings sync'],
    async run(invocation) {
      const { learnings, candidates, archived, problems } = await openStoreFrom(invocation.cwd).read();
      const counts = {
        learnings: learnings.length,
        candidates: candidates.length,
        archived: archived.length,
      };
      invocation.answer({ ...counts, problems }, () =>
        invocation.terminal.print(
          `${counts.learnings} learnings, ${counts.candidates} candidates, ${counts.archived} archived, ${problems.length} problems.`,
        ),
      );
      return reportProblems(invocation, problems);
    },
  },

  'migrate-layout': {
    summary: 'Move records of the old flat layout into folders of their own.',
    usage: '',
    examples: ['learnings migrate-layout'],
    async run(invocation) {
      const moved = await openStoreFrom(invocation.cwd).migrateLayout();
      invocation.answer({ moved }, () =>
        invocation.terminal.print(moved.length > 0 ? `Moved ${moved.join(', ')}.` : 'Nothing to move.'),
      );
      return exitCodes.ok;
    },
  },
};

/** The records a status may name; the store is read again only for those that are kept out of sight. */
async function recordsOf(
  learnings: Learnings,
  status: string | undefined,
): Promise<readonly LearningRecord[]> {
  if (status !== 'archived' && status !== 'candidate') return learnings.all();
  const { archived, candidates } = await openStoreFrom(learnings.root).read();
  return (status === 'archived' ? archived : candidates).map(({ record }) => record);
}

interface Move {
  readonly summary: string;
  readonly past: string;
  readonly example: string;
  readonly takesReason?: boolean;
  /** Gives the id that the record has afterwards. */
  move(store: Store, id: string, reason: string | undefined): Promise<string>;
}

/** A command that takes one record from one place to another. */
function moveCommand(name: string, action: Move): Command {
  const { summary, past, example, takesReason } = action;
  const reason: Option = { type: 'string', value: 'TEXT', help: 'why, for whoever looks at it later' };
  return {
    summary,
    usage: `<id>${takesReason ? ' [--reason TEXT]' : ''}`,
    positionals: [1, 1],
    options: takesReason ? { reason } : {},
    examples: [`learnings ${name} ${example}`],
    async run(invocation) {
      const [given = ''] = invocation.positionals;
      const id = await action.move(openStoreFrom(invocation.cwd), given, invocation.value('reason'));
      invocation.answer({ id }, () =>
        invocation.terminal.print(id === given ? `${past} ${id}.` : `${past} ${given} as ${id}.`),
      );
      return exitCodes.ok;
    },
  };
}

/** `paths=a,b tags=c task=T1`, from --scope, --evidence and what stands loose behind them. */
function readPairs(
  invocation: Invocation,
  loose: readonly string[] = invocation.positionals,
): {
  scope: { paths?: string[]; tags?: string[]; symbols?: string[] };
  evidence: Evidence[];
} {
  const scope: { paths?: string[]; tags?: string[]; symbols?: string[] } = {};
  const evidence: Evidence[] = [];
  for (const pair of [...invocation.values('scope'), ...invocation.values('evidence'), ...loose]) {
    const [, key = '', value = ''] = /^(\w+)=(.+)$/s.exec(pair) ?? [];
    if (key === 'paths' || key === 'tags' || key === 'symbols') (scope[key] ??= []).push(...splitList(value));
    else if (isEvidenceKind(key)) evidence.push(...splitList(value).map((ref) => ({ kind: key, ref })));
    else
      throw new UsageError(
        `"${pair}" is neither a scope such as paths=src/** nor evidence such as task=T-1.`,
      );
  }
  return { scope, evidence };
}

function isEvidenceKind(key: string): key is Evidence['kind'] {
  return (evidenceKinds as readonly string[]).includes(key);
}

/** Splits at commas, but not inside the braces of a glob. */
function splitList(value: string): string[] {
  return value.split(/,(?![^{]*\})/).filter(Boolean);
}

async function readTexts(
  invocation: Invocation,
): Promise<Pick<NewLearning, 'rationale' | 'body' | 'kind' | 'priority'>> {
  const bodyFile = invocation.value('body-file');
  const rationale = invocation.value('rationale');
  const kind = kinds.find((name) => name === invocation.value('kind'));
  const priority = invocation.value('priority');
  if (priority !== undefined && !/^-?\d+$/.test(priority))
    throw new UsageError('--priority must be a whole number.');
  return {
    ...(kind && { kind }),
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(rationale !== undefined && { rationale }),
    ...(bodyFile !== undefined && { body: await invocation.readText(bodyFile) }),
  };
}

function printLearning({ terminal }: Invocation, { record, votes, file }: Learning): void {
  const row = (label: string, value: string): void => {
    if (value !== '') terminal.print(`${terminal.style('dim', label.padEnd(12))}${terminal.wrap(value, 12)}`);
  };
  terminal.print(terminal.style('bold', `${record.id}  ${record.summary}`));
  row('status', record.status + (record.supersededBy ? ` by ${record.supersededBy}` : ''));
  row('kind', record.kind);
  row('why', record.rationale ?? '');
  row('paths', record.scope.paths.join('  '));
  row('tags', record.scope.tags.join(', '));
  row('symbols', record.scope.symbols.join(', '));
  row('evidence', record.evidence.map(({ kind, ref }) => `${kind} ${ref}`).join(', '));
  row('votes', String(votes.length));
  row('updated', [record.updatedAt, record.createdBy && `by ${record.createdBy}`].filter(Boolean).join(' '));
  row('file', file);
  if (record.body) terminal.print(`\n${record.body.trimEnd()}`);
}

function describeProblem({ file, line, column, message, hint }: Problem): string {
  return `${file}:${line}:${column}: ${message}. ${hint}`;
}

function reportProblems({ terminal }: Invocation, problems: readonly Problem[]): 0 | 3 {
  for (const problem of problems) terminal.warn(describeProblem(problem));
  return problems.some(({ severity }) => severity === 'error') ? exitCodes.problems : exitCodes.ok;
}
