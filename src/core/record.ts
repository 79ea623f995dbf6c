import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod';

const timestamp = z.iso.datetime({ offset: true });
const names = z.array(z.string().min(1)).default([]);

const scope = z
  .looseObject({ paths: names, tags: names, symbols: names })
  .refine((value) => value.paths.length + value.tags.length + value.symbols.length > 0, {
    error: 'needs at least one path, tag or symbol (paths: ["**"] for the whole repository)',
  });

const recordSchema = z.looseObject({
  id: z.string().regex(/^([LP]-\d{4,}|C-[0-9a-f]{8})$/, 'must be an id such as L-0001'),
  schemaVersion: z.literal(1),
  status: z.enum(['active', 'superseded']).default('active'),
  kind: z.enum(['rule', 'decision', 'validation', 'summary', 'evidence', 'fact']).default('rule'),
  priority: z.int().default(0),
  created_at: timestamp.optional(),
  updated_at: timestamp.optional(),
  scope,
  summary: z.string().trim().min(1, 'must say something'),
  rationale: z.string().optional(),
  body: z.string().optional(),
  superseded_by: z.string().nullish(),
});

export type LearningRecord = z.infer<typeof recordSchema>;

/** Something wrong with one file, and where. It costs that file alone. */
export interface Problem {
  readonly file: string;
  /** One-based. */
  readonly line: number;
  readonly message: string;
}

export type ParsedRecord =
  { readonly record: LearningRecord } | { readonly problems: readonly [Problem, ...Problem[]] };

/** Reads one `learning.yaml`. Never throws: what is wrong comes back with its line. */
export function parseRecord(text: string, file: string): ParsedRecord {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const problem = (offset: number, message: string): Problem => ({
    file,
    line: lines.linePos(offset).line,
    message,
  });

  const [broken, ...more] = document.errors;
  if (broken) {
    const describe = (error: typeof broken): Problem => problem(error.pos[0], firstLine(error.message));
    return { problems: [describe(broken), ...more.map(describe)] };
  }

  const result = recordSchema.safeParse(document.toJS());
  if (result.success) return { record: result.data };

  const [first, ...rest] = result.error.issues.map((issue) =>
    problem(
      offsetOf(document, issue.path),
      issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message,
    ),
  );
  return { problems: [first ?? problem(0, 'not a learning record'), ...rest] };
}

/** Where the value at `path` starts, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
