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
/** What the product keeps in a repository that uses it. */
const inUsersRepository = /^\.(?:learnings(?:\/|$)|claude\/|cursor\/|github\/hooks\/)/;
/** Made by the build or by a run, so not in a fresh clone. */
const made = new Set([
  'dist',
  'dist/',
  'out/failures',
  ...['cli', 'mcp', 'hook', 'serve', 'extension'].map((name) => `dist/${name}.js`),
]);

const exists = (path: string): boolean => made.has(path) || existsSync(join(checkout, path));

/** The paths in a drawing of folders: each line sets in what is below the line before. */
function drawnPaths(text: string): string[] {
  const drawing = /```\n(src\/[\s\S]*?)```/.exec(text)?.[1] ?? '';
  let parent = '';
  return drawing.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w.-]+\/? )*[\w.-]+\/?) {2,}/.exec(`${line}  `) ?? [];
    if (names === '') return [];
    if (indent === '') parent = '';
    const above = indent.length >= 4 ? parent : indent.length >= 2 ? 'src/' : '';
    if (indent.length === 2) parent = `src/${names.split(' ')[0] ?? ''}`;
    return names.split(' ').map((name) => above + name);
  });
}

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
      const spans = codeSpans(text).filter(
        (span) => /^[\w.@/-]+$/.test(span) && !inUsersRepository.test(span),
      );
      // A name with a folder and an ending is a path, and so is the name of anything at the top.
      const paths = spans.filter(
        (span) => /^[\w.-]+\/.*\.\w+$/.test(span) || topLevel.includes(span.split('/')[0] ?? ''),
      );
      assert.deepEqual(
        paths.filter((path) => !exists(path)),
        [],
      );
    });

    it('draws only folders that exist', () => {
      const drawn = drawnPaths(text);
      if (page.endsWith('architecture.md')) assert.ok(drawn.length > 15, 'the drawing was not found');
      assert.deepEqual(
        drawn.filter((path) => !exists(path)),
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
