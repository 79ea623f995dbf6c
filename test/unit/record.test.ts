import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import { editYaml } from '../../src/core/yaml/edit';
import { parseRecord, type ParsedRecord } from '../../src/core/record/parse';

const minimal = `id: L-0001
schemaVersion: 1
scope:
  tags: [performance]
summary: Compare outputs first.
`;

const parse = (text: string): ParsedRecord => parseRecord(new TextEncoder().encode(text), 'a.yaml');
const problemsOf = (text: string | Uint8Array): string[] =>
  parseRecord(typeof text === 'string' ? new TextEncoder().encode(text) : text, 'a.yaml').problems.map(
    ({ line, column, code, message }) => `${line}:${column} ${code}: ${message}`,
  );

describe('parseRecord', () => {
  it('fills in what may be left out', () => {
    const { record, problems } = parse(minimal);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      { status: record?.status, kind: record?.kind, priority: record?.priority, paths: record?.scope.paths },
      { status: 'active', kind: 'rule', priority: 0, paths: [] },
    );
  });

  it("reads Orbit's spellings", () => {
    const { record } = parse(
      `${minimal.replace('schemaVersion', 'schema_version')}legacy_ids: [L2026]\nevidence:\n- {kind: external, reference: "#79"}\nsupersedes: L-0007\n`,
    );
    assert.deepEqual(record?.evidence[0]?.ref, '#79');
    assert.deepEqual(record.supersedes, ['L-0007']);
  });

  const refused: [name: string, text: string | Uint8Array, expected: string][] = [
    [
      'a value that is not allowed',
      `${minimal}kind: wish\n`,
      '6:1 schema: kind must be rule, decision, validation, summary, evidence or fact',
    ],
    ['a key that is missing', minimal.replace(/summary.*\n/, ''), '1:1 schema: summary is missing'],
    [
      'a scope about nothing',
      minimal.replace('[performance]', '[]'),
      '3:1 schema: scope needs at least one path, tag or symbol (paths: ["**"] for the whole repository)',
    ],
    [
      'a version of the future',
      minimal.replace('Version: 1', 'Version: 2'),
      '2:1 schema: schemaVersion must be 1',
    ],
    [
      'an evidence without a place',
      `${minimal}evidence:\n  - kind: task\n`,
      '7:5 schema: evidence.0.ref is missing',
    ],
    ['YAML that is none', `${minimal}body: "never closed\n`, '7:1 yaml: Missing closing "quote'],
    ['a key twice', `${minimal}summary: again\n`, '6:1 yaml: Map keys must be unique'],
    [
      'merge-conflict markers, even inside a text',
      `${minimal}body: |\n  <<<<<<< HEAD\n`.replace('  <<<', '<<<'),
      '7:1 conflict-markers: merge-conflict markers',
    ],
    ['an alias', `${minimal}a: &x 1\nb: *x\n`, '6:4 alias: aliases and anchors are not allowed'],
    [
      'too many keys',
      minimal + Array.from({ length: 600 }, (_, n) => `k${n}: 1\n`).join(''),
      '501:5 too-complex: more than 500 keys',
    ],
    [
      'deep nesting in brackets',
      `${minimal}x: ${'['.repeat(5000)}\n`,
      '6:34 too-complex: nested more than 32 levels deep',
    ],
    [
      'deep nesting by dashes',
      `${minimal}x:\n${'- '.repeat(5000)}1\n`,
      '7:63 too-complex: nested more than 32 levels deep',
    ],
    [
      'a file that is too large',
      'x'.repeat(70_000),
      '1:1 too-large: 70000 bytes; a record has at most 65536',
    ],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x69, 0x00]), '1:1 encoding: UTF-16, not UTF-8'],
    ['a NUL byte', `${minimal}\0`, '1:1 encoding: a NUL byte: not a text file, or not UTF-8'],
    ['bytes that are not UTF-8', new Uint8Array([0x69, 0xff]), '1:1 encoding: not valid UTF-8'],
    ['an empty file', '', '1:1 schema: not a record: a map of keys such as id, scope and summary'],
    ['a list', '- a\n', '1:1 schema: not a record: a map of keys such as id, scope and summary'],
  ];
  for (const [name, text, expected] of refused) {
    it(`refuses ${name}, and says where`, () => {
      assert.equal(problemsOf(text)[0], expected);
      const parsed = parseRecord(typeof text === 'string' ? new TextEncoder().encode(text) : text, 'a.yaml');
      assert.equal(parsed.record, undefined);
      assert.ok(parsed.problems.every(({ hint }) => hint.length > 10));
    });
  }

  it('takes a byte-order mark and Windows line endings', () => {
    assert.ok(parse(`\ufeff${minimal.replaceAll('\n', '\r\n')}`).record);
  });

  it('keeps a record in use that holds a hostile character, and warns of it', () => {
    const { record, problems } = parse(minimal.replace('outputs', 'out\u202eputs'));
    assert.ok(record);
    assert.deepEqual(
      problems.map(({ severity, code, line, column }) => ({ severity, code, line, column })),
      [{ severity: 'warning', code: 'hostile-text', line: 5, column: 21 }],
    );
  });
});

describe('editYaml', () => {
  const text = `# head
id: L-0001   # the id
schemaVersion: 1
status: active                 # active | superseded
scope:
  paths: ["src/**", "!x"]
  tags:
    - a
    - b   # why b
summary: >
  folded
  text
body: |
  one

  two
unknown: {a: 1}
# tail
`;
  const cases: [name: string, path: [string, ...string[]], value: unknown, expected: string[]][] = [
    [
      'a value and keeps the comment beside it',
      ['status'],
      'superseded',
      [
        '-status: active                 # active | superseded',
        '+status: superseded                 # active | superseded',
      ],
    ],
    [
      'a list on one line, each item written as the others are',
      ['scope', 'paths'],
      ['lib/**', '!x', 'a, b'],
      ['-  paths: ["src/**", "!x"]', '+  paths: ["lib/**", "!x", "a, b"]'],
    ],
    [
      'one item of a list and keeps what is said beside the others',
      ['scope', 'tags'],
      ['b', 'c'],
      ['-    - a', '+    - c'],
    ],
    [
      'a folded text',
      ['summary'],
      'now: one # line',
      ['-summary: >', '-  folded', '-  text', '+summary: "now: one # line"'],
    ],
    ['a text of several lines', ['body'], 'three\n\nfour\n', ['-  one', '-  two', '+  three', '+  four']],
    ['a value inside a map on one line', ['unknown', 'a'], 2, ['-unknown: {a: 1}', '+unknown: {a: 2}']],
    ['by adding a key at its place', ['priority'], 5, ['+priority: 5']],
    ['by adding a key inside a map', ['scope', 'symbols'], ['f'], ['+  symbols:', '+    - f']],
    ['by taking a key away', ['summary'], undefined, ['-summary: >', '-  folded', '-  text']],
  ];
  for (const [name, path, value, expected] of cases) {
    it(`changes ${name}, and no other line`, () => {
      assert.deepEqual(changed(text, editYaml(text, [[path, value]])), expected);
      const windows = text.replaceAll('\n', '\r\n');
      const edited = editYaml(windows, [[path, value]]);
      assert.equal(edited, editYaml(text, [[path, value]]).replaceAll('\n', '\r\n'));
    });
  }

  it('gives back the very text when nothing changes', () => {
    assert.equal(editYaml(text, [[['status'], 'active']]), text);
  });
});

const corpora = [
  join(checkout, 'samples/.learnings'),
  join(checkout, '../shared/corpus/orbit/learnings'),
].filter((folder) => existsSync(folder));
for (const corpus of corpora) {
  describe(`the records of ${corpus === corpora[0] ? 'the sample' : 'the Orbit corpus'}`, () => {
    const folders = readdirSync(corpus).filter((name) => /^L-\d+$/.test(name));

    it('load without a problem', () => {
      assert.ok(folders.length >= 13);
      for (const name of folders) {
        const { record, problems } = parseRecord(readFileSync(join(corpus, name, 'learning.yaml')), name);
        assert.equal(record?.id, name);
        assert.deepEqual(problems, []);
      }
    });

    it('keep every other byte when one field is edited, and come back byte for byte', () => {
      for (const name of folders) {
        const before = readFileSync(join(corpus, name, 'learning.yaml'), 'utf8');
        const status = parse(before).record?.status ?? '';
        assert.equal(editYaml(before, [[['status'], status]]), before);
        const edited = editYaml(before, [[['priority'], 4711]]);
        const lines = changed(before, edited);
        assert.ok(
          lines.every((line) => /^[+-]priority: /.test(line)),
          `${name}: ${lines.join('\n')}`,
        );
        const old = parse(before).record?.priority;
        if (/^priority:/m.test(before)) assert.equal(editYaml(edited, [[['priority'], old]]), before);
        else assert.equal(editYaml(edited, [[['priority'], undefined]]), before);
      }
    });
  });
}

/** The lines that went and the lines that came. */
function changed(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return [
    ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
    ...now.filter((line) => !old.includes(line)).map((line) => `+${line}`),
  ];
}
