import * as z from 'zod';

import { findSimilar } from '../author/similar';
import { checkPattern, normalisePattern } from '../author/patterns';
import { voteFrom } from '../author/vote';
import { writeReceipt } from '../deliver/receipts';
import { LearningsError } from '../errors';
import type { Held } from '../learnings';
import { relativeTo } from '../paths';
import { evidenceKinds, kinds } from '../record/schema';
import type { Change } from '../yaml/edit';
import { oneLine } from '../yaml/hostileText';
import {
  defineTool,
  findHeld,
  idInput,
  repositoryInput,
  storeOf,
  type ToolStore,
  type ToolWorld,
} from './tool';

const evidence = () =>
  z
    .array(
      z.strictObject({
        kind: z.enum(evidenceKinds).describe('What sort of thing shows it.'),
        ref: z.string().min(1).describe('Which one: a task, a commit hash, a path, an address.'),
        quote: z.string().optional().describe('What was said, word for word.'),
      }),
    )
    .max(20);
const texts = (what: string) => z.array(z.string().min(1)).max(50).describe(what);

const fields = () => ({
  rationale: z.string().max(4000).optional().describe('Why it holds: what went wrong, or would.'),
  body: z.string().max(20_000).optional().describe('Markdown, only where the summary cannot say it all.'),
  kind: z.enum(kinds).optional().describe('What sort of knowledge it is; "rule" unless given.'),
  paths: texts(
    'Globs of the files it is about, relative to the repository, such as "src/engine/**".',
  ).optional(),
  tags: texts('Topics it is about.').optional(),
  symbols: texts('Functions, classes or types it is about.').optional(),
});
const summary = () =>
  z.string().trim().min(10).max(2000).describe('One sentence that says what to do or to know.');

/** From here on two sentences say the same. */
const SAME = 0.8;

export const addLearning = defineTool({
  name: 'add_learning',
  title: 'Add a Project Learning',
  description:
    'Records something that this team should not have to learn twice: a correction by the user, a decision and its reason, a mistake that will be made again. Only what is not obvious from the code, holds beyond the task at hand, and was stated by the user or shown by evidence. It says whether it was saved, or which learning says the same already.',
  userDescription: 'Record something the team should not have to learn twice',
  input: () =>
    z.strictObject({
      summary: summary(),
      ...fields(),
      evidence: evidence().optional().describe('What shows that it is true; a quote of the user is best.'),
      supersedes: texts('Ids of learnings that this one replaces.').optional(),
      distinct_from: texts(
        'Ids of learnings that look the same and are not, once you were told of them.',
      ).optional(),
      scope: z
        .enum(['local', 'global'])
        .default('local')
        .describe('An agent writes to this repository alone; "global" is kept here too.'),
      repository: repositoryInput,
    }),
  usage: 'Pass summary, and paths, tags or symbols that it is about.',
  confirm: ({ summary: text }) => `Add the learning “${oneLine(text, 300)}”?`,
  async run(world, { scope, distinct_from: distinct = [], ...input }) {
    const store = storeOf(world, input);
    const about = scopeOf(store, input);
    if (about.paths.length + about.tags.length + about.symbols.length === 0)
      return 'refused: nothing says what it is about. Pass paths (such as ["src/engine/**"], or ["**"] for the whole repository), tags or symbols.';
    const same = findSame(store, input.summary, new Set([...distinct, ...(input.supersedes ?? [])]));
    if (same) {
      const { id, summary: text } = same.record;
      return `deduped against ${id}: ${oneLine(text, 500)} If it proved true again, call upvote_learning with ${id}. If it is outdated, call add_learning with supersedes ["${id}"]; if yours is another matter, with distinct_from ["${id}"].`;
    }
    try {
      const id = await store.writer().add({
        summary: input.summary,
        scope: about,
        createdBy: world.agent,
        ...defined({
          kind: input.kind,
          rationale: input.rationale,
          body: input.body,
          evidence: input.evidence?.map(({ quote, ...one }) => ({
            ...one,
            ...(quote !== undefined && { quote }),
          })),
          supersedes: input.supersedes,
        }),
      });
      await store.learnings.reload();
      const here =
        scope === 'global'
          ? ' It is kept in this repository: only a person writes learnings for all repositories.'
          : '';
      return `saved as ${id}.${here} It is in .learnings/${id}/learning.yaml; commit it with your change.`;
    } catch (error) {
      if (error instanceof LearningsError && error.code === 'refused') return `refused: ${error.message}`;
      throw error;
    }
  },
});

export const updateLearning = defineTool({
  name: 'update_learning',
  title: 'Update a Project Learning',
  description:
    'Changes fields of a learning whose meaning stays the same: a clearer wording, a path that moved, more evidence. Where the knowledge itself has changed, add the new one with supersedes instead, so that the history stays.',
  userDescription: 'Reword a learning, correct what it is about, or add evidence',
  input: () =>
    z.strictObject({
      id: idInput,
      summary: summary().optional(),
      ...fields(),
      priority: z.int().optional().describe('Higher comes first; 0 unless it must not be missed.'),
      confidence: z.enum(['high', 'medium']).optional(),
      add_evidence: evidence().optional().describe('Added to what is there.'),
      repository: repositoryInput,
    }),
  usage: 'Pass id and the fields that change.',
  confirm: ({ id, ...input }) => `Change ${Object.keys(defined(input)).join(', ')} of the learning ${id}?`,
  async run(world, { id, add_evidence: more = [], repository, ...input }) {
    const { store, held } = findOwn(world, { id, repository });
    const { paths, tags, symbols, ...plain } = input;
    const changes: Change[] = [
      ...Object.entries(defined(plain)).map(([key, value]): Change => [[key], value]),
      ...Object.entries(defined({ paths: paths && scopeOf(store, { paths }).paths, tags, symbols })).map(
        ([key, value]): Change => [['scope', key], value],
      ),
    ];
    if (changes.length + more.length === 0)
      throw new LearningsError('input-invalid', 'Nothing to change. Pass at least one field besides id.');
    await store.writer().update(held.record.id, changes, { evidence: more });
    await store.learnings.reload();
    return `updated ${id}: ${[...Object.keys(defined(input)), ...(more.length > 0 ? ['evidence'] : [])].join(', ')}.`;
  },
});

export const supersedeLearning = defineTool({
  name: 'supersede_learning',
  title: 'Supersede a Project Learning',
  description:
    'Marks a learning as replaced by another one that exists. The old one is kept and never delivered again. To write the new one at the same time, call add_learning with supersedes.',
  userDescription: 'Replace a learning by a newer one; the old one is kept as history',
  input: () =>
    z.strictObject({
      id: idInput,
      with: z.string().min(1).describe('The id of the learning that replaces it.'),
      repository: repositoryInput,
    }),
  usage: 'Pass id and with, such as {"id": "L-0001", "with": "L-0042"}.',
  confirm: ({ id, with: by }) => `Replace the learning ${id} by ${by}?`,
  async run(world, { id, with: by, repository }) {
    const { store, held } = findOwn(world, { id, repository });
    await store.writer().supersede(held.record.id, by);
    await store.learnings.reload();
    return `${id} is superseded by ${by} and will not be delivered again.`;
  },
});

export const upvoteLearning = defineTool({
  name: 'upvote_learning',
  title: 'Upvote a Project Learning',
  description:
    'Records that a learning proved true again in the task at hand. Call it when one kept you from a mistake, or when the user corrects you and a learning says so already. Once for a task is enough.',
  userDescription: 'Say that a learning proved true again',
  input: () =>
    z.strictObject({
      id: idInput,
      task: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('The task, issue or branch it proved true in; the current branch unless given.'),
      repository: repositoryInput,
    }),
  usage: 'Pass id, such as {"id": "L-0001"}.',
  confirm: ({ id }) => `Upvote the learning ${id}?`,
  async run(world, { id, repository, task: given }) {
    const { store, held } = findOwn(world, { id, repository });
    const { task = world.sessionId } = await voteFrom(store.git, { voter: world.agent, task: given });
    if (task === undefined)
      throw new LearningsError('input-invalid', 'A vote needs the task it was found true in. Pass task.');
    const { added, count } = await store.writer().upvote(held.record.id, { voter: world.agent, task });
    await store.learnings.reload();
    if (added) {
      writeReceipt(store.receipts, {
        at: world.now().toISOString(),
        did: 'upvoted',
        ids: [held.record.id],
        ...(world.sessionId !== undefined && { session: world.sessionId }),
        agent: world.agent,
      });
    }
    return added
      ? `upvoted ${id} for ${task}; it has ${count} ${count === 1 ? 'vote' : 'votes'}.`
      : `${id} has this vote for ${task} already; it has ${count} ${count === 1 ? 'vote' : 'votes'}.`;
  },
});

export const archiveLearning = defineTool({
  name: 'archive_learning',
  title: 'Archive a Project Learning',
  description:
    'Puts away a learning that no longer holds and that nothing replaces. It is kept for history and never delivered again; a person can restore it.',
  userDescription: 'Put away a learning that no longer holds',
  input: () =>
    z.strictObject({
      id: idInput,
      reason: z.string().trim().min(3).max(500).describe('Why it no longer holds.'),
      repository: repositoryInput,
    }),
  usage: 'Pass id and reason.',
  confirm: ({ id, reason }) => `Archive the learning ${id} (${oneLine(reason, 200)})?`,
  async run(world, { id, reason, repository }) {
    const { store, held } = findOwn(world, { id, repository });
    await store.writer().archive(held.record.id, reason);
    await store.learnings.reload();
    return `${id} is in the archive. learnings restore ${id} brings it back.`;
  },
});

/** A learning that may be changed: the repository's own. */
function findOwn(
  world: ToolWorld,
  asked: { readonly id: string; readonly repository?: string | undefined },
): { readonly store: ToolStore; readonly held: Held } {
  const { store, held, name } = findHeld(world, asked);
  if (held.origin.kind === 'repository') return { store, held };
  throw new LearningsError(
    'refused',
    `${name} is of another store, ${held.origin.root}, which only a person changes. Tell the user what should change.`,
  );
}

/** Paths as patterns: a file that is named whole stands for itself. */
function scopeOf(
  { learnings: { root } }: ToolStore,
  {
    paths = [],
    tags = [],
    symbols = [],
  }: {
    paths?: readonly string[] | undefined;
    tags?: readonly string[] | undefined;
    symbols?: readonly string[] | undefined;
  },
): { paths: string[]; tags: readonly string[]; symbols: readonly string[] } {
  const patterns = paths.map((path) => {
    const inside = /^(?:\/|[A-Za-z]:|file:)/.test(path) ? relativeTo(root, path) : path;
    const below = inside !== undefined && /[/\\]$/.test(path) ? `${inside}/` : inside;
    const problem = below === undefined ? undefined : checkPattern(below);
    if (below === undefined || problem?.severity === 'error') {
      throw new LearningsError(
        'input-invalid',
        below === undefined ? `${path} is outside of ${root}.` : `${path}: ${problem?.message ?? ''}`,
      );
    }
    return normalisePattern(below);
  });
  return { paths: patterns, tags, symbols };
}

function findSame({ learnings }: ToolStore, text: string, others: ReadonlySet<string>): Held | undefined {
  const known = learnings.list('active').filter(({ record }) => !others.has(record.id));
  return findSimilar(text, known, { limit: 1, atLeast: SAME })[0]?.learning;
}

function defined<T extends Record<string, unknown>>(
  fieldsOf: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(fieldsOf).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
