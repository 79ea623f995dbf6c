import * as z from 'zod';

import { once } from '../once';
import { problemAt, type Problem } from '../yaml/problem';

const voteSchema = once(() =>
  z.looseObject({
    learning_id: z.string(),
    voter_model: z.string().min(1),
    voted_at: z.iso.datetime({ offset: true }),
    task_id: z.string().min(1),
  }),
);

/** One person or agent found a learning still true while working on a task. */
export interface Vote {
  readonly voter: string;
  readonly task: string;
  readonly at: string;
}

export interface Votes {
  /** One for each voter and task, with the earliest time. */
  readonly votes: readonly Vote[];
  readonly problems: readonly Problem[];
}

/** Far more than a record gathers in its life; a larger file is no vote file. */
const MAX_BYTES = 1024 * 1024;
const MAX_PROBLEMS = 20;

/** Reads a `votes.jsonl`. A line that is torn, foreign or left by a merge costs that line alone. */
export function parseVotes(bytes: Uint8Array, file: string): Votes {
  const hint = 'Remove the line, or run learnings doctor --fix. The other votes count.';
  if (bytes.length > MAX_BYTES) {
    const message = `${bytes.length} bytes of votes; at most ${MAX_BYTES} are read`;
    return {
      votes: [],
      problems: [problemAt('', file)(0, { code: 'too-large', message, hint: 'Restore the file from git.' })],
    };
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  const problem = problemAt(text, file);
  const earliest = new Map<string, Vote>();
  const problems: Problem[] = [];
  let offset = 0;
  for (const line of text.split('\n')) {
    const vote = line.trim() === '' ? 'empty' : parseVote(line);
    if (vote === undefined && problems.length < MAX_PROBLEMS) {
      const message = /^[<=>|]{7}/.test(line) ? 'a merge-conflict marker' : 'not a vote';
      problems.push(problem(offset, { code: 'vote', severity: 'warning', message, hint }));
    }
    if (vote !== undefined && vote !== 'empty') {
      const key = voteKey(vote);
      const known = earliest.get(key);
      if (!known || Date.parse(vote.at) < Date.parse(known.at)) earliest.set(key, vote);
    }
    offset += line.length + 1;
  }
  return { votes: [...earliest.values()], problems };
}

/** The text of a vote file without the lines that are no votes. */
export function withoutRubbish(bytes: Uint8Array): string {
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n');
  return lines.flatMap((line) => (parseVote(line) ? [`${line}\n`] : [])).join('');
}

/** The text of a vote file without one vote; every other line stays as it is. */
export function withoutVote(bytes: Uint8Array, vote: Pick<Vote, 'voter' | 'task'>): string {
  const lines = new TextDecoder('utf-8').decode(bytes).split('\n');
  return lines
    .filter((line) => {
      const known = parseVote(line);
      return !known || voteKey(known) !== voteKey(vote);
    })
    .join('\n');
}

/** Two vote files in one: every line of the first, and of the second those that the first does not have. */
export function joinVotes(first: Uint8Array | undefined, second: Uint8Array): string {
  const linesOf = (bytes: Uint8Array | undefined): string[] =>
    new TextDecoder('utf-8')
      .decode(bytes ?? new Uint8Array())
      .split('\n')
      .filter(Boolean);
  return [...new Set([...linesOf(first), ...linesOf(second)])].map((line) => `${line}\n`).join('');
}

export function voteKey({ voter, task }: Pick<Vote, 'voter' | 'task'>): string {
  return JSON.stringify([voter, task]);
}

export function renderVote(id: string, { voter, task, at }: Vote): string {
  return `${JSON.stringify({ learning_id: id, voter_model: voter, voted_at: at, task_id: task })}\n`;
}

function parseVote(line: string): Vote | undefined {
  try {
    const result = voteSchema().safeParse(JSON.parse(line));
    if (!result.success) return undefined;
    const { voter_model: voter, task_id: task, voted_at: at } = result.data;
    return { voter, task, at };
  } catch {
    return undefined;
  }
}
