import {
  evidenceKinds,
  fingerprintOf,
  kinds,
  LearningsError,
  readConfig,
  splitPatterns,
  voteFrom,
  writeReceipt,
  type Change,
  type Evidence,
  type NewLearning,
  type Store,
} from '../core/api';
import { nodeGit } from '../node/git';
import { receiptsJournal } from '../node/journal';
import { findRoot } from '../node/findUp';
import type { OpenStore } from '../node/open';
import { exitCodes, UsageError, type Command, type Commands, type Invocation, type Option } from './command';
import { personalOptions, storeToWrite } from './stores';

const scopeOption: Option = {
  type: 'string',
  multiple: true,
  value: 'paths=GLOB,…|tags=…|symbols=…',
  help: 'what it is about; may be repeated, or give several after one --scope',
};
const evidenceOption: Option = {
  type: 'string',
  multiple: true,
  value: 'KIND=REF',
  help: `where it comes from: ${evidenceKinds.join(', ')}`,
};
const textOptions: Record<string, Option> = {
  summary: { type: 'string', value: 'TEXT', help: 'one sentence: what to know' },
  rationale: { type: 'string', value: 'TEXT', help: 'why: what went wrong without it' },
  'body-file': { type: 'string', value: 'FILE', help: 'a longer text in Markdown; - for standard input' },
  kind: { type: 'string', choices: kinds, help: 'what sort of knowledge it is' },
  priority: { type: 'string', value: 'NUMBER', help: 'higher comes first; 0 unless given' },
  scope: scopeOption,
};

/** The commands that make and change learnings. */
export const writeCommands: Commands = {
  add: {
    summary: 'Record a learning.',
    changes: () => true,
    usage: '--summary TEXT --scope paths=GLOB [tags=TAG] [--evidence task=ID]',
    positionals: [0, Infinity],
    options: {
      ...textOptions,
      evidence: evidenceOption,
      supersedes: {
        type: 'string',
        multiple: true,
        value: 'ID',
        help: 'the learning this one takes the place of',
      },
      fingerprint: {
        type: 'string',
        multiple: true,
        value: 'FILE[#KEY]',
        help: 'what it depends on, such as package.json#scripts.test: stale when that changes',
      },
      model: { type: 'string', value: 'NAME', help: "who says so; git's user unless given" },
      candidate: { type: 'boolean', help: 'propose it only: it is not delivered until promoted' },
      ...personalOptions,
    },
    examples: [
      'learnings add --summary "Compare outputs first." --scope paths=src/engine/** tags=performance',
      'git log -1 --format=%B | learnings add --summary "Never retry a POST." --scope paths=src/http/ --body-file - --evidence commit=3edf00ed',
    ],
    async run(invocation) {
      const summary = invocation.value('summary');
      if (summary === undefined) throw new UsageError('Give the learning as --summary TEXT.');
      const { scope, evidence } = readPairs(invocation);
      const store = await storeToWrite(invocation);
      const createdBy = invocation.value('model') ?? (await nodeGit(invocation.cwd).userName());
      const learning: NewLearning = {
        summary,
        scope,
        ...(await readTexts(invocation)),
        ...(evidence.length > 0 && { evidence }),
        fingerprint: await takeFingerprints(store, invocation.values('fingerprint')),
        ...(createdBy && { createdBy }),
        supersedes: invocation.values('supersedes'),
      };
      const id = await (invocation.flag('candidate') ? store.propose(learning) : store.add(learning));
      invocation.answer({ id }, () => invocation.terminal.print(`Saved as ${id}.`));
      await warnOfUnknownTags(invocation, store, scope.tags ?? []);
      return exitCodes.ok;
    },
  },

  update: {
    summary: 'Change fields of a learning; every other line of the file stays as it is.',
    changes: () => true,
    usage: '<id> [--summary TEXT] [--scope paths=…] [--evidence task=ID] …',
    positionals: [1, Infinity],
    options: {
      ...textOptions,
      evidence: { ...evidenceOption, help: 'where it comes from too: added to what is there' },
      'expected-file': {
        type: 'string',
        value: 'FILE',
        help: 'the record as you read it: a field that somebody else has changed since is not overwritten',
      },
      ...personalOptions,
    },
    examples: [
      'learnings update L-0001 --scope paths=src/new/**',
      'learnings update L-0001 --body-file notes.md',
    ],
    async run(invocation) {
      const [id = '', ...rest] = invocation.positionals;
      const { scope, evidence } = readPairs(invocation, rest);
      const texts = await readTexts(invocation);
      const summary = invocation.value('summary');
      const changes: Change[] = [
        ...(summary === undefined ? [] : [[['summary'], summary] as Change]),
        ...Object.entries(texts).map(([key, value]): Change => [[key], value]),
        ...Object.entries(scope).map(([key, value]): Change => [['scope', key], value]),
      ];
      if (changes.length + evidence.length === 0)
        throw new UsageError('Nothing to change: give --summary, --scope, --body-file or another field.');
      const expectedFile = invocation.value('expected-file');
      const expected = expectedFile === undefined ? undefined : await invocation.readText(expectedFile);
      const store = await storeToWrite(invocation);
      await store.update(id, changes, { expected, evidence });
      invocation.answer({ id }, () => invocation.terminal.print(`Updated ${id}.`));
      return exitCodes.ok;
    },
  },

  supersede: {
    summary: 'Replace a learning by another: the old one is kept and never delivered again.',
    changes: () => true,
    usage: '<id> --with <id>',
    positionals: [1, 1],
    options: {
      with: { type: 'string', value: 'ID', help: 'the learning that takes its place' },
      ...personalOptions,
    },
    examples: ['learnings supersede L-0001 --with L-0042'],
    async run(invocation) {
      const [id = ''] = invocation.positionals;
      const by = invocation.value('with');
      if (by === undefined) throw new UsageError('Usage: learnings supersede <id> --with <id>');
      const store = await storeToWrite(invocation);
      await store.supersede(id, by);
      invocation.answer({ id, superseded_by: by }, () =>
        invocation.terminal.print(`${id} is superseded by ${by}.`),
      );
      return exitCodes.ok;
    },
  },

  upvote: {
    summary: 'Say that a learning proved true again.',
    changes: () => true,
    usage: '<id> [--model NAME] [--task ID]',
    positionals: [0, 1],
    options: {
      id: { type: 'string', value: 'ID', help: 'the learning, if it is not given as an argument' },
      model: { type: 'string', value: 'NAME', help: "who votes; git's user unless given" },
      task: { type: 'string', value: 'ID', help: 'the work it was met in; the branch unless given' },
      ...personalOptions,
    },
    examples: ['learnings upvote L-0001', 'learnings upvote --id L-0001 --model claude --task TIDE-95'],
    async run(invocation) {
      const id = invocation.positionals[0] ?? invocation.value('id');
      if (id === undefined) throw new UsageError('Usage: learnings upvote <id>');
      const store = await storeToWrite(invocation);
      const given = { voter: invocation.value('model'), task: invocation.value('task') };
      const { voter, task } = await voteFrom(nodeGit(invocation.cwd), given);
      if (!voter)
        throw new LearningsError('refused', 'Who votes? git has no user.name here: give --model NAME.');
      if (!task)
        throw new LearningsError('refused', 'For which work? There is no git branch here: give --task ID.');
      const { added, count } = await store.upvote(id, { voter, task });
      const root = findRoot(invocation.cwd);
      if (added && root !== undefined) {
        const name = invocation.flag('personal') ? `personal/${id}` : id;
        const receipt = { at: new Date().toISOString(), did: 'upvoted', ids: [name] } as const;
        const agent = invocation.value('model');
        writeReceipt(receiptsJournal(root), { ...receipt, ...(agent !== undefined && { agent }) });
      }
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
};

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
    changes: () => true,
    usage: `<id>${takesReason ? ' [--reason TEXT]' : ''}`,
    positionals: [1, 1],
    options: { ...(takesReason && { reason }), ...personalOptions },
    examples: [`learnings ${name} ${example}`],
    async run(invocation) {
      const [given = ''] = invocation.positionals;
      const id = await action.move(await storeToWrite(invocation), given, invocation.value('reason'));
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
    if (key === 'paths' || key === 'tags' || key === 'symbols')
      (scope[key] ??= []).push(...splitPatterns(value));
    else if (isEvidenceKind(key)) evidence.push({ kind: key, ref: value });
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

async function takeFingerprints(
  store: OpenStore,
  inputs: readonly string[],
): Promise<NonNullable<NewLearning['fingerprint']>> {
  const taken: { input: string; hash: string }[] = [];
  for (const input of inputs) {
    const hash = await fingerprintOf(store.ports, input);
    if (hash === undefined)
      throw new LearningsError('not-found', `There is no ${input} to take a fingerprint of.`);
    taken.push({ input, hash });
  }
  return taken;
}

/** Where a team keeps a list of its tags, one that is not in it is often another's misspelling. */
async function warnOfUnknownTags(
  { terminal }: Invocation,
  store: OpenStore,
  tags: readonly string[],
): Promise<void> {
  const { tags: listed } = await readConfig(store.ports.files);
  const unknown = listed.size > 0 ? tags.filter((tag) => !listed.has(tag)) : [];
  if (unknown.length > 0) terminal.warn(`Not in .learnings/tags.yaml: ${unknown.join(', ')}.`);
}
