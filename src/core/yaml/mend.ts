import { parseDocument } from 'yaml';

import { placeAt, placesIn, type Place } from './cursor';
import { editYaml } from './edit';
import { guardText } from './guard';

/**
 * A text that does not parse, with the least that makes it parse: quotes around a value, or the bracket or quote that
 * nobody closed. `offset` is where the parser gave up. Undefined if it takes more than that.
 */
export function mendYaml(text: string, offset: number): string | undefined {
  const line = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  // What is not closed is only noticed on the next line.
  const above = text.slice(0, Math.max(0, line - 1)).lastIndexOf('\n') + 1;
  return [...new Set([line, above])]
    .flatMap((start) => proposals(text, start))
    .find((proposal) => isWhole(proposal));
}

function proposals(text: string, start: number): string[] {
  const [rest = ''] = text.slice(start).split('\n', 1);
  const line = rest.trimEnd();
  const [, before = '', value = ''] = /^(\s*(?:- )*[\w-]+:\s+|\s*- )(.+)$/.exec(line) ?? [];
  const put = (changed: string): string => text.slice(0, start) + changed + text.slice(start + line.length);
  const inner = value.replace(/^["'](?=.)|(?<=.)["']$/g, '');
  const closed = [']', '}', '"', "'", '"]', "']", '}]', ']}'].map((close) => put(line + close));
  const quoted = value === '' ? [] : [put(`${before}'${inner.replaceAll("'", "''")}'`)];
  return /^["'[{]/.test(value) ? [...closed, ...quoted] : [...quoted, ...closed];
}

function isWhole(text: string): boolean {
  const guarded = guardText(new TextEncoder().encode(text), '');
  if ('problem' in guarded) return false;
  return parseDocument(text, { prettyErrors: false, logLevel: 'error' }).errors.length === 0;
}

/** The text without an item of a list; without the list if nothing is left in it. */
export function withoutItem(text: string, path: readonly [string, ...(string | number)[]]): string {
  const places = placesIn(text);
  const item = placeAt(places, path);
  const list = path.slice(0, -1) as [string, ...string[]];
  const siblings = places.filter(
    (place) => place.path.length === path.length && list.every((step, at) => place.path[at] === step),
  );
  if (!item || siblings.length <= 1) return editYaml(text, [[list, undefined]]);
  return item.flow ? withoutFlowItem(text, item, siblings) : withoutLines(text, item);
}

function withoutFlowItem(text: string, item: Place, siblings: readonly Place[]): string {
  const at = siblings.indexOf(item);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const start = after ? item.value.start : (before?.value.end ?? item.value.start);
  return text.slice(0, start) + text.slice(after ? after.value.start : item.value.end);
}

/** With what is said beside it. */
function withoutLines(text: string, { value }: Place): string {
  const start = text.lastIndexOf('\n', Math.max(0, value.start - 1)) + 1;
  const end = text.indexOf('\n', Math.max(value.start, value.end - 1));
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
}
