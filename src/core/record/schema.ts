import * as z from 'zod';

import { once } from '../once';

const ID = /^(?:[LP]-\d{4,9}|C-[0-9a-f]{8})$/;

export const kinds = ['rule', 'decision', 'validation', 'summary', 'evidence', 'fact'] as const;

export const evidenceKinds = ['task', 'commit', 'pr', 'issue', 'file', 'quote', 'url', 'external'] as const;

/** A record's id: `L-0001`, `P-0001` in a personal store, `C-7f3a9c21` for a candidate. */
export const idSchema = once(() =>
  z.string({ error: 'must be text' }).regex(ID, 'must be an id such as L-0001'),
);

/** A record as it stands in the file, in our own spelling. Unknown keys are kept. */
export const recordSchema = once(() => {
  const timestamp = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-05-09T18:00:00Z' });
  const text = z.string({ error: 'must be text' });
  const id = idSchema();
  const names = z.array(text.min(1, 'must not be empty')).nullish();

  const evidence = z.looseObject({
    kind: z.enum(evidenceKinds).describe('What sort of thing shows it.'),
    ref: z.coerce
      .string()
      .min(1, 'must say where')
      .describe('Which one: the number of a task, the hash of a commit, a path, an address.'),
    author: text.optional().describe('Who said or did it.'),
    quote: text.optional().describe('What was said, word for word.'),
  });

  const fingerprint = z.looseObject({
    input: text
      .min(1, 'must say what')
      .describe(
        'A file (Makefile), the names in a folder (tests/), or one value of a JSON or YAML file (package.json#scripts.test).',
      ),
    hash: text.describe('What it was when this was last known to be true, as sha256:…'),
  });

  const pattern = text.min(1, 'must not be empty').max(1000, 'is longer than 1,000 characters');

  const scope = z
    .looseObject(
      {
        paths: z
          .array(pattern)
          .nullish()
          .describe(
            'Globs, relative to the root. One without a slash matches at any depth, a slash at the end means all below, "!" takes away.',
          ),
        tags: names.describe('Topics; tags.yaml says what each means.'),
        symbols: names.describe('Names of functions, classes or types.'),
      },
      { error: 'must have paths, tags or symbols' },
    )
    .refine((value) => [value.paths, value.tags, value.symbols].some((list) => list && list.length > 0), {
      error: 'needs at least one path, tag or symbol (paths: ["**"] for the whole repository)',
    });

  return z
    .looseObject({
      id: id.describe('Given by the store; the same as the name of the folder.'),
      schemaVersion: z
        .literal(1, 'must be 1; a newer version of Project Learnings may be needed to read this')
        .describe('The version of this format: 1.'),
      status: z
        .enum(['active', 'superseded'])
        .optional()
        .describe('Whether it holds, or another learning took its place. Only active ones are delivered.'),
      kind: z
        .enum(kinds)
        .optional()
        .describe('What sort of knowledge this is; rules and decisions come first.'),
      priority: z.int('must be a whole number').optional().describe('A whole number; higher comes first.'),
      confidence: z.enum(['high', 'medium']).optional().describe('How sure it is.'),
      created_at: timestamp.optional().describe('When it was written.'),
      updated_at: timestamp.optional().describe('When it was last changed.'),
      created_by: text.optional().describe('The person or agent who wrote it.'),
      scope: scope.describe('What it is about: at least one path, tag or symbol.'),
      summary: text
        .trim()
        .min(1, 'must say something')
        .max(2000, 'is longer than 2,000 characters')
        .describe('One sentence that says what to do or to know. This is what is shown and delivered.'),
      rationale: text.nullish().describe('Why: what went wrong, or would.'),
      body: text.nullish().describe('Markdown, as long as it needs to be; read on demand.'),
      evidence: z.array(evidence).nullish().describe('What shows that it is true.'),
      fingerprint: z
        .array(fingerprint)
        .nullish()
        .describe('What it depends on; it is stale as soon as one of these changes.'),
      supersedes: z
        .union([id, z.array(id)])
        .nullish()
        .describe('The learning that this one takes the place of, or several.'),
      superseded_by: id.nullish().describe('The learning that took the place of this one.'),
      legacy_ids: z.array(text).nullish().describe('Ids it had elsewhere.'),
    })
    .describe('One learning: what a team knows about some files, topics or symbols of its repository.');
});

type RecordInFile = z.infer<ReturnType<typeof recordSchema>>;
export type Evidence = NonNullable<RecordInFile['evidence']>[number];
type Fingerprint = NonNullable<RecordInFile['fingerprint']>[number];

/** A record with every default filled in, but for its body, which is read where it is shown. */
export interface LearningRecord {
  readonly id: string;
  readonly status: 'active' | 'superseded';
  readonly kind: (typeof kinds)[number];
  readonly priority: number;
  readonly confidence: 'high' | 'medium';
  readonly createdAt: string | undefined;
  readonly updatedAt: string | undefined;
  readonly createdBy: string | undefined;
  readonly scope: {
    readonly paths: readonly string[];
    readonly tags: readonly string[];
    readonly symbols: readonly string[];
  };
  readonly summary: string;
  readonly rationale: string | undefined;
  readonly evidence: readonly Evidence[];
  /** What it depends on, each with the hash it had when this was last known to be true. */
  readonly fingerprint: readonly Fingerprint[];
  readonly supersedes: readonly string[];
  readonly supersededBy: string | undefined;
}

export interface WholeRecord extends LearningRecord {
  readonly body: string | undefined;
}

export function fillDefaults(record: RecordInFile): WholeRecord {
  const { supersedes } = record;
  return {
    id: record.id,
    status: record.status ?? 'active',
    kind: record.kind ?? 'rule',
    priority: record.priority ?? 0,
    confidence: record.confidence ?? 'high',
    createdAt: record.created_at,
    updatedAt: record.updated_at,
    createdBy: record.created_by,
    scope: {
      paths: record.scope.paths ?? [],
      tags: record.scope.tags ?? [],
      symbols: record.scope.symbols ?? [],
    },
    summary: record.summary,
    rationale: record.rationale ?? undefined,
    body: record.body ?? undefined,
    evidence: record.evidence ?? [],
    fingerprint: record.fingerprint ?? [],
    supersedes: typeof supersedes === 'string' ? [supersedes] : (supersedes ?? []),
    supersededBy: record.superseded_by ?? undefined,
  };
}

/** Orbit wrote some keys differently; its records are read as they are. */
export function normaliseSpelling(value: unknown): unknown {
  if (!isPlainObject(value) || !isSpelledOtherwise(value)) return value;
  const { schema_version: version, evidence: list, ...rest } = value;
  return {
    ...rest,
    ...(version !== undefined && { schemaVersion: version }),
    ...(list !== undefined && {
      evidence: Array.isArray(list)
        ? list.map((item: unknown) =>
            isPlainObject(item) && item['ref'] === undefined && item['reference'] !== undefined
              ? { ...item, ref: item['reference'] }
              : item,
          )
        : list,
    }),
  };
}

function isSpelledOtherwise({ schema_version: version, evidence: list }: Record<string, unknown>): boolean {
  if (version !== undefined) return true;
  return Array.isArray(list) && list.some((item) => isPlainObject(item) && item['reference'] !== undefined);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON Schema that editors can check `learning.yaml` by. */
export function recordJsonSchema(): object {
  return z.toJSONSchema(recordSchema(), { io: 'input' });
}
