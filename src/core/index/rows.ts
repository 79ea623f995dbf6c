import type { Source } from './shelf';

/** A learning as a row of the table `learnings_index`; lists are JSON, and what is not known is empty. */
export interface IndexRow {
  readonly folder: string;
  readonly id: string;
  readonly status: string;
  readonly kind: string;
  readonly priority: number;
  readonly paths: string;
  readonly tags: string;
  readonly symbols: string;
  readonly summary: string;
  readonly rationale: string;
  readonly body: string;
  readonly updated_at: string;
  readonly vote_count: number;
  readonly last_voted_at: string;
  readonly stamp: string;
}

export function toIndexRow(source: Source, body: string): IndexRow {
  const { folder, stamp, status } = source;
  const { record, votes } = source.learning();
  return {
    folder,
    id: record.id,
    status,
    kind: record.kind,
    priority: record.priority,
    paths: JSON.stringify(record.scope.paths),
    tags: JSON.stringify(record.scope.tags),
    symbols: JSON.stringify(record.scope.symbols),
    summary: record.summary,
    rationale: record.rationale ?? '',
    body,
    updated_at: record.updatedAt ?? '',
    vote_count: votes.length,
    last_voted_at: votes.reduce((last, { at }) => (at > last ? at : last), ''),
    stamp,
  };
}
