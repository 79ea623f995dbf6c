import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import manifest from '../../package.json';
import { checkout } from '../../scripts/product';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(checkout, 'docs')).map((name) => `docs/${name}`),
];
const topLevel = readdirSync(checkout);
/** Made by the build or by a user's own repository, so not in a fresh clone. */
const made = /^(dist|out|\.learnings|node_modules)(\/|$)/;

/** What a page names in `code`: words and paths, without the contents of fenced blocks. */
function codeSpans(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '');
}

for (const page of pages) {
  describe(page, () => {
    const text = readFileSync(join(checkout, page), 'utf8');

    it('names only scripts that exist', () => {
      const named = [...text.matchAll(/npm (?:run ([\w:]+)|(test|start)\b)/g)].map(
        ([, run, short]) => run ?? short ?? '',
      );
      const unknown = named.filter((script) => !(script in manifest.scripts));
      assert.deepEqual(unknown, []);
    });

    it('names only paths that exist', () => {
      const named = codeSpans(text).filter((span) => /^[\w.@/-]+$/.test(span) && !made.test(span));
      const paths = named.filter(
        (span) => topLevel.includes(span.split('/')[0] ?? '') || span.startsWith('src/'),
      );
      assert.deepEqual(
        paths.filter((path) => !existsSync(join(checkout, path))),
        [],
      );
    });

    it('links only to files that exist', () => {
      const targets = [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => target ?? '');
      const local = targets.filter((target) => !/^[a-z]+:/.test(target));
      const base = page.startsWith('docs/') ? 'docs' : '.';
      assert.deepEqual(
        local.filter((target) => !existsSync(join(checkout, base, target))),
        [],
      );
    });
  });
}
