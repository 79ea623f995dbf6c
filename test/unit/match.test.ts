import assert from 'node:assert/strict';

import { buildMatcher } from '../../src/core/match/matcher';
import type { Target } from '../../src/core/match/scope';

function reasons(scope: { paths?: string[]; tags?: string[]; symbols?: string[] }, target: Target): string[] {
  const order = { worth: Uint32Array.of(0), age: Uint32Array.of(0) };
  const matcher = buildMatcher([{ paths: [], tags: [], symbols: [], ...scope }], order);
  return matcher.find(target).hits.flatMap((hit) => hit.reasons);
}

describe('a scope', () => {
  it('matches a pattern without a slash at any depth', () => {
    assert.deepEqual(reasons({ paths: ['*.sql'] }, { paths: ['db/migrations/1.sql'] }), [
      'path:db/migrations/1.sql ~ *.sql',
    ]);
  });

  it('takes a trailing slash as everything below', () => {
    assert.equal(reasons({ paths: ['src/'] }, { paths: ['src/a/b.ts'] }).length, 1);
    assert.equal(reasons({ paths: ['src/'] }, { paths: ['test/src.ts'] }).length, 0);
  });

  it('sees files whose name begins with a dot', () => {
    assert.equal(reasons({ paths: ['**/*.yml'] }, { paths: ['.github/workflows/ci.yml'] }).length, 1);
  });

  it('takes away what a negated pattern matches, whatever its place', () => {
    const scope = { paths: ['!**/*.generated.ts', 'src/**'] };
    assert.equal(reasons(scope, { paths: ['src/a.ts'] }).length, 1);
    assert.equal(reasons(scope, { paths: ['src/a.generated.ts'] }).length, 0);
  });

  it('needs only one of path, tag and symbol, and names each that matched', () => {
    const scope = { paths: ['src/**'], tags: ['perf'], symbols: ['findExtrema'] };
    assert.deepEqual(reasons(scope, { paths: ['docs/a.md'], tags: ['perf'], symbols: ['findExtrema'] }), [
      'tag:perf',
      'symbol:findExtrema',
    ]);
  });
});
