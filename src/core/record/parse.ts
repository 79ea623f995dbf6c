import { isMap, isNode, isScalar, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';

import { guardText } from './guard';
import { findHostile } from './hostileText';
import { problemAt, type Problem } from './problem';
import { fillDefaults, normaliseSpelling, recordSchema, type LearningRecord } from './schema';

export interface ParsedRecord {
  /** Undefined if something is wrong that no reader could work with. */
  readonly record: LearningRecord | undefined;
  readonly problems: readonly Problem[];
}

/** A text that is broken throughout does not become clearer by the thousandth problem. */
const MAX_PROBLEMS = 20;

/** Reads one `learning.yaml`. Never throws: what is wrong comes back with its place and what to do. */
export function parseRecord(bytes: Uint8Array, file: string): ParsedRecord {
  const guarded = guardText(bytes, file);
  if ('problem' in guarded) return { record: undefined, problems: [guarded.problem] };
  const { text } = guarded;
  const problem = problemAt(text, file);

  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  if (document.errors.length > 0) {
    const hint = 'Mend the YAML at this place; quotes around a value that has ":" or "#" in it often do.';
    return {
      record: undefined,
      problems: document.errors
        .slice(0, MAX_PROBLEMS)
        .map(({ pos, message }) => problem(pos[0], { code: 'yaml', message, hint })),
    };
  }

  const value = normaliseSpelling(document.toJS());
  const result = recordSchema.safeParse(value);
  if (!result.success) {
    return {
      record: undefined,
      problems: result.error.issues.slice(0, MAX_PROBLEMS).map((issue) =>
        problem(offsetOf(document, issue.path), {
          code: 'schema',
          message: describe(issue, value),
          hint: 'docs/records.md lists every key and what it may hold.',
        }),
      ),
    };
  }

  const found = findHostile(text);
  const warnings = found
    ? [
        problem(found.offset, {
          code: 'hostile-text',
          severity: 'warning',
          message: `the invisible or control character ${found.codePoint}`,
          hint: 'Remove it. It is never shown or delivered.',
        }),
      ]
    : [];
  return { record: fillDefaults(result.data), problems: warnings };
}

function describe(issue: z.core.$ZodIssue, root: unknown): string {
  if (issue.path.length === 0) return 'not a record: a map of keys such as id, scope and summary';
  const name = issue.path.join('.');
  let value = root;
  for (const key of issue.path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  if (value === undefined) return `${name} is missing`;
  if (issue.code === 'invalid_value') {
    return `${name} must be ${issue.values
      .map(String)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')}`;
  }
  const plain = issue.code === 'invalid_type' && issue.message.startsWith('Invalid input');
  return `${name} ${plain ? `must be ${issue.expected}` : issue.message}`;
}

/** Where the value at `path` starts, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  // Orbit's spelling of a key stands where ours would.
  const spelled = path.map((key) => (key === 'schemaVersion' && !document.has(key) ? 'schema_version' : key));
  for (let length = spelled.length; length > 0; length--) {
    const parent = length === 1 ? document.contents : document.getIn(spelled.slice(0, length - 1), true);
    const last = spelled[length - 1];
    // The key's own place: a value that is empty has none.
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === last)
      : undefined;
    if (pair && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    const node = document.getIn(spelled.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
