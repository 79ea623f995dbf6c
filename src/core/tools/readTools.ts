import * as z from 'zod';

import { tallyReceipts, parseReceipts, writeReceipt } from '../deliver/receipts';
import { LearningsError } from '../errors';
import { statuses } from '../index/shelf';
import { nameOf, type Match } from '../learnings';
import type { WholeRecord } from '../record/schema';
import { withoutHostile } from '../yaml/hostileText';
import { toRow, type Row } from './row';
import {
  defineTool,
  findHeld,
  idInput,
  MAX_RESULT_CHARS,
  repositoryInput,
  type ToolStore,
  type ToolWorld,
} from './tool';

/** How many learnings one answer holds unless more are asked for. */
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 50;

const list = (what: string): z.ZodOptional<z.ZodArray<z.ZodString>> =>
  z.array(z.string()).max(100).describe(what).optional();

const findInput = () =>
  z.strictObject({
    paths: list('Files you are about to read, create or change, relative to the repository or absolute.'),
    tags: list('Topics, such as "performance".'),
    symbols: list('Names of functions, classes or types.'),
    query: z.string().max(1000).optional().describe('Words to look for in the text of learnings.'),
    status: z
      .enum(statuses)
      .default('active')
      .describe('Only learnings that hold ("active") are to be followed; others are history.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_LIMIT)
      .default(DEFAULT_LIMIT)
      .describe('How many learnings to return at most.'),
    all: z
      .boolean()
      .default(false)
      .describe('Also those that you were given earlier in this session, and as many as one answer holds.'),
  });
type FindInput = z.output<ReturnType<typeof findInput>>;

export const findLearnings = defineTool({
  name: 'find_learnings',
  title: 'Find Project Learnings',
  description:
    'Finds what this team has already learned about the files, topics or symbols you are about to work on: rules, decisions and past mistakes recorded in this repository. Call it before you read, create or change a file that you have not asked about yet, and with a query when you plan something larger. Learnings that you were given before in this session are left out unless you pass all.',
  userDescription: 'What this team has learned about a file, a topic or a symbol',
  input: findInput,
  usage: 'Pass paths, tags or symbols as lists of strings, or a query.',
  async run(world, input) {
    const { paths = [], tags = [], symbols = [], query = '' } = input;
    if (paths.length + tags.length + symbols.length === 0 && query.trim() === '') {
      throw new LearningsError(
        'input-invalid',
        'Nothing to look for. Pass at least one path, tag or symbol, or a query.',
      );
    }
    const found: Picked[] = [];
    for (const store of world.stores) found.push(await pick(store, input));
    return answerWith(world, found, input);
  },
});

/** What one repository has. */
interface Picked {
  readonly store: ToolStore;
  readonly matches: readonly Match[];
  readonly total: number;
  /** Those that match and were given before, or are no longer true. */
  readonly given: readonly string[];
  readonly outdated: readonly string[];
}

async function pick(store: ToolStore, input: FindInput): Promise<Picked> {
  const { matches, total } = await matching(store, input);
  const before = input.all ? new Set<string>() : (store.session?.given() ?? new Set<string>());
  const given = matches.filter((match) => before.has(nameOf(match.origin, match.record)));
  const outdated: Match[] = [];
  const rest: Match[] = [];
  for (const match of matches) {
    if (given.includes(match)) continue;
    const held =
      rest.length < MAX_LIMIT ? store.learnings.get(nameOf(match.origin, match.record)) : undefined;
    const isOld = held !== undefined && input.status === 'active' && (await store.isOutdated(held));
    (isOld ? outdated : rest).push(match);
  }
  const idsOf = (some: readonly Match[]): string[] =>
    some.map(({ origin, record }) => nameOf(origin, record));
  return {
    store,
    matches: rest,
    total: total - given.length - outdated.length,
    given: idsOf(given),
    outdated: idsOf(outdated),
  };
}

async function matching(
  { learnings }: ToolStore,
  { paths, tags, symbols, query = '', status }: FindInput,
): Promise<{ matches: readonly Match[]; total: number }> {
  const target = { paths, tags, symbols };
  const isAimed = [paths, tags, symbols].some((one) => one && one.length > 0);
  if (query.trim() === '') return learnings.find(target, { status });
  const { hits, total } = await learnings.search(query, {
    status,
    limit: MAX_LIMIT * 2,
    ...(isAimed && { target }),
  });
  return {
    total,
    matches: hits.map(({ held: { record, origin } }) => ({
      record,
      origin,
      matchedBy: [`query:${query.slice(0, 100)}`],
    })),
  };
}

/** As many rows as were asked for and a result may hold; what is left out is counted, what is given is noted. */
function answerWith(world: ToolWorld, found: readonly Picked[], input: FindInput): string {
  const most = input.all ? MAX_LIMIT : input.limit;
  const rows = found
    .flatMap(({ store, matches }) => matches.map((match) => ({ store, match })))
    .slice(0, most)
    .map(({ store, match }) => ({ store, match, row: shortened(toRow(match)) }));
  const total = found.reduce((sum, one) => sum + one.total, 0);
  const given = found.flatMap((one) => one.given);
  const outdated = found.flatMap((one) => one.outdated);
  const textOf = (count: number): string =>
    JSON.stringify({
      results: rows.slice(0, count).map(({ row }) => row),
      omitted: total - count,
      ...(given.length > 0 && { already_given: given.slice(0, 100) }),
      ...(outdated.length > 0 && { outdated: outdated.slice(0, 100) }),
    });
  let count = rows.length;
  while (count > 0 && textOf(count).length > MAX_RESULT_CHARS) count--;
  const text = textOf(count);
  if (input.status === 'active') {
    for (const { store } of found)
      note(
        world,
        store,
        rows
          .slice(0, count)
          .filter((one) => one.store === store)
          .map(({ match }) => match),
        { omitted: total - count, text, about: inWords(input) },
      );
  }
  return text;
}

const shortened = (row: Row): Row => ({
  ...row,
  summary: withoutHostile(row.summary).slice(0, 1000),
  matched_by: row.matched_by.slice(0, 5),
});

/** What was asked for, for whoever reads receipts. */
function inWords({ paths = [], tags = [], symbols = [], query = '' }: FindInput): string {
  const parts = [
    ...paths,
    ...tags.map((tag) => `#${tag}`),
    ...symbols,
    ...(query === '' ? [] : [`“${query}”`]),
  ];
  return parts.slice(0, 3).join(', ').slice(0, 300) + (parts.length > 3 ? ', …' : '');
}

function note(
  world: ToolWorld,
  { session, receipts }: ToolStore,
  matches: readonly Match[],
  { omitted, text, about }: { omitted: number; text: string; about: string },
): void {
  if (matches.length === 0) return;
  const ids = matches.map(({ origin, record }) => nameOf(origin, record));
  // Who asks gets what was asked for; the cap is on what comes unasked.
  session?.claim(ids, Infinity);
  writeReceipt(receipts, {
    at: world.now().toISOString(),
    did: 'gave',
    ids,
    ...(world.sessionId !== undefined && { session: world.sessionId }),
    agent: world.agent,
    event: 'find_learnings',
    path: about,
    omitted,
    bytes: new TextEncoder().encode(text).length,
  });
}

export const showLearning = defineTool({
  name: 'show_learning',
  title: 'Show a Project Learning',
  description:
    'Shows one learning whole: its reason, its body, the evidence for it, how often it was confirmed and delivered. Call it when a summary matters for what you are doing and you want to know why it holds or how to apply it.',
  userDescription: 'One learning whole, with its reason, evidence and votes',
  input: () => z.strictObject({ id: idInput, repository: repositoryInput }),
  usage: 'Pass id, such as {"id": "L-0001"}.',
  async run(world, input) {
    const { store, held, name } = findHeld(world, input);
    const whole = (await store.learnings.read(name)) ?? held;
    const { record, votes, status } = whole;
    const tally = tallyReceipts(parseReceipts(store.receipts.read())).get(name);
    const lastVote = votes.reduce((last, { at }) => (at > last ? at : last), '');
    store.session?.claim([name], Infinity);
    writeReceipt(store.receipts, {
      at: world.now().toISOString(),
      did: 'opened',
      ids: [name],
      ...(world.sessionId !== undefined && { session: world.sessionId }),
      agent: world.agent,
    });
    return fitted({
      id: name,
      status,
      kind: record.kind,
      priority: record.priority,
      confidence: record.confidence,
      summary: record.summary,
      rationale: record.rationale,
      scope: record.scope,
      evidence: record.evidence,
      supersedes: record.supersedes.length > 0 ? record.supersedes : undefined,
      superseded_by: record.supersededBy,
      created_by: record.createdBy,
      created_at: record.createdAt,
      updated_at: record.updatedAt,
      vote_count: votes.length,
      last_voted_at: lastVote === '' ? null : lastVote,
      deliveries: tally?.given ?? 0,
      file: held.origin.kind === 'repository' ? held.file : `${held.origin.root}/${held.file}`,
      body: (record as Partial<WholeRecord>).body,
    });
  },
});

/** What is too long for a result loses the end of its body, and says where the whole of it is. */
function fitted(answer: Record<string, unknown> & { readonly file: string }): string {
  const clean = withoutHostile(JSON.stringify(answer));
  if (clean.length <= MAX_RESULT_CHARS) return clean;
  const shorter = (chars: number): string => {
    const cut = (key: string): string | undefined => {
      const text = answer[key];
      return typeof text === 'string' ? `${text.slice(0, chars)}…` : undefined;
    };
    const more = {
      rationale: cut('rationale'),
      body: cut('body'),
      evidence: [],
      truncated: `The whole text is in ${answer.file}.`,
    };
    return withoutHostile(JSON.stringify({ ...answer, ...more }));
  };
  for (let chars = 4000; chars > 100; chars = Math.floor(chars / 2)) {
    const text = shorter(chars);
    if (text.length <= MAX_RESULT_CHARS) return text;
  }
  return JSON.stringify({
    id: answer['id'],
    truncated: `It is too long for an answer. Read ${answer.file}.`,
  });
}
