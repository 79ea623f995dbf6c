import assert from 'node:assert/strict';

import { mendYaml, withoutItem } from '../../src/core/api';

describe('mendYaml', () => {
  const cases: readonly [broken: string, mended: string][] = [
    ['summary: a: b\nid: x\n', "summary: 'a: b'\nid: x\n"],
    ['tags: [a, b\nid: x\n', 'tags: [a, b]\nid: x\n'],
    ['id: x\nsummary: "open\n', 'id: x\nsummary: "open"\n'],
    ['paths:\n  - **/*.ts\nid: x\n', "paths:\n  - '**/*.ts'\nid: x\n"],
    ["summary: 'it's here'\n", "summary: 'it''s here'\n"],
  ];
  for (const [broken, mended] of cases) {
    it(`makes ${JSON.stringify(mended)} of ${JSON.stringify(broken)}`, () => {
      const found = Array.from(broken, (_, offset) => mendYaml(broken, offset));
      assert.ok(found.includes(mended), JSON.stringify([...new Set(found)]));
    });
  }

  it('leaves alone what takes more than that', () => {
    assert.equal(mendYaml('a: [\nb: {\nc: "\n', 3), undefined);
  });
});

describe('withoutItem', () => {
  it('takes an item of a list below its key, with the comment beside it', () => {
    const text = 'evidence:\n  - {kind: task, ref: a} # one\n  - kind: pr\n    ref: b\nid: x\n';
    assert.equal(withoutItem(text, ['evidence', 0]), 'evidence:\n  - kind: pr\n    ref: b\nid: x\n');
    assert.equal(withoutItem(text, ['evidence', 1]), 'evidence:\n  - {kind: task, ref: a} # one\nid: x\n');
  });

  it('takes an item between brackets, with its comma', () => {
    const text = 'scope:\n  paths: [a, "b", c]  # mine\n';
    assert.equal(withoutItem(text, ['scope', 'paths', 0]), 'scope:\n  paths: ["b", c]  # mine\n');
    assert.equal(withoutItem(text, ['scope', 'paths', 1]), 'scope:\n  paths: [a, c]  # mine\n');
    assert.equal(withoutItem(text, ['scope', 'paths', 2]), 'scope:\n  paths: [a, "b"]  # mine\n');
  });

  it('takes the key where nothing else is in the list', () => {
    assert.equal(
      withoutItem('scope:\n  paths: [a]\n  tags: [b]\n', ['scope', 'paths', 0]),
      'scope:\n  tags: [b]\n',
    );
  });
});
