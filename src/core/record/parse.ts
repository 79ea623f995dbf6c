import { parseChecked, type Checked } from '../yaml/checked';
import type { Problem } from '../yaml/problem';
import { fillDefaults, normaliseSpelling, recordSchema, type WholeRecord } from './schema';

export interface ParsedRecord {
  /** Undefined if something is wrong that no reader could work with. */
  readonly record: WholeRecord | undefined;
  readonly problems: readonly Problem[];
  readonly at?: Checked<unknown>['at'];
}

/** Reads one `learning.yaml`. Never throws: what is wrong comes back with its place and what to do. */
export function parseRecord(bytes: Uint8Array, file: string): ParsedRecord {
  const { value, ...rest } = parseChecked(bytes, file, {
    schema: recordSchema(),
    what: 'a record: a map of keys such as id, scope and summary',
    hint: 'docs/records.md lists every key and what it may hold.',
    normalise: normaliseSpelling,
    spellings: { schemaVersion: 'schema_version' },
  });
  return { record: value && fillDefaults(value), ...rest };
}
