import { isMap, isNode, isScalar, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';

import { decodeText, guardText } from './guard';
import { findHostile } from './hostileText';
import { problemAt, type Problem } from './problem';
import { parseQuick } from './quick';

export interface Checked<T> {
  /** Undefined if something is wrong that no reader could work with. */
  readonly value: T | undefined;
  readonly problems: readonly Problem[];
  /** Says where the value at a path of keys stands, for problems found later. */
  readonly at?: (path: readonly PropertyKey[], problem: Finding) => Problem;
}

type Finding = Pick<Problem, 'code' | 'message' | 'hint'> & Partial<Problem>;

interface Expectation<T> {
  readonly schema: z.ZodType<T>;
  /** What the whole should be, as in `a record: a map of keys`. */
  readonly what: string;
  /** Where a person can read what is allowed. */
  readonly hint: string;
  /** Old spellings into new ones, before the schema looks. */
  readonly normalise?: (value: unknown) => unknown;
  /** An old spelling of a key, by the new one. */
  readonly spellings?: Readonly<Record<string, string>>;
}

/** A text that is broken throughout does not become clearer by the thousandth problem. */
const MAX_PROBLEMS = 20;

/** Reads a small YAML file. Never throws: what is wrong comes back with its place and what to do. */
export function parseChecked<T>(bytes: Uint8Array, file: string, expected: Expectation<T>): Checked<T> {
  const decoded = decodeText(bytes, file);
  if ('problem' in decoded) return { value: undefined, problems: [decoded.problem] };
  const { text } = decoded;

  // Nearly every record is plain enough to be read thirty times faster. Only where something is wrong are places needed.
  const plain = parseQuick(text);
  const quick = plain && expected.schema.safeParse(expected.normalise ? expected.normalise(plain) : plain);
  if (quick?.success) {
    const at: Checked<T>['at'] = (path, finding) =>
      problemAt(text, file)(offsetOf(parse(text), path, expected.spellings ?? {}), { path, ...finding });
    return { value: quick.data, problems: hostileProblems(text, file), at };
  }

  const guarded = guardText(bytes, file);
  if ('problem' in guarded) return { value: undefined, problems: [guarded.problem] };
  const problem = problemAt(text, file);
  const document = parse(text);
  if (document.errors.length > 0) {
    const hint = 'Mend the YAML at this place; quotes around a value that has ":" or "#" in it often do.';
    return {
      value: undefined,
      problems: document.errors
        .slice(0, MAX_PROBLEMS)
        .map(({ pos, message }) => problem(pos[0], { code: 'yaml', message, hint })),
    };
  }

  const raw: unknown = document.toJS();
  const value = expected.normalise ? expected.normalise(raw) : raw;
  const spellings = expected.spellings ?? {};
  const result = expected.schema.safeParse(value);
  if (!result.success) {
    return {
      value: undefined,
      problems: result.error.issues.slice(0, MAX_PROBLEMS).map((issue) =>
        problem(offsetOf(document, pathOf(issue), spellings), {
          code: 'schema',
          message: describe(issue, value, expected.what),
          hint: expected.hint,
          path: pathOf(issue),
          ...(issue.code === 'invalid_value' && { instead: issue.values.map(String) }),
        }),
      ),
    };
  }
  return {
    value: result.data,
    problems: hostileProblems(text, file),
    at: (path, finding) => problem(offsetOf(document, path, spellings), { path, ...finding }),
  };
}

const parse = (text: string): Document => parseDocument(text, { prettyErrors: false, logLevel: 'error' });

function hostileProblems(text: string, file: string): Problem[] {
  const found = findHostile(text);
  if (!found) return [];
  const problem = problemAt(text, file)(found.offset, {
    code: 'hostile-text',
    severity: 'warning',
    message: `the invisible or control character ${found.codePoint}`,
    hint: 'Remove it. It is never shown or delivered.',
  });
  return [problem];
}

/** A key that should not be there is itself the place, not the map around it. */
function pathOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path;
}

function describe(issue: z.core.$ZodIssue, root: unknown, what: string): string {
  if (issue.code === 'unrecognized_keys') return `${pathOf(issue).join('.')} is not a key that is known here`;
  if (issue.path.length === 0) return `not ${what}`;
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
function offsetOf(
  document: Document,
  path: readonly PropertyKey[],
  spellings: Readonly<Record<string, string>>,
): number {
  // An old spelling of a key stands where ours would.
  const spelled = path.map((key) => (document.has(key) ? key : (spellings[String(key)] ?? key)));
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
