import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';

import { checkout } from '../../scripts/product';
import { renderYaml } from '../../src/core/yaml/edit';
import { guardText } from '../../src/core/yaml/guard';
import { parseQuick } from '../../src/core/yaml/quick';

const eightPairs = '{a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8}';

/** Each text is read, and as the library reads it. */
const taken: [name: string, ...texts: string[]][] = [
  ['text on one line', 'a: b c\n', 'a: b:c#d [e] {f}, "g"\n', 'a:   b   \n', 'a: b', 'a: \u00a0b\u00a0\n'],
  ['nothing', 'a:\nb: ~\nc: null\nd: NULL\n', 'a:', 'a: # why\n'],
  ['yes and no', 'a: true\nb: False\nc: yes\nd: TRUE \n', 'a: [true, no]\n'],
  ['numbers', 'a: 1\nb: -12\nc: 0.50\nd: -0\ne: 007\n', 'a: [1, -2.5]\n'],
  ['what only looks like a number', 'a: 1.2.3\nb: 2026-02-11T09:20:00Z\nc: .github/**\nd: -x\ne: 1_000\n'],
  ['quotes', `a: 'it''s: #1'\nb: "c: \\"d\\" \\\\ \\n"\n`, `a: ''\nb: "" # c\n`],
  ['lists on one line', 'a: []\nb: [ c, "d, e" , \'f\', g h ]\n', 'a: [[b], {c: d}]\n', "a: [it's, b:c]\n"],
  ['maps on one line', 'a: {}\nb: {c: d, e: "f"} # g\n', 'a: { b: [c], d: {e: f} }\n'],
  [
    'lists one below the other',
    'a:\n- b\n- c # d\ne:\n  - f\n',
    'a:\n  -  b\n  - "c"\n  - {d: e}\n  - [f]\n',
  ],
  [
    'lists of maps',
    'a:\n- b: c\n  d: e\n- b: f\n',
    'a:\n  -   b:\n      - c\n      d:\n        e: f\n',
    'a:\n  - b:\n  - c: |\n      d\n',
  ],
  ['maps in maps', 'a:\n  b:\n    c: d\n  e: f\ng: h\n', 'a:\n b: c\n'],
  [
    'text of several lines',
    'a: |\n  b: #c\n\n    d\n  \te\nf: g\n',
    'a: |-\n\n  b  \n   \n\nc:\n  d: | # e\n   f\n',
    'a: |+\n  b\n\n\nc: d\n',
    'a: |\n  b',
    'a: |-\n  b\n  ',
    'a:\n  - |\n    b\n  - c\nd:\n-  |-\n e\n',
  ],
  ['comments and blank lines', '# a\n\nb: c\n    # d\n\ne:\n# f\n  g: h\n   \n  # i\n  j: k\n# l'],
  ['Windows line endings', 'a: b # c\r\nd: |\r\n  e\r\n\r\n  f\r\ng:\r\n- h\r\n'],
  [
    'as much as it takes on',
    `a:\n${'- {}\n'.repeat(249)}`,
    `a: [${'[], '.repeat(248)}[]]\n`,
    `${Array.from({ length: 16 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')}${' '.repeat(16)}- a: [${eightPairs}]\n`,
    `a: |\n ${'b'.repeat(20)}\n${Array.from({ length: 17 }, (_, n) => `${' '.repeat(n)}#\n`).join('')}b: ${eightPairs}\n`,
    `a: ${'€'.repeat(20_996)}\n`,
  ],
  ['keys that every object has', 'constructor: a\ntoString: b\n'],
];

/** Left to the library: wrong, refused by the guard, or too rare to be worth the doubt. */
const left: [name: string, ...texts: string[]][] = [
  ['no map', '', '# a\n', 'a', '- a\n', '[]', '{}'],
  [
    'several documents, directives and a byte-order mark',
    '---\na: b\n',
    'a: b\n...\n',
    '%YAML 1.2\n',
    '\ufeffa: b',
  ],
  ['anchors, aliases and tags', 'a: &b c\n', 'a: *b\n', 'a: !b c\n', 'a: [&b c]\n', 'a:\n- *b\n'],
  [
    'keys that are not simple',
    '"a": b\n',
    'a b: c\n',
    '? a\n',
    'null: a\n',
    '__proto__: a\n',
    '<<: a\n',
    '1: a\n',
  ],
  ['a key twice', 'a: 1\na: 2\n', 'a: {b: 1, b: 2}\n', 'a:\n- b: 1\n  b: 2\n'],
  ['values that go on', 'a: b\n  c\n', 'a: "b\n  c"\n', "a: 'b\n  c'\n", 'a: [b,\n  c]\n', 'a:\n- b\n c\n'],
  ['folded text', 'a: >\n  b\n'],
  [
    'text of several lines that is not plain',
    'a: |2\n  b\n',
    'a: |\nb: c\n',
    'a: |\n   \n  b\n',
    'a: |#b\n  c\n',
  ],
  ['a second colon', 'a: b: c\n', 'a: b:\n', 'a: "b": c\n', 'a: [b: c]\n', 'a: {b: c: d}\n'],
  [
    'odd numbers',
    'a: 0x1f\n',
    'a: 0o7\n',
    'a: 1e3\n',
    'a: +1\n',
    'a: .5\n',
    'a: -.INF\n',
    'a: 12345678901234567890\n',
  ],
  ['odd escapes', 'a: "\\x41"\n', 'a: "\\q"\n'],
  ['tabs outside of text', 'a:\tb\n', '\ta: b\n', 'a: b\t# c\n', 'a: |\n  b\n\t\n'],
  ['what is not closed, or goes on behind', 'a: "b\n', 'a: [b\n', 'a: {b: c]\n', 'a: [b] c\n', 'a: "b"# c\n'],
  ['gaps in brackets', 'a: [b,]\n', 'a: [,b]\n', 'a: {b}\n', 'a: {b: }\n', 'a: [#b]\n', 'a: [b #c]\n'],
  [
    'columns that do not fit',
    ' a: b\nc: d\n',
    'a:\n  b: c\n d: e\n',
    'a:\n  - b\n - c\n',
    'a: b\n- c\n',
    'a:\n  b: c\n  - d\n',
  ],
  ['signs of another meaning', 'a: @b\n', 'a: `b`\n', 'a: %b\n', 'a: ? b\n', 'a: - b\n', 'a: ,b\n', 'a: ]\n'],
  ['lone carriage returns', 'a: b\rc: d\n', 'a: b\r'],
  ['a NUL', 'a: b\0\n'],
  ['merge conflicts', 'a: |\n  b\u2028<<<<<<< c\n', '>>>>>>> a\n'],
  [
    'more than the guard allows',
    Array.from({ length: 501 }, (_, n) => `k${n}: 1\n`).join(''),
    `a: [${'b, '.repeat(1000)}b]\n`,
    `a: {${Array.from({ length: 33 }, (_, n) => `k${n}: 1`).join(', ')}}\n`,
    Array.from({ length: 40 }, (_, n) => `${' '.repeat(n)}k:\n`).join(''),
    `a: b\n${Array.from({ length: 40 }, (_, n) => `${' '.repeat(n)}#\n`).join('')}`,
    `a: b\n${Array.from({ length: 40 }, (_, n) => `${' '.repeat(n)}\n`).join('')}`,
    `a: ${'['.repeat(40)}${']'.repeat(40)}\n`,
    `a: ${'ä'.repeat(40_000)}\n`,
  ],
];

/** The library reads the text as `value`, and the guard lets it through. */
function assertSame(text: string, value: unknown): void {
  const document = parseDocument(text, { prettyErrors: false, logLevel: 'silent' });
  const shown = JSON.stringify(text);
  assert.deepEqual(document.errors, [], shown);
  const expected: unknown = document.toJS();
  assert.deepEqual(value, expected, shown);
  assert.equal(JSON.stringify(value), JSON.stringify(expected), shown);
  assert.ok('text' in guardText(new TextEncoder().encode(text), 'a.yaml'), `refused by the guard: ${shown}`);
}

const folders = ['samples/.learnings', 'samples/.learnings/candidates', '../shared/corpus/orbit/learnings'];
const records = folders
  .map((folder) => join(checkout, folder))
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'learning.yaml')))
  .filter((file) => existsSync(file))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

describe('parseQuick', () => {
  for (const [name, ...texts] of taken) {
    it(`reads ${name}`, () => {
      for (const text of texts) {
        const value = parseQuick(text);
        assert.ok(value, JSON.stringify(text));
        assertSame(text, value);
      }
    });
  }

  for (const [name, ...texts] of left) {
    it(`leaves to the library ${name}`, () => {
      for (const text of texts) assert.equal(parseQuick(text), undefined, JSON.stringify(text));
    });
  }

  it('reads every record there is, so that none loses the quick way unnoticed', () => {
    assert.ok(records.length >= 14);
    for (const { file, text } of records) {
      const value = parseQuick(text);
      assert.ok(value, file);
      assertSame(text, value);
    }
  });

  it('reads what we write', () => {
    for (const text of rendered()) {
      const value = parseQuick(text);
      assert.ok(value, text);
      assertSame(text, value);
    }
  });

  it('takes time in step with the length of the text', () => {
    const hostile = ['a: "', "a: '", 'a: [', 'a: {b: ', 'a: |\n  ', 'a: ', 'a:\n- ', ''];
    const fill = ["''", '\\"', '[', 'x:', ' ', '\n ', ' #', 'a', '- ', '-'];
    const started = performance.now();
    for (const start of hostile) for (const unit of fill) parseQuick(start + unit.repeat(10_000));
    // Quadratic would be minutes.
    assert.ok(performance.now() - started < 5000);
  });

  it('never differs from the library, however a record is damaged', () => {
    // To search on: FUZZ_CASES=100000 FUZZ_SEED=2
    const cases = Number(process.env['FUZZ_CASES'] ?? 20_000);
    const random = seeded(Number(process.env['FUZZ_SEED'] ?? 1));
    // Most are short: there a change more often hits what matters, and the library is done sooner.
    const short = taken.flatMap(([, ...texts]) => texts).filter(({ length }) => length < 500);
    const long = [...rendered(), ...records.slice(0, 20).map(({ text }) => text)];
    let read = 0;
    for (let count = 0; count < cases; count++) {
      const text = mutate(pick(random() < 0.97 ? short : long, random), random);
      const value = parseQuick(text);
      if (value === undefined) continue;
      read++;
      assertSame(text, value);
    }
    assert.ok(read > cases / 10, `only ${read} of ${cases} were read`);
  });
});

/** Records in our own hand, with values that need care in YAML. */
function rendered(): string[] {
  const awkward = [
    'a: b',
    '# c',
    "it's",
    '"d"',
    ' e ',
    '',
    'null',
    '12',
    '1.0',
    '- f',
    'g\nh\n',
    'i\n\n\tj',
    '**',
    '!k',
    'l #m',
  ];
  return awkward.map((value) =>
    renderYaml({
      id: 'L-0001',
      schemaVersion: 1,
      priority: 3,
      scope: { paths: [value, 'src/**'], tags: ['a', 'b', 'c', value], symbols: [] },
      summary: value,
      body: `First: line\n\n  - ${value}\nlast`,
      evidence: [
        { kind: 'pr', ref: value },
        { kind: 'task', ref: '#1', quote: value },
      ],
      supersedes: null,
    }),
  );
}

type Random = () => number;

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(from: readonly T[], random: Random): T {
  const value = from[Math.floor(random() * from.length)];
  assert.ok(value !== undefined);
  return value;
}

/** What means something in YAML, and what comes close. */
const tokens = [
  ' ·\n·\t·\r·#·:·-·?·,·[·]·{·}·&·*·!·|·>·%·@·`·~·\\·.·+·=·<·_·x·e·a·0·1·7·"·' + "'",
  '\u00a0·\u0085·\u2028·\ufeff·\u001f·\u0002·   ·        ·                  #\n',
  '\r\n·\n\n·\n  ·\n    ·\n- ·\n  - ·: ·:\n· #·# c\n· # c·- - ·---\n·...\n·--- ·, ·? ',
  '|\n·|-\n·|+\n·|2\n·>\n·>-\n· |\n  x\n·""·\\"·\\n·\\x41·"x"·[]·{}·[x]·{x: y}·{x}·[x: y]·' + "'x'",
  'x: y·\nx: y·\n  x: y·x:·x:y·&x ·*x·!!str ·<<: ·__proto__: 1\n·null: 1\n·<<<<<<< x\n',
  'null·true·False·0x1f·0o7·1e3·-1·+1·.5·1.·.inf·-.Inf·.nan·00·-0·1_0·-x·--x',
].flatMap((group) => group.split('·'));

function mutate(original: string, random: Random): string {
  let text = original;
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes--) {
    text = random() < 0.7 ? mutateAt(text, random) : mutateLine(text, random);
  }
  return text;
}

/** Inserts, deletes or replaces a few characters somewhere. */
function mutateAt(text: string, random: Random): string {
  const at = Math.floor(random() * (text.length + 1));
  const length = random() < 0.5 ? 0 : 1 + Math.floor(random() * 3);
  const added = length > 0 && random() < 0.4 ? '' : pick(tokens, random);
  return text.slice(0, at) + added + text.slice(at + length);
}

/** Removes, doubles, moves, indents or cuts a line. */
function mutateLine(text: string, random: Random): string {
  const lines = text.split('\n');
  const at = Math.floor(random() * lines.length);
  const line = lines[at] ?? '';
  const indent = ' '.repeat(Math.floor(random() * 5));
  const replacements = [
    [],
    [line, line],
    [line, ''],
    [line, indent],
    [line, `${indent}# c`],
    [line, indent + line.trimStart()],
    [indent + line],
    [indent + line.trimStart()],
    [line.slice(1)],
    [line.slice(0, Math.floor(random() * line.length))],
    [`${indent}- ${line.trimStart()}`],
    [`${line}\r`],
    [line, pick(lines, random)],
  ];
  lines.splice(at, 1, ...pick(replacements, random));
  return lines.join('\n');
}
