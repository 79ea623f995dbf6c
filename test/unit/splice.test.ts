import assert from 'node:assert/strict';

import { insertInto, itemsOf, membersOf, wholeOf } from '../../src/mcp/splice';

describe('splicing JSON', () => {
  const at = (text: string, ...path: (string | number)[]): string => {
    let span = wholeOf(text);
    for (const step of path) {
      const inner = typeof step === 'number' ? itemsOf(text, span)[step] : membersOf(text, span).get(step);
      assert.ok(inner, String(step));
      span = inner;
    }
    return text.slice(span.start, span.end);
  };

  it('finds each value, whatever is in strings, spaces and numbers', () => {
    const text =
      ' { "a\\"}" : [ 1e5 , "]\\\\" , {"b":{} } , null ] ,\t"c": -0.10,"\\u0064" :"\\\\\\"","a": [],"a":[ 7 ] }\r';
    assert.equal(at(text, 'a"}', 0), '1e5');
    assert.equal(at(text, 'a"}', 1), '"]\\\\"');
    assert.equal(at(text, 'a"}', 2, 'b'), '{}');
    assert.equal(at(text, 'a"}', 3), 'null');
    assert.equal(at(text, 'c'), '-0.10');
    assert.equal(at(text, 'd'), '"\\\\\\""');
    assert.equal(at(text, 'a', 0), '7', 'of two members of one name the last counts');
    assert.equal(wholeOf(text).end, text.length - 1);
  });

  it('adds to lists and objects, empty ones too, and leaves everything else as it was', () => {
    const text = '{"list":[1.0],"empty":[ ],"object":{"x":1},"none":{}}';
    const members = membersOf(text, wholeOf(text));
    const additions = [...members].map(([name, span]) => ({
      ...span,
      json: name === 'object' || name === 'none' ? '"y":2' : '2',
    }));
    assert.equal(
      insertInto(text, additions),
      '{"list":[1.0,2],"empty":[ 2],"object":{"x":1,"y":2},"none":{"y":2}}',
    );
  });
});
