import * as z from 'zod';

import { LearningsError } from './errors';
import type { Finder, Match } from './learnings';

/** A tool that a model can call, the same on every surface. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Says to the model when to call it. */
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: object;
  /** Runs it and gives the text for the model. Throws a LearningsError that says what to do next. */
  run(learnings: Finder, input: unknown): string;
}

const names = (what: string) => z.array(z.string()).max(100).describe(what).optional();

/** How many learnings one answer holds unless more are asked for. */
export const DEFAULT_LIMIT = 5;

const findInput = z.strictObject({
  paths: names('Files you are about to read, create or change, relative to the repository or absolute.'),
  tags: names('Topics, such as "performance".'),
  symbols: names('Names of functions, classes or types.'),
  limit: z.int().min(1).max(50).default(DEFAULT_LIMIT).describe('How many learnings to return at most.'),
});

// Copilot Chat moves a longer result into a file and shows the model a pointer to it.
const MAX_RESULT_CHARS = 8000;

export const findLearningsTool: Tool = {
  name: 'find_learnings',
  title: 'Find Project Learnings',
  description:
    'Finds what this team has already learned about the files, topics or symbols you are about to work on: rules, decisions and past mistakes recorded in this repository. Call it before you read, create or change a file that you have not asked about yet.',
  // Made when it is asked for: the extension never does, and it would take a tenth of its start.
  get inputSchema() {
    return z.toJSONSchema(findInput, { io: 'input' });
  },
  run(learnings, input) {
    const parsed = findInput.safeParse(input ?? {});
    if (!parsed.success) {
      throw new LearningsError(
        'input-invalid',
        `${z.prettifyError(parsed.error)}\nPass paths, tags or symbols as lists of strings.`,
      );
    }
    const { limit, ...target } = parsed.data;
    if (!target.paths?.length && !target.tags?.length && !target.symbols?.length) {
      throw new LearningsError(
        'input-invalid',
        'Nothing to look for. Pass at least one path, tag or symbol.',
      );
    }
    const { matches, total } = learnings.find(target, { limit });
    const rows = matches.map(toRow).map((row) => ({
      ...row,
      summary: row.summary.slice(0, 1000),
      matched_by: row.matched_by.slice(0, 5),
    }));
    return fit(rows, total);
  },
};

/** As many rows as a result may hold; what is left out is counted. */
function fit(rows: readonly object[], total: number): string {
  for (let count = rows.length; count >= 0; count--) {
    const text = JSON.stringify({ results: rows.slice(0, count), omitted: total - count });
    if (text.length <= MAX_RESULT_CHARS) return text;
  }
  return JSON.stringify({ results: [], omitted: total });
}

/** A match as every surface gives it to programs. */
export function toRow({ record, matchedBy, origin }: Match): {
  id: string;
  /** Said only of a learning that is not the repository's own. */
  store?: string;
  summary: string;
  tags: readonly string[];
  matched_by: readonly string[];
  updated_at: string | undefined;
} {
  return {
    id: record.id,
    ...(origin.kind !== 'repository' && { store: origin.name }),
    summary: record.summary,
    tags: record.scope.tags,
    matched_by: matchedBy,
    updated_at: record.updatedAt,
  };
}
