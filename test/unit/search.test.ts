import assert from 'node:assert/strict';

import { snippet } from '../../src/core/search/snippet';
import { createTextIndex, type TextFields, type TextIndex } from '../../src/core/search/textIndex';

function fields(summary: string, more: Partial<TextFields> = {}): TextFields {
  return { summary, tags: [], ...more };
}

/** The documents are numbered from 0. */
function indexOf(...documents: (string | TextFields)[]): TextIndex {
  const index = createTextIndex();
  documents.forEach((one, document) => index.set(document, typeof one === 'string' ? fields(one) : one));
  return index;
}

function found(index: TextIndex, query: string): number[] {
  return index.search(query, { limit: 100 }).hits.map(({ document }) => document);
}

/** The same numbers in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** No two of them are alike, so that each is found for itself only. */
const apart =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo'.split(
    ' ',
  );
const alike =
  'test tests tested testing tset text pest graph graphs graphBench graph_bench grape migrate migration migrations migartion'.split(
    ' ',
  );

function randomFields(random: (below: number) => number, words: readonly string[]): TextFields {
  const some = (most: number) =>
    // The lower of two makes the first words the more common ones.
    Array.from(
      { length: random(most) },
      () => words[Math.min(random(words.length), random(words.length))] ?? '',
    );
  return {
    summary: some(8).join(' '),
    tags: some(3),
    rationale: random(2) ? some(12).join(', ') : undefined,
    body: random(2) ? some(40).join('\n') : undefined,
  };
}

describe('the text index', () => {
  describe('ranking', () => {
    it('lets a rare word count for more than a common one', () => {
      const index = indexOf('cache limits', 'cache warmup', 'cache eviction', 'retry limits');
      assert.deepEqual(found(index, 'cache retry')[0], 3);
    });

    it('puts a hit in the summary before one in tags, rationale and body, in this order', () => {
      const index = indexOf(
        fields('one', { body: 'needle' }),
        fields('one', { rationale: 'needle' }),
        fields('one', { tags: ['needle'] }),
        fields('needle'),
      );
      assert.deepEqual(found(index, 'needle'), [3, 2, 1, 0]);
    });

    it('puts documents with more of the words first, and does without some of them', () => {
      const index = indexOf('lock files', 'lock order', 'lock order of files', 'nothing');
      assert.deepEqual(found(index, 'order lock files'), [2, 0, 1]);
    });

    it('puts the shorter of two texts first', () => {
      assert.deepEqual(
        found(indexOf('needle in a very large stack of hay', 'needle in hay'), 'needle'),
        [1, 0],
      );
    });

    it('orders equal hits by document number', () => {
      const index = createTextIndex();
      for (const document of [5, 3, 9, 1]) index.set(document, fields('same text'));
      assert.deepEqual(found(index, 'same'), [1, 3, 5, 9]);
    });

    it('gives nothing for a query without words, nor from an empty index', () => {
      assert.deepEqual(indexOf('a text').search(' -./ ', { limit: 10 }), { hits: [], total: 0 });
      assert.deepEqual(createTextIndex().search('text', { limit: 10 }), { hits: [], total: 0 });
    });

    it('scores like plain BM25 with repeated fields', () => {
      const random = randomNumbers(1);
      const documents = Array.from({ length: 200 }, () => randomFields(random, apart));
      const index = indexOf(...documents);
      for (let round = 0; round < 50; round++) {
        const query = [...new Set([0, 1, 2].map(() => apart[random(apart.length)] ?? ''))];
        const { hits, total } = index.search(query.join(' '), { limit: 1000 });
        const expected = plainBm25(documents, query);
        assert.equal(total, expected.size);
        assert.equal(hits.length, expected.size);
        for (const { document, score } of hits) {
          assert.ok(
            Math.abs(score - (expected.get(document) ?? 0)) < 1e-9,
            `${query.join(' ')} in ${document}`,
          );
        }
        assert.deepEqual(
          hits.map(({ score }) => score),
          hits.map(({ score }) => score).toSorted((a, b) => b - a),
        );
      }
    });
  });

  describe('words', () => {
    const identifiers = indexOf(
      'run graphBench_rs first',
      'a perf-test',
      'see src/engine/run.ts',
      'parseHTTPResponse2',
    );

    it('finds identifiers by their parts and as a whole', () => {
      for (const query of [
        'graph',
        'bench',
        'rs',
        'graphBench_rs',
        'GRAPHBENCH_RS',
        'graphBench',
        'bench_rs',
      ]) {
        assert.deepEqual(found(identifiers, query), [0], query);
      }
      for (const query of ['perf', 'test', 'perf-test'])
        assert.deepEqual(found(identifiers, query), [1], query);
      for (const query of ['engine', 'src/engine', 'run.ts'])
        assert.equal(found(identifiers, query)[0], 2, query);
      for (const query of ['http', 'response2', 'parse'])
        assert.deepEqual(found(identifiers, query), [3], query);
    });

    it('puts the whole identifier before its parts', () => {
      assert.deepEqual(found(indexOf('graph of a bench', 'graphBench'), 'graphBench'), [1, 0]);
    });

    it('takes upper and lower case, composed and decomposed letters for the same', () => {
      const index = indexOf('Ménage à trois', 'Straßenbau', 'हिन्दी भाषा');
      assert.deepEqual(found(index, 'me\u0301nage'), [0]);
      assert.deepEqual(found(index, 'STRAßENBAU'), [1]);
      assert.deepEqual(found(index, 'हिन्दी'), [2]);
    });

    it('names the indexed words that made a hit', () => {
      const index = indexOf('migrations of the graphBench', 'other');
      assert.deepEqual(index.search('migra bench', { limit: 1 }).hits[0]?.words, ['migrations', 'bench']);
    });
  });

  describe('words like the one asked for', () => {
    it('finds longer words, after the word itself and however rare they are', () => {
      const index = indexOf('migrations', 'migrate', 'migrate', 'migrate', 'other');
      assert.deepEqual(found(index, 'migrate'), [1, 2, 3]);
      assert.deepEqual(found(index, 'migrat'), [0, 1, 2, 3]);
      assert.deepEqual(found(indexOf('testbed', 'test', 'test', 'test', 'test'), 'test'), [1, 2, 3, 4, 0]);
    });

    it('does not complete a single letter', () => {
      assert.deepEqual(found(indexOf('c code', 'cobol code'), 'c'), [0]);
    });

    const mistakes = {
      substitution: 'migrazion',
      insertion: 'migrattion',
      deletion: 'migraton',
      transposition: 'migartion',
      'a letter missing at the end': 'migratio',
      'a letter too many at the end': 'migrations',
    };
    for (const [mistake, query] of Object.entries(mistakes)) {
      it(`forgives one mistake: ${mistake}`, () => {
        assert.deepEqual(found(indexOf('other', 'the migration'), query), [1]);
      });
    }

    it('does not forgive two mistakes, one in a short word or number, or in the first letter', () => {
      const index = indexOf('migration', 'run', 'L-0042');
      for (const query of ['migarzion', 'migxrtion', 'migaxtion', 'rum', '0043', 'nigration'])
        assert.deepEqual(found(index, query), [], query);
    });

    it('does not look for mistakes in a word that is found often enough', () => {
      const often = Array.from({ length: 5 }, () => 'cache');
      assert.deepEqual(found(indexOf('cachy', ...often), 'cache'), [1, 2, 3, 4, 5]);
      assert.deepEqual(found(indexOf('cachy', ...often.slice(1)), 'cache'), [1, 2, 3, 4, 0]);
    });

    it('counts a word once for a document that has it and many like it', () => {
      const index = indexOf('test', 'test tests tested testing tester');
      assert.deepEqual(found(index, 'test'), [0, 1]);
    });
  });

  describe('changes', () => {
    it('finds what a document says now and not what it said', () => {
      const index = indexOf('before', 'other');
      index.set(0, fields('after'));
      assert.deepEqual([found(index, 'before'), found(index, 'after')], [[], [0]]);
      index.remove(0);
      index.remove(7);
      assert.deepEqual([found(index, 'after'), found(index, 'other')], [[], [1]]);
    });

    it('answers after any sequence of changes as an index built anew', () => {
      const random = randomNumbers(2);
      const documents = new Map<number, TextFields>();
      const index = createTextIndex();
      for (let step = 1; step <= 6000; step++) {
        const document = random(150);
        if (random(3) === 0) {
          documents.delete(document);
          index.remove(document);
        } else {
          // Words of their own now and then, which disappear again with their document.
          const next = randomFields(random, random(4) ? alike : [...alike, `test${step}`, `word${step}`]);
          documents.set(document, next);
          index.set(document, next);
        }
        // Only some words are searched for in between: the others meet many removals at once.
        if (step % 50 === 0) index.search(alike[random(alike.length)] ?? '', { limit: 5 });
        if (step % 500 === 0) assertLikeNew(index, documents);
      }
    });

    function assertLikeNew(index: TextIndex, documents: ReadonlyMap<number, TextFields>): void {
      const fresh = createTextIndex();
      for (const [document, one] of documents) fresh.set(document, one);
      for (const query of [
        ...alike,
        'te',
        'gra',
        'testt',
        'grahp',
        'word',
        'test migration',
        'graphBench text pest',
      ]) {
        const actual = index.search(query, { limit: 200 });
        const expected = fresh.search(query, { limit: 200 });
        assert.equal(actual.total, expected.total, query);
        assert.deepEqual(
          actual.hits.map(({ document, words }) => ({ document, words })),
          expected.hits.map(({ document, words }) => ({ document, words })),
          query,
        );
        actual.hits.forEach(({ score }, place) => {
          assert.ok(Math.abs(score - (expected.hits[place]?.score ?? 0)) < 1e-9, query);
        });
      }
    }
  });

  describe('options', () => {
    const many = indexOf(...Array.from({ length: 500 }, (_, n) => `word ${'filler '.repeat((n * 7) % 500)}`));

    it('gives the best up to the limit, and how many there are at all', () => {
      const all = many.search('word', { limit: Infinity });
      assert.equal(all.hits.length, 500);
      for (const limit of [0, 1, 20, 499, 500, 501]) {
        assert.deepEqual(many.search('word', { limit }), { hits: all.hits.slice(0, limit), total: 500 });
      }
    });

    it('passes over documents that are not accepted, in the total too', () => {
      const { hits, total } = many.search('word', { limit: 3, accept: (document) => document % 100 === 7 });
      assert.equal(total, 5);
      assert.ok(hits.length === 3 && hits.every(({ document }) => document % 100 === 7));
    });

    it('multiplies scores by the boost', () => {
      const index = indexOf('word', 'word', 'word');
      const plain = index.search('word', { limit: 3 }).hits[0]?.score ?? NaN;
      const { hits } = index.search('word', { limit: 2, boost: (document) => document + 1 });
      assert.deepEqual(hits, [
        { document: 2, score: plain * 3, words: ['word'] },
        { document: 1, score: plain * 2, words: ['word'] },
      ]);
    });

    it('is none the worse for a search that was broken off by its caller', () => {
      const index = indexOf('word', 'other word');
      const before = index.search('word', { limit: 5 });
      const accept = () => {
        throw new Error('not now');
      };
      assert.throws(() => index.search('word other', { limit: 5, accept }), /not now/);
      assert.deepEqual(index.search('word', { limit: 5 }), before);
    });
  });

  describe('hostile input', () => {
    it('takes long words by their beginning', () => {
      const index = indexOf('x'.repeat(100_000), `y${'𝒜'.repeat(50_000)}`);
      assert.deepEqual(found(index, 'x'.repeat(64)), [0]);
      assert.deepEqual(found(index, 'x'.repeat(100_000)), [0]);
      const [hit] = index.search(`y${'𝒜'.repeat(50_000)}`, { limit: 5 }).hits;
      assert.deepEqual(hit?.words, [`y${'𝒜'.repeat(31)}`]);
    });

    it('takes large bodies, lone surrogates, astral characters and odd names', () => {
      const index = indexOf(
        fields('large', { body: 'lorem ipsum '.repeat(6000) }),
        'lone \ud800 and \udc00 surrogate\ud83d',
        '😀 party 𠮷野家 \0 nul',
        '__proto__ constructor toString',
        fields('identifiers', { body: 'aB'.repeat(32_000) + ' ' + '_'.repeat(32_000) }),
      );
      assert.deepEqual(found(index, 'ipsum'), [0]);
      assert.deepEqual(found(index, 'surrogate \udc00'), [1]);
      assert.deepEqual(found(index, '𠮷野家'), [2]);
      assert.deepEqual(found(index, '__proto__'), [3]);
      assert.deepEqual(found(index, 'constructor'), [3]);
      assert.deepEqual(found(index, 'İ \ud83d 😀'), []);
    });

    it('heeds the first words of an endless query', () => {
      const index = indexOf('needle', 'w40');
      const query = Array.from({ length: 20_000 }, (_, n) => `w${n}`).join(' ');
      assert.deepEqual(found(index, `needle ${query}`), [0, 1]);
      assert.deepEqual(found(index, `${query} needle`), [1]);
    });
  });
});

/** As the textbook has it, each field as often as it weighs. */
function plainBm25(documents: readonly TextFields[], query: readonly string[]): Map<number, number> {
  const texts = documents.map(({ summary, tags, rationale = '', body = '' }) =>
    [
      ...Array<string>(4).fill(summary),
      ...Array<string>(3).fill(tags.join(' ')),
      rationale,
      rationale,
      body,
    ].flatMap((text) => text.split(/\W+/).filter((word) => word !== '')),
  );
  const average = texts.reduce((sum, words) => sum + words.length, 0) / texts.length;
  const scores = new Map<number, number>();
  for (const word of query) {
    const having = texts.filter((words) => words.includes(word)).length;
    const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    texts.forEach((words, document) => {
      const count = words.filter((other) => other === word).length;
      const score = (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / average));
      if (count > 0) scores.set(document, (scores.get(document) ?? 0) + score);
    });
  }
  return scores;
}

describe('snippet', () => {
  const filler = 'lorem ipsum dolor sit amet consectetur adipiscing elit '.repeat(20);

  function marked(text: string, words: readonly string[], maxLength: number): string {
    const { text: piece, marks } = snippet(text, words, maxLength);
    return marks.reduceRight(
      (rest, [start, end]) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
      piece,
    );
  }

  it('gives a short text whole, on one line, with its hits marked', () => {
    assert.equal(marked(' Run the\n  Tests,\ttests. ', ['tests'], 50), 'Run the [Tests], [tests].');
  });

  it('cuts a long text at words around the hits', () => {
    assert.equal(
      marked(`${filler}the needle here ${filler}`, ['needle'], 50),
      '…adipiscing elit the [needle] here lorem ipsum…',
    );
  });

  it('prefers the place where different words come together', () => {
    const text = `${filler} cache cache ${filler} cache eviction ${filler} eviction`;
    assert.match(marked(text, ['cache', 'eviction'], 60), /\[cache\] \[eviction\]/);
  });

  it('begins with the text when there is no hit', () => {
    assert.deepEqual(snippet(filler, ['needle'], 30), { text: 'lorem ipsum dolor sit amet…', marks: [] });
    assert.deepEqual(snippet('', ['needle'], 30), { text: '', marks: [] });
  });

  it('marks the part of an identifier that is a hit, and an identifier once', () => {
    assert.equal(marked('see graphBench_rs', ['bench'], 50), 'see graph[Bench]_rs');
    assert.equal(marked('see graphBench_rs', ['graph', 'graphbench_rs', 'rs'], 50), 'see [graphBench_rs]');
  });

  it('keeps marks in the text, its length in bounds and characters whole, whatever it is given', () => {
    const random = randomNumbers(3);
    const pieces = [
      'needle',
      '😀',
      '𠮷野家',
      ' ',
      '  \n',
      'x'.repeat(80),
      'hayNeedle_stack',
      'e\u0301',
      '-',
      'İ',
      'pin',
    ];
    const isBroken = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random(60) }, () => pieces[random(pieces.length)] ?? '').join('');
      const maxLength = 3 + random(120);
      const { text: piece, marks } = snippet(text, ['needle', 'pin', '𠮷野家', 'x'.repeat(64)], maxLength);
      assert.ok(piece.length <= maxLength && !isBroken.test(piece), JSON.stringify(text));
      let last = 0;
      for (const [start, end] of marks) {
        assert.ok(last <= start && start < end && end <= piece.length, JSON.stringify(text));
        last = end;
      }
    }
  });

  it('shows a hit of any text that has one', () => {
    for (const before of [0, 1, 7, 30, 1000, 60_000]) {
      for (const between of [' ', 'ä', '😀 ']) {
        const text = `${between.repeat(before)} needle ${between.repeat(before)}`;
        const { text: piece, marks } = snippet(text, ['needle'], 20);
        assert.deepEqual(
          marks.map(([start, end]) => piece.slice(start, end)),
          ['needle'],
        );
      }
    }
  });
});
