import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseDocument } from 'yaml';

import { checkout } from '../../scripts/product';
import { cursorAt, placesIn, wordAt, type Cursor } from '../../src/core/api';

const samples = join(checkout, 'samples', '.learnings');
const texts = readdirSync(samples, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(samples, name), 'utf8'));

/** `^` marks where somebody types. */
const at = (marked: string): Cursor | undefined => cursorAt(marked.replace('^', ''), marked.indexOf('^'));
const shown = (marked: string): string => {
  const cursor = at(marked);
  return cursor ? `${cursor.role} ${cursor.path.join('/')} "${cursor.prefix}"` : 'nowhere';
};

describe('cursorAt', () => {
  const cases: readonly [text: string, expected: string][] = [
    ['^', 'key  ""'],
    ['id: L-0001\nki^\nstatus: active\n', 'key ki "ki"'],
    ['id: L-0001\nsta^tus: active\n', 'key status "sta"'],
    ['kind:^', 'value kind ""'],
    ['kind: ^\nid: L-0001', 'value kind ""'],
    ['kind: ru^le', 'value kind "ru"'],
    ["kind: 'ru^le'", 'value kind "ru"'],
    ['scope:\n  ^\nsummary: x', 'key scope/ ""'],
    ['scope:\n  pa^', 'key scope/pa "pa"'],
    ['scope:\n  paths: []\n  ^', 'key scope/ ""'],
    ['scope:\n  paths: []\n^', 'key  ""'],
    ['scope:\n  tags: [^]', 'value scope/tags/0 ""'],
    ['scope:\n  tags: [perf, ^', 'value scope/tags/1 ""'],
    ['scope:\n  tags: [perf, da^]\nsummary: x', 'value scope/tags/1 "da"'],
    ['scope: {tags: [a, ^b]}', 'value scope/tags/1 ""'],
    ['scope:\n  paths: ["src/^\n  tags: [a]\nsummary: x', 'value scope/paths/0 "src/"'],
    ['scope:\n  paths:\n    - ^', 'value scope/paths/0 ""'],
    ['scope:\n  paths:\n    - a\n    - "src/^"\n', 'value scope/paths/1 "src/"'],
    ['scope:\n  paths:\n    - a\n    ^', 'value scope/paths/1 ""'],
    ['scope:\n  paths:\n  - a\n  ^', 'key scope/ ""'],
    ['evidence:\n  - {^}', 'key evidence/0/ ""'],
    ['evidence:\n  - {ki^}', 'key evidence/0/ki "ki"'],
    ['evidence:\n  - {kind: ^, ref: x}', 'value evidence/0/kind ""'],
    ['evidence:\n  - {kind: task, ref: a}\n  - kind: com^', 'value evidence/1/kind "com"'],
    ['evidence:\n  - kind: commit\n    ^', 'key evidence/0/ ""'],
    ['supersedes: [L-0001, ^\nsummary: x', 'value supersedes/1 ""'],
    ['body: |\n  some ^text\nkind: rule', 'nowhere'],
    ['body: |\n  text\n^', 'key  ""'],
    ['# a com^ment', 'nowhere'],
    ['kind: rule # a com^ment', 'nowhere'],
    ['kind: "rule" ^', 'nowhere'],
    ['summary: two\n  lin^es', 'value summary "two\n  lin"'],
  ];
  for (const [text, expected] of cases)
    it(`says ${expected.trim()} in ${JSON.stringify(text)}`, () => assert.equal(shown(text), expected));

  it('keeps a choice within its quotes', () => {
    const text = 'scope:\n  paths: ["src/a.ts"]';
    const { range } = at(text.replace('a.ts', 'a^.ts')) ?? assert.fail();
    assert.equal(text.slice(range.start, range.end), 'src/a.ts');
  });

  it('answers at every place of every beginning of a text, and never throws', () => {
    const text = texts.toSorted((a, b) => b.length - a.length)[0] ?? '';
    for (let length = 0; length <= text.length; length++) {
      const cursor = cursorAt(text.slice(0, length), length);
      if (cursor) assert.ok(cursor.range.start <= cursor.range.end && cursor.range.end <= length);
    }
    for (let offset = 0; offset <= text.length; offset++) cursorAt(text, offset);
  });

  it('takes nonsense, and takes it quickly', () => {
    const pieces = ['- ', '[', '{', '"', "'", ': ', '\n', '  ', '#', 'a', '|', ',', ']', '}', '\t', '\r\n'];
    let seed = 7;
    const next = (bound: number): number => (seed = (seed * 1103515245 + 12345) % 2147483648) % bound;
    for (let round = 0; round < 500; round++) {
      const text = Array.from({ length: next(120) }, () => pieces[next(pieces.length)]).join('');
      for (let offset = 0; offset <= text.length; offset += 1 + next(7)) cursorAt(text, offset);
    }
    const started = Date.now();
    for (const piece of [...pieces, '- - ', '{a: ', '["', 'a:\n ', ' \n']) {
      const text = piece.repeat(65_536 / piece.length);
      cursorAt(text, text.length);
    }
    assert.ok(Date.now() - started < 5000, `${Date.now() - started} ms`);
  });
});

/** Every value on one line, by its path. */
function leaves(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
  return String(value).includes('\n') ? [] : [`${path.join('/')} ${String(value)}`];
}

describe('placesIn', () => {
  it('sees in whole files what the YAML library sees', () => {
    for (const text of texts) {
      const seen = placesIn(text).flatMap((place) => {
        const word = wordAt(text, place);
        return word === undefined ? [] : [`${place.path.join('/')} ${word}`];
      });
      assert.deepEqual(seen, leaves(parseDocument(text).toJS()));
    }
  });
});
