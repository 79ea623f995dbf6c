import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';

import { LearningsError } from '../errors';

/**
 * Edits JSON that people wrote, with their comments, trailing commas and layout. What is taken away again leaves the
 * text as it was, byte for byte; the library's own `modify` would lay out the whole line anew.
 */

type Path = readonly (string | number)[];
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Reads a text as a JSON object; refuses what is none with its file and line. */
function parseJson(file: string, text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw refuse(file, text, error.offset, `is not valid JSON: ${printParseErrorCode(error.error)}`);
  if (root?.type !== 'object') throw refuse(file, text, 0, 'should hold an object in braces');
  return root;
}

function refuse(file: string, text: string, offset: number, what: string): LearningsError {
  const before = text.slice(0, offset).split(/\r?\n/);
  const place = `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  return new LearningsError(
    'input-invalid',
    `${place} ${what}. It was left as it is: mend it and try again.`,
  );
}

/** The error for what is at a path, or begins there. */
export function refuseAt(file: string, text: string, path: Path, what: string): LearningsError {
  const root = parseJson(file, text);
  return refuse(file, text, (findNodeAtLocation(root, [...path]) ?? root).offset, what);
}

/** The value at a path; undefined if there is none. */
export function valueAt(file: string, text: string, path: Path): unknown {
  const node = findNodeAtLocation(parseJson(file, text), [...path]);
  return node && (getNodeValue(node) as unknown);
}

/** The text with this value at a path; what is missing on the way is made. */
export function withValue(file: string, text: string, path: Path, value: Json): string {
  const root = parseJson(file, text);
  const there = findNodeAtLocation(root, [...path]);
  if (there) return replaced(text, there, value);
  let container = root;
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    const next = findNodeAtLocation(root, path.slice(0, depth + 1));
    if (!next) break;
    if (next.type !== 'object')
      throw refuse(file, text, next.offset, `should hold an object at ${path.slice(0, depth + 1).join('.')}`);
    container = next;
  }
  const inner = path.slice(depth + 1).reduceRight<Json>((nested, key) => ({ [key]: nested }), value);
  return inserted(text, container, inner, String(path[depth]));
}

/** The text with one more item in the list at a path. */
export function withItem(file: string, text: string, path: readonly string[], value: Json): string {
  const list = findNodeAtLocation(parseJson(file, text), [...path]);
  if (!list) return withValue(file, text, path, [value]);
  if (list.type !== 'array') throw refuse(file, text, list.offset, `should hold a list at ${path.join('.')}`);
  return inserted(text, list, value);
}

/** The text without what is at a path, and without what holds nothing else. */
export function without(file: string, text: string, path: Path): string {
  let rest = text;
  for (let length = path.length; length > 0; length--) {
    const root = parseJson(file, rest);
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (!node) return rest;
    const own = node.parent?.type === 'property' ? node.parent : node;
    const container = own.parent;
    if (!container) return rest;
    rest = removed(rest, container, own);
    const left = rest.slice(container.offset + 1).trimStart();
    const isEmpty = container.children?.length === 1 && (left.startsWith('}') || left.startsWith(']'));
    if (!isEmpty) return rest;
  }
  // Nothing is left but braces: those of a file that held nothing else.
  const root = parseJson(file, rest);
  return `${rest.slice(0, root.offset)}{}${rest.slice(root.offset + root.length)}`;
}

function replaced(text: string, node: Node, value: Json): string {
  const laidOut = layOut(
    text,
    value,
    indentOf(text, (node.parent?.type === 'property' ? node.parent : node).offset),
  );
  return text.slice(0, node.offset) + laidOut + text.slice(node.offset + node.length);
}

function inserted(text: string, container: Node, value: Json, key?: string): string {
  const { offset, length, children = [] } = container;
  const close = offset + length - 1;
  const outer = indentOf(text, offset);
  const [first] = children;
  const isOnOwnLine = first && /\n[ \t]*$/.test(text.slice(0, first.offset));
  const indent = isOnOwnLine ? indentOf(text, first.offset) : outer + unitOf(text);
  const eol = eolOf(text);
  const content = `${eol}${indent}${key === undefined ? '' : `${JSON.stringify(key)}: `}${layOut(text, value, indent)}`;

  const inside = text.slice(offset + 1, close);
  const end = offset + 1 + inside.trimEnd().length;
  if (inside.trim() === '') return `${text.slice(0, offset + 1)}${content}${eol}${outer}${text.slice(close)}`;
  const last = children.at(-1);
  const lastEnd = last ? last.offset + last.length : end;
  // Whoever ends lists with a comma gets one more, so that it can be told later whose each of them is.
  if (!last || commaIn(text, lastEnd, close) !== undefined)
    return `${text.slice(0, end)}${content}${last ? ',' : ''}${text.slice(end)}`;
  return `${text.slice(0, lastEnd)},${text.slice(lastEnd, end)}${content}${text.slice(end)}`;
}

function removed(text: string, container: Node, node: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(node);
  const nodeEnd = node.offset + node.length;
  const next = children[index + 1];
  const comma = commaIn(text, nodeEnd, next?.offset ?? container.offset + container.length - 1);
  const after = text.slice(comma === undefined ? nodeEnd : comma + 1);
  const before = text.slice(0, node.offset);
  const start =
    /^[ \t]*\S/.test(after) && /\/\/[^\n]*\n\s*$/.test(before) ? before.length : before.trimEnd().length;
  if (comma !== undefined) return text.slice(0, start) + after;
  const previous = children[index - 1];
  const earlier = previous && commaIn(text, previous.offset + previous.length, node.offset);
  return earlier === undefined
    ? text.slice(0, start) + after
    : text.slice(0, earlier) + text.slice(earlier + 1, start) + after;
}

/** Where a comma is between two places that hold nothing else but comments. */
function commaIn(text: string, from: number, to: number): number | undefined {
  const between = text
    .slice(from, to)
    .replaceAll(/\/\/.*|\/\*[^]*?\*\//g, (comment) => ' '.repeat(comment.length));
  const at = between.indexOf(',');
  return at < 0 ? undefined : from + at;
}

const indentOf = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
const unitOf = (text: string): string => /^([ \t]+)["}\]]/m.exec(text)?.[1] ?? '  ';
const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

function layOut(text: string, value: Json, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}
