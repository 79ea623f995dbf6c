import {
  Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  stringify,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

import { LearningsError } from '../errors';

/** Values by path of keys, such as `[['status'], 'superseded']`; undefined takes the key away. */
export type Change = readonly [path: readonly [string, ...string[]], value: unknown];

/** The order in which a new key takes its place among those that are there. */
const order = [
  'id',
  'schemaVersion',
  'schema_version',
  'status',
  'kind',
  'priority',
  'confidence',
  'created_at',
  'updated_at',
  'created_by',
  'scope',
  'paths',
  'tags',
  'symbols',
  'summary',
  'rationale',
  'body',
  'evidence',
  'fingerprint',
  'supersedes',
  'superseded_by',
];

const style = { lineWidth: 0, nullStr: 'null', flowCollectionPadding: false } as const;

/** Whether this file sets list items in from the key above them. */
const setsListsIn = (text: string): boolean => !/^( *)[^\s#-][^\n]*:[ \t]*\r?\n\1- /m.test(text);

/**
 * Changes values in the text of a YAML map and leaves every other line as it is: comments, key order, unknown keys,
 * quoting, line endings.
 */
export function editYaml(text: string, changes: readonly Change[]): string {
  return changes.reduce((current, [path, value]) => setValue(current, path, value), text);
}

/** The text of a new record. */
export function renderYaml(value: Record<string, unknown>): string {
  const document = new Document(value);
  const scope = document.get('scope');
  if (isMap(scope)) {
    for (const { value: list } of scope.items) {
      // Tags and symbols read best on one line; globs one below the other.
      if (isCollection(list)) list.flow = list.items.length <= 3;
    }
  }
  const body = document.get('body', true);
  if (isScalar(body) && typeof body.value === 'string' && body.value.includes('\n'))
    body.type = 'BLOCK_LITERAL';
  return document.toString(style);
}

/** Whether two texts hold the same at a path. */
export function sameValue(a: string, b: string, path: readonly string[]): boolean {
  return same(parse(a).getIn(path), parse(b).getIn(path));
}

/** What a text holds at a path. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const value = parse(text).getIn(path);
  return isNode(value) ? value.toJSON() : value;
}

function setValue(text: string, path: readonly [string, ...string[]], value: unknown): string {
  const before = parse(text);
  if (before.errors.some(({ code }) => code === 'MULTIPLE_DOCS')) {
    throw new LearningsError(
      'record-invalid',
      'The file holds several YAML documents, of which one would be lost. Remove the "---" lines and what is not needed.',
    );
  }
  if (same(before.getIn(path), value)) return text;
  const expected = withValue(before.toJS(), path, value);

  const spliced = splice(text, before, path, value);
  if (spliced !== undefined && holds(spliced, expected)) return spliced;

  // An unusual shape: let the library write the whole document, which still keeps comments and order.
  if (value === undefined) before.deleteIn(path);
  else if (isEmpty(before.getIn(path.slice(0, -1), true))) before.set(path[0], expected[path[0]]);
  else before.setIn(path, value);
  const rewritten = endings(text, before.toString({ ...style, indentSeq: setsListsIn(text) }));
  if (holds(rewritten, expected)) return rewritten;
  throw new LearningsError('record-invalid', `${path.join('.')} could not be written into this file.`);
}

function splice(
  text: string,
  document: Document,
  path: readonly string[],
  value: unknown,
): string | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const key = path.at(-1) ?? '';
  if (path.length > 1 && isEmpty(parent) && value !== undefined)
    return splice(text, document, path.slice(0, -1), { [key]: value });
  if (!isMap(parent)) return undefined;
  if (parent.flow) {
    // A map on one line is one field of the map around it.
    const whole = withValue(parent.toJSON(), [key], value);
    return path.length > 1 ? splice(text, document, path.slice(0, -1), whole) : undefined;
  }
  const index = parent.items.findIndex((pair) => isScalar(pair.key) && pair.key.value === key);
  const pair = parent.items[index];
  if (!pair) return value === undefined ? text : insert(text, parent, key, value);

  const range = rangeOf(pair);
  if (!range) return undefined;
  if (value === undefined) {
    const start = text.lastIndexOf('\n', range.start - 1) + 1;
    return text.slice(0, start) + text.slice(lineEnd(text, range.end));
  }
  const old = pair.value;
  if (isScalar(old) && old.range && isOneLine(text, old) && !isObject(value)) {
    const scalar = scalarText(value, old);
    if (scalar !== undefined) return text.slice(0, old.range[0]) + scalar + text.slice(old.range[1]);
  }
  const spliceList = isSeq(old) && old.flow === true ? spliceFlow : spliceItems;
  const items = isSeq(old) && Array.isArray(value) ? spliceList(text, old, value) : undefined;
  if (items !== undefined) return items;
  const layout = { column: columnOf(text, range.start), flow: isCollection(old) && old.flow === true, text };
  const rendered = render(key, value, layout);
  const tail = text.slice(range.end);
  const glue = tail === '' || /^\r?\n/.test(tail) || /^[ \t]+#/.test(tail) ? '' : '\n';
  return text.slice(0, range.start) + endings(text, rendered + glue) + tail;
}

function insert(text: string, parent: YAMLMap, key: string, value: unknown): string | undefined {
  const rank = (name: unknown): number =>
    order.includes(String(name)) ? order.indexOf(String(name)) : order.length;
  const previous =
    parent.items.findLast((pair) => isScalar(pair.key) && rank(pair.key.value) <= rank(key)) ??
    parent.items.at(-1);
  const range = previous && rangeOf(previous);
  if (!range) return undefined;
  const column = columnOf(text, range.start);
  const rendered = ' '.repeat(column) + render(key, value, { column, flow: false, text });
  const at = lineEnd(text, range.end);
  const needsBreak = at > 0 && text[at - 1] !== '\n';
  return text.slice(0, at) + endings(text, `${needsBreak ? '\n' : ''}${rendered}\n`) + text.slice(at);
}

/** From the start of the key to the end of the value, without what follows it on the line. */
function rangeOf(pair: Pair): { start: number; end: number } | undefined {
  if (!isNode(pair.key) || !pair.key.range) return undefined;
  const value = isNode(pair.value) ? pair.value.range : undefined;
  return { start: pair.key.range[0], end: value?.[1] ?? pair.key.range[2] };
}

/** Rewrites a list of plain values item by item, so that what is said beside an item stays with it. */
function spliceItems(text: string, list: YAMLSeq, values: readonly unknown[]): string | undefined {
  const items = list.items.map((item) =>
    isScalar(item) && item.range && isOneLine(text, item) ? item : undefined,
  );
  const starts = items.map((item) => (item?.range ? text.lastIndexOf('\n', item.range[0] - 1) + 1 : -1));
  const last = items.at(-1)?.range;
  if (!last || starts.includes(-1) || values.length === 0 || values.some(isObject)) return undefined;
  const end = lineEnd(text, last[1]);
  const lines = starts.map((start, index) => ({
    value: items[index]?.value,
    line: text.slice(start, starts[index + 1] ?? end),
  }));
  const indent = /^ *- +/.exec(lines[0]?.line ?? '')?.[0];
  if (indent === undefined) return undefined;
  const rendered = values.map(
    (value) =>
      lines.find((line) => line.value === value)?.line ??
      endings(text, `${indent}${stringify(value, style)}`),
  );
  return text.slice(0, starts[0]) + rendered.join('') + text.slice(end);
}

/** The same for a list on one line: what stays is written as it was, and what comes like what is there. */
function spliceFlow(text: string, list: YAMLSeq, values: readonly unknown[]): string | undefined {
  const items = list.items.filter((item) => isScalar(item));
  const [first] = items;
  const [start = 0, end = 0] = list.range ?? [];
  const whole = text.slice(start, end);
  if (!first || items.length < list.items.length || /[\n#]/.test(whole) || values.some(isObject))
    return undefined;
  const rendered = values.map((value) => {
    const known = items.find((item) => item.value === value)?.range;
    return known ? text.slice(known[0], known[1]) : scalarText(value, first);
  });
  if (rendered.includes(undefined) || rendered.length === 0) return undefined;
  const padding = /^\[( *)/.exec(whole)?.[1] ?? '';
  return `${text.slice(0, start)}[${padding}${rendered.join(', ')}${padding}]${text.slice(end)}`;
}

interface Layout {
  readonly column: number;
  readonly flow: boolean;
  /** The file, whose habits new text follows. */
  readonly text: string;
}

function render(key: string, value: unknown, { column, flow, text }: Layout): string {
  const document = new Document({ [key]: value });
  const node = document.get(key, true);
  if (flow && isCollection(node)) node.flow = true;
  const lines = document
    .toString({ ...style, indentSeq: setsListsIn(text) })
    .trimEnd()
    .split('\n');
  return lines.map((line, index) => (index > 0 && line !== '' ? ' '.repeat(column) + line : line)).join('\n');
}

function scalarText(value: unknown, old: Scalar): string | undefined {
  const scalar = new Scalar(value);
  if (typeof value === 'string' && (old.type === 'QUOTE_DOUBLE' || old.type === 'QUOTE_SINGLE'))
    scalar.type = old.type;
  const text = stringify(scalar, style).trimEnd();
  return text.includes('\n') ? undefined : text;
}

function isOneLine(text: string, node: Scalar): boolean {
  return (
    node.range !== undefined &&
    node.range !== null &&
    !text.slice(node.range[0], node.range[1]).includes('\n')
  );
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Past the end of the line that `offset` lies on; `offset` itself if it is already at the start of one. */
function lineEnd(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === '\n') return offset;
  const next = text.indexOf('\n', offset);
  return next === -1 ? text.length : next + 1;
}

/** Gives new text the line endings that the file has. */
function endings(file: string, added: string): string {
  return file.includes('\r\n') ? added.replaceAll(/\r?\n/g, '\r\n') : added;
}

/** A key without a value, or none at all. */
const isEmpty = (node: unknown): boolean =>
  node === undefined || node === null || (isScalar(node) && node.value === null);

/** Not silent: the library then says nothing of further documents in the text, and drops them when it writes. */
function parse(text: string): Document {
  return parseDocument(text, { prettyErrors: false, logLevel: 'error' });
}

function holds(text: string, expected: unknown): boolean {
  const document = parse(text);
  return document.errors.length === 0 && same(document.toJS(), expected);
}

function withValue(
  whole: unknown,
  path: readonly string[],
  value: unknown,
  above: readonly string[] = [],
): Record<string, unknown> {
  const object = whole ?? {};
  if (!isObject(object) || Array.isArray(object)) {
    const name = above.join('.') || 'the whole';
    throw new LearningsError(
      'record-invalid',
      `${name} is not a map of keys, so ${[...above, ...path].join('.')} has no place there. Make it one first.`,
    );
  }
  const [key = '', ...rest] = path;
  const { [key]: old, ...others } = object;
  if (rest.length > 0) return { ...object, [key]: withValue(old, rest, value, [...above, key]) };
  return value === undefined ? others : { ...object, [key]: value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string | undefined {
  return JSON.stringify(isNode(value) ? value.toJSON() : value, (_, inner: unknown) =>
    isObject(inner) && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
