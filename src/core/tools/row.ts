import type { Match } from '../learnings';

/** A match as every surface gives it to programs. */
export interface Row {
  readonly id: string;
  /** Said only of a learning that is not the repository's own. */
  readonly store?: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly matched_by: readonly string[];
  readonly updated_at: string | undefined;
}

export function toRow({ record, matchedBy, origin }: Match): Row {
  return {
    id: record.id,
    ...(origin.kind !== 'repository' && { store: origin.name }),
    summary: record.summary,
    tags: record.scope.tags,
    matched_by: matchedBy,
    updated_at: record.updatedAt,
  };
}
