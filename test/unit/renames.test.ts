import assert from 'node:assert/strict';

import { findGone, foldMoves, planRewrites, traceMoves, type Move } from '../../src/core/api';
import { rewriteForMoves } from '../../src/core/curate/renames';
import { matchGlob, parseGlob } from '../../src/core/match/glob';
import { dice, type Dice } from '../torture/random';

const file = (from: string, to: string): Move => ({ from, to, kind: 'file' });
const folder = (from: string, to: string): Move => ({ from, to, kind: 'folder' });
const about = (...paths: string[]) => ({ record: { scope: { paths } } });

describe('rewriteForMoves', () => {
  const cases: readonly [string, readonly string[], readonly Move[], readonly string[], string[]?][] = [
    [
      'follows a file that is named whole',
      ['src/a.ts', 'b.md'],
      [file('src/a.ts', 'src/b.ts')],
      ['src/b.ts', 'b.md'],
    ],
    ['follows a folder', ['src/http/**'], [folder('src/http', 'src/net')], ['src/net/**']],
    [
      'follows a folder above the one that is named',
      ['src/http/v1/*.ts'],
      [folder('src/http', 'net')],
      ['net/v1/*.ts'],
    ],
    ['follows a folder with a slash at its end', ['src/http/'], [folder('src/http', 'net')], ['net/']],
    [
      'keeps braces that come after the folder',
      ['src/http/{a,b}.ts'],
      [folder('src/http', 'net')],
      ['net/{a,b}.ts'],
    ],
    [
      'adds to braces that name the folder',
      ['src/{http,log}/*.ts'],
      [folder('src/http', 'src/net')],
      ['src/{http,log}/*.ts', 'src/net/*.ts'],
    ],
    [
      'adds what a pattern loses that also matches elsewhere',
      ['src/**/*.ts'],
      [folder('src/http', 'net')],
      ['src/**/*.ts', 'net/**/*.ts'],
    ],
    [
      'adds a single file that leaves a pattern',
      ['src/http/*.ts'],
      [file('src/http/a.ts', 'lib/a.ts')],
      ['src/http/*.ts', 'lib/a.ts'],
    ],
    [
      'leaves alone what still matches',
      ['src/**', '*.md'],
      [folder('src/http', 'src/net'), file('a.md', 'docs/a.md')],
      ['src/**', '*.md'],
    ],
    ['leaves alone what was not meant', ['src/https/**'], [folder('src/http', 'src/net')], ['src/https/**']],
    [
      'lets an exception follow',
      ['src/http/**', '!src/http/gen/**'],
      [folder('src/http', 'net')],
      ['net/**', '!net/gen/**'],
    ],
    [
      'writes odd names so that they mean themselves',
      ['app/[id]/a.ts'],
      [folder('app', 'new/(x|y)/{z}')],
      ['new/\\(x\\|y\\)/\\{z\\}/[id]/a.ts'],
    ],
    ['says of a file at the root that it is there', ['src/a.ts'], [file('src/a.ts', 'a.ts')], ['/a.ts']],
    [
      'keeps the old pattern while files are left',
      ['src/http/**'],
      [folder('src/http', 'net')],
      ['src/http/**', 'net/**'],
      ['net/a.ts', 'src/http/new.ts'],
    ],
    [
      'replaces a bare name if no other file has it',
      ['server.ts'],
      [file('src/server.ts', 'src/main.ts')],
      ['src/main.ts'],
      ['src/main.ts'],
    ],
    [
      'adds to a bare name that others have',
      ['server.ts'],
      [file('src/server.ts', 'src/main.ts')],
      ['server.ts', 'src/main.ts'],
      ['src/main.ts', 'lib/server.ts'],
    ],
    [
      'does not let an exception take out what was there',
      ['lib/**', 'src/**', '!src/gen/**'],
      [folder('src', 'lib')],
      ['lib/**', '!src/gen/**'],
      ['lib/gen/old.ts', 'lib/a.ts'],
    ],
    [
      'swaps two files',
      ['a/x.ts', 'a/y.ts'],
      [file('a/x.ts', 'a/y.ts'), file('a/y.ts', 'a/x.ts')],
      ['a/y.ts', 'a/x.ts'],
      ['a/x.ts', 'a/y.ts'],
    ],
  ];
  for (const [title, paths, moves, expected, files] of cases)
    it(title, () => assert.deepEqual(rewriteForMoves(paths, moves, files), expected));

  it('keeps every match, whatever moves: 1,500 made-up trees', () => {
    for (let seed = 1; seed <= 1500; seed++) checkOnce(dice(seed), seed);
  });

  it('says which learnings change, and how', () => {
    const [http, all] = [about('src/http/**'), about('**')];
    assert.deepEqual(planRewrites([http, all], [folder('src/http', 'src/net')], []), [
      { learning: http, before: ['src/http/**'], after: ['src/net/**'] },
    ]);
  });
});

const names = ['a', 'b', 'http', 'net', '(auth)', '[id]', 'x y'];
const endings = ['a.ts', 'b.ts', 'a.gen.ts', 'c.md', '[slug].tsx'];

/** Moves files or a folder of a made-up tree, and compares what a made-up scope matched with what it matches then. */
function checkOnce(chance: Dice, seed: number): void {
  const pick = <T>(items: readonly T[]): T => chance.pick(items) as T;
  const somewhere = (): string[] => Array.from({ length: chance.roll(4) }, () => pick(names));
  const before = [...new Set(Array.from({ length: 12 }, () => [...somewhere(), pick(endings)].join('/')))];
  const moves: Move[] = [];
  const aFile = pick(before);
  if (chance.roll(2) === 0) moves.push(file(aFile, [...somewhere(), `moved${chance.roll(9)}.ts`].join('/')));
  else if (aFile.includes('/')) {
    const parts = aFile.split('/').slice(0, -1);
    const from = parts.slice(0, 1 + chance.roll(parts.length)).join('/');
    const to = [...somewhere(), 'new'].join('/');
    if (!`${to}/`.startsWith(`${from}/`)) moves.push(folder(from, to));
  }
  const destination = (path: string): string => {
    const move = moves.find(({ from }) => path === from || path.startsWith(`${from}/`));
    return move ? move.to + path.slice(move.from.length) : path;
  };
  const after = before.map(destination);
  const pattern = (): string => {
    const parts = pick(before).split('/');
    const rolled = parts.map((part, index) => {
      const roll = chance.roll(10);
      if (roll === 0) return '*';
      if (roll === 1 && index < parts.length - 1) return '**';
      if (roll === 2) return `{${part},other}`;
      if (roll === 3 && index === parts.length - 1) return '*.ts';
      return part.replaceAll(/[[]/g, '\\$&');
    });
    const text = rolled.slice(0, chance.roll(4) === 0 ? 1 + chance.roll(rolled.length) : undefined).join('/');
    return (chance.roll(8) === 0 ? '!' : '') + text + pick(['', '', '', '/', '/**']);
  };
  const paths = Array.from({ length: 1 + chance.roll(4) }, pattern);
  const known = chance.roll(2) === 0 ? after : [];
  const rewritten = rewriteForMoves(paths, moves, known);

  const positive = (scope: readonly string[]) => scope.filter((one) => !one.startsWith('!'));
  const exceptions = paths.filter((one) => one.startsWith('!')).map((one) => one.slice(1));
  for (const [index, old] of before.entries()) {
    const now = after[index] ?? '';
    const story = `seed ${seed}: ${JSON.stringify({ paths, moves, rewritten, old, now })}`;
    if (matchesAny(positive(paths), old)) assert.ok(matchesAny(positive(rewritten), now), story);
    const wasIn = matchesAny(positive(paths), old) && !matchesAny(exceptions, old);
    const isIn =
      matchesAny(positive(rewritten), now) &&
      !matchesAny(
        rewritten.filter((one) => one.startsWith('!')).map((one) => one.slice(1)),
        now,
      );
    if (wasIn && known.length > 0 && !matchesAny(exceptions, now)) assert.ok(isIn, story);
  }
  if (moves.length === 0) assert.deepEqual(rewritten, [...new Set(paths)]);
}

function matchesAny(patterns: readonly string[], path: string): boolean {
  return patterns.some((pattern) => {
    const glob = parseGlob(pattern);
    return 'readings' in glob && matchGlob(glob, path.split('/'));
  });
}

describe('foldMoves', () => {
  it('tells of a folder that moved whole as one move', () => {
    const moves = [file('src/http/a.ts', 'src/net/a.ts'), file('src/http/v1/b.ts', 'src/net/v1/b.ts')];
    const files = ['src/net/a.ts', 'src/net/v1/b.ts', 'src/main.ts'];
    assert.deepEqual(foldMoves(moves, files), [folder('src/http', 'src/net')]);
  });

  it('does not where a file was left, or the new folder was there before', () => {
    const moves = [file('src/http/a.ts', 'src/net/a.ts')];
    assert.deepEqual(foldMoves(moves, ['src/net/a.ts', 'src/http/b.ts']), moves);
    assert.deepEqual(foldMoves(moves, ['src/net/a.ts', 'src/net/b.ts']), moves);
  });
});

describe('findGone', () => {
  it('names the files and folders that patterns name and that are not there', () => {
    const learnings = [
      about('src/http/server.ts', 'src/http/**', 'lib/**/*.ts', '!gone/**'),
      about('src/main.ts', '**/*.md', 'bare.ts', '/top.ts', 'old/{a,b}/**'),
    ];
    assert.deepEqual(findGone(learnings, ['src/main.ts', 'src/http/x.ts']), [
      'src/http/server.ts',
      'lib',
      'top.ts',
      'old',
    ]);
  });
});

describe('traceMoves', () => {
  it('follows a file that moved twice, and forgets one that is nowhere', async () => {
    const renames = new Map([
      ['a.ts', 'b.ts'],
      ['b.ts', 'lib/c.ts'],
      ['x.ts', 'y.ts'],
    ]);
    const git = {
      renames: (paths: readonly string[]) =>
        Promise.resolve(
          paths.flatMap((from) => {
            const to = renames.get(from);
            return to === undefined ? [] : [{ from, to }];
          }),
        ),
    };
    assert.deepEqual(await traceMoves(git, ['a.ts', 'x.ts', 'never.ts'], ['lib/c.ts', 'other.ts']), [
      file('a.ts', 'lib/c.ts'),
    ]);
  });
});
