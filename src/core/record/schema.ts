import * as z from 'zod';

const timestamp = z.iso.datetime({ offset: true, error: 'must be a time such as 2026-05-09T18:00:00Z' });
const text = z.string({ error: 'must be text' });
const names = z.array(text.min(1, 'must not be empty')).nullish();

const ID = /^(?:[LP]-\d{4,9}|C-[0-9a-f]{8})$/;
/** A record's id: `L-0001`, `P-0001` in a personal store, `C-7f3a9c21` for a candidate. */
export const idSchema = text.regex(ID, 'must be an id such as L-0001');

export const kinds = ['rule', 'decision', 'validation', 'summary', 'evidence', 'fact'] as const;

export const evidenceKinds = ['task', 'commit', 'pr', 'issue', 'file', 'quote', 'url', 'external'] as const;

const evidence = z.looseObject({
  kind: z.enum(evidenceKinds),
  ref: z.coerce.string().min(1, 'must say where'),
  author: text.optional(),
  quote: text.optional(),
});

const fingerprint = z.looseObject({ input: text.min(1, 'must say what'), hash: text });

const pattern = text.min(1, 'must not be empty').max(1000, 'is longer than 1,000 characters');

const scope = z
  .looseObject(
    { paths: z.array(pattern).nullish(), tags: names, symbols: names },
    { error: 'must have paths, tags or symbols' },
  )
  .refine((value) => [value.paths, value.tags, value.symbols].some((list) => list && list.length > 0), {
    error: 'needs at least one path, tag or symbol (paths: ["**"] for the whole repository)',
  });

/** A record as it stands in the file, in our own spelling. Unknown keys are kept. */
export const recordSchema = z
  .looseObject({
    id: idSchema,
    schemaVersion: z.literal(1, 'must be 1; a newer version of Project Learnings may be needed to read this'),
    status: z.enum(['active', 'superseded']).optional(),
    kind: z.enum(kinds).optional(),
    priority: z.int('must be a whole number').optional(),
    confidence: z.enum(['high', 'medium']).optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    created_by: text.optional(),
    scope,
    summary: text.trim().min(1, 'must say something').max(2000, 'is longer than 2,000 characters'),
    rationale: text.nullish(),
    body: text.nullish(),
    evidence: z.array(evidence).nullish(),
    fingerprint: z.array(fingerprint).nullish(),
    supersedes: z.union([idSchema, z.array(idSchema)]).nullish(),
    superseded_by: idSchema.nullish(),
    legacy_ids: z.array(text).nullish(),
  })
  .describe('One learning: what a team knows about some files, topics or symbols of its repository.');

type RecordInFile = z.infer<typeof recordSchema>;
export type Evidence = z.infer<typeof evidence>;
type Fingerprint = z.infer<typeof fingerprint>;

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
  return z.toJSONSchema(recordSchema, { io: 'input' });
}
