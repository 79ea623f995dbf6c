import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import initSqlJs from 'sql.js';

import { repository, scope, type Repository } from './repository';

const CACHE = '.learnings/.cache';

/** A store with enough records that its index is worth saving. */
function largeRepository(count = 90): Repository {
  const repo = repository();
  for (let number = 1; number <= count; number++) {
    const id = `L-${String(number).padStart(4, '0')}`;
    mkdirSync(join(repo.root, '.learnings', id));
    const paths = number % 3 === 0 ? 'src/**' : `src/file${number}.ts`;
    writeFileSync(
      join(repo.root, '.learnings', id, 'learning.yaml'),
      `id: ${id}\nschemaVersion: 1\nsummary: Number ${number} is about ${number % 2 ? 'odd retries' : 'even caches'}.\nscope: { paths: ["${paths}"] }\nbody: A longer text on subject${number}.\n`,
    );
  }
  return repo;
}

async function count(database: Uint8Array, what: string): Promise<unknown> {
  const sql = await initSqlJs();
  return new sql.Database(database).exec(`SELECT count(*) FROM ${what}`)[0]?.values[0]?.[0];
}

const questions = (repo: Repository): unknown => [
  repo.json('list', '--path', 'src/file7.ts'),
  repo.json('search', 'retries', '--limit', '7'),
  repo.json('search', 'subject41'),
  repo.json('explain', 'src/file7.ts'),
];

describe('the index on disk', () => {
  it('is rebuilt by sync as a saved matcher and a database, and answers from either', async () => {
    const repo = largeRepository();
    const before = questions(repo);
    rmSync(join(repo.root, CACHE), { recursive: true, force: true });
    const { stdout } = repo.cli(['sync']);
    assert.match(stdout, /^90 learnings/);
    const database = readFileSync(join(repo.root, CACHE, 'index.sqlite'));
    assert.equal(database.toString('latin1', 0, 15), 'SQLite format 3');
    assert.ok(statSync(join(repo.root, CACHE, 'index.bin')).size > 1000);
    assert.equal(await count(database, "learnings_index WHERE status = 'active'"), 90);
    assert.equal(await count(database, 'problems'), 0);
    assert.deepEqual(questions(repo), before);

    writeFileSync(join(repo.root, '.learnings/L-0003/learning.yaml'), 'id: L-0003\nsummary: ');
    assert.equal(repo.cli(['sync']).status, 3);
    const broken = readFileSync(join(repo.root, CACHE, 'index.sqlite'));
    assert.equal(await count(broken, "problems WHERE file = '.learnings/L-0003/learning.yaml'"), 3);
    assert.equal(await count(broken, 'learnings_index'), 89);
  });

  it('gives the right answers whatever has become of it', () => {
    const repo = largeRepository();
    repo.cli(['sync']);
    const expected = questions(repo);
    const spoil: Record<string, () => void> = {
      absent: () => rmSync(join(repo.root, CACHE), { recursive: true }),
      'cut short': () => {
        for (const name of ['index.bin', 'records.bin', 'index.sqlite']) {
          const file = join(repo.root, CACHE, name);
          writeFileSync(file, readFileSync(file).subarray(0, 500));
        }
      },
      'altered in one byte': () => {
        for (const name of ['index.bin', 'records.bin', 'index.sqlite']) {
          const file = join(repo.root, CACHE, name);
          const bytes = readFileSync(file);
          const at = Math.max(0, bytes.indexOf('retries'));
          bytes[at] = (bytes[at] ?? 0) ^ 1;
          writeFileSync(file, bytes);
        }
      },
      'of another version': () => writeFileSync(join(repo.root, CACHE, 'index.bin'), 'PLX0 something else'),
      'in a folder where nothing can be saved': () => {
        // A file where the folder for temporaries belongs: this stops root too, as permissions do not.
        rmSync(join(repo.root, CACHE), { recursive: true });
        mkdirSync(join(repo.root, CACHE));
        writeFileSync(join(repo.root, CACHE, 'tmp'), '');
      },
    };
    for (const [state, run] of Object.entries(spoil)) {
      repo.cli(['sync']);
      run();
      assert.deepEqual(questions(repo), expected, state);
    }
  });

  it('sees a record that was changed, added or removed behind its back', () => {
    const repo = largeRepository();
    repo.cli(['sync']);
    const file = join(repo.root, '.learnings/L-0007/learning.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Number 7', 'Changed 7'));
    rmSync(join(repo.root, '.learnings/L-0009'), { recursive: true });
    repo.json('add', '--summary', 'A new one about kangaroos.', ...scope);
    const found = JSON.stringify(repo.json('list', '--path', 'src/file7.ts'));
    assert.match(found, /Changed 7/);
    assert.doesNotMatch(found, /L-0009/);
    assert.match(JSON.stringify(repo.json('search', 'kangaroo')), /A new one about kangaroos/);
  });

  it('leaves no trace in a store that is only looked at', () => {
    const repo = largeRepository();
    rmSync(join(repo.root, CACHE), { recursive: true, force: true });
    questions(repo);
    assert.equal(existsSync(join(repo.root, CACHE)), false);
  });
});

describe('learnings search and explain', () => {
  it('finds by prefix and with a slip, filters, and marks what it found', () => {
    const repo = repository();
    repo.json('add', '--summary', 'Never retry a POST.', '--scope', 'paths=src/http/**', 'tags=network');
    repo.json(
      'add',
      '--summary',
      'Compare outputs first.',
      '--scope',
      'paths=src/engine/**',
      '--kind',
      'decision',
    );
    const ids = (...args: string[]): unknown =>
      (repo.json('search', ...args)['results'] as { id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids('compa'), ['L-0002']);
    assert.deepEqual(ids('outpust'), ['L-0002']);
    assert.deepEqual(ids('retry', '--path', 'src/http/a.ts'), ['L-0001']);
    assert.deepEqual(ids('retry', '--path', 'src/engine/a.ts'), []);
    assert.deepEqual(ids('retry', '--tag', 'network'), ['L-0001']);
    assert.deepEqual(ids('outputs', '--kind', 'rule'), []);
    assert.deepEqual(ids('path', 'src/http/a.ts'), ['L-0001']);
    const [hit] = repo.json('search', 'outputs')['results'] as {
      snippet: string;
      marks: [number, number][];
    }[];
    assert.deepEqual(
      hit?.marks.map(([start, end]) => hit.snippet.slice(start, end)),
      ['outputs'],
    );
    assert.equal(repo.cli(['search', 'zebra']).stdout, 'Nothing matches.\n');
    assert.equal(repo.cli(['search', 'x', '--limit', 'many']).status, 2);
  });

  it('explains what a file gets and what not', () => {
    const repo = repository();
    for (const summary of ['One.', 'Two.', 'Three.'])
      repo.json('add', '--summary', summary, '--scope', 'paths=src/**');
    repo.json('supersede', 'L-0001', '--with', 'L-0002');
    repo.json('archive', 'L-0003');
    repo.json('add', '--candidate', '--summary', 'Perhaps.', '--scope', 'paths=*.ts');
    const { stdout } = repo.cli(['explain', 'src/a.ts']);
    assert.match(stdout, /^L-0002 {2}Two\.\n {2}path:src\/a\.ts ~ src\/\*\*\n/);
    assert.match(stdout, /Not given: L-0001, superseded by L-0002\./);
    assert.match(stdout, /Not given: L-0003, archived\./);
    assert.match(stdout, /Not given: C-\w+, a candidate until it is promoted\./);
  });

  it('takes paths from the folder it runs in, as people type them there', () => {
    const repo = repository();
    repo.json('add', '--summary', 'About one.', '--scope', 'paths=src/engine/run.ts');
    mkdirSync(join(repo.root, 'src/engine/deep'), { recursive: true });
    writeFileSync(join(repo.root, 'src/engine/run.ts'), '');
    const found = (folder: string, path: string): boolean =>
      repo.cli(['list', '--path', path], { cwd: join(repo.root, folder) }).stdout.includes('L-0001');
    assert.ok(found('src/engine/deep', '../run.ts'));
    assert.ok(found('src/engine', 'run.ts'));
    assert.ok(found('src/engine', './*.ts'));
    assert.ok(found('src/engine', 'src/engine/run.ts'));
    assert.ok(!found('src', 'run.ts'));
  });

  it('lists what contains or meets a glob', () => {
    const repo = repository();
    repo.json('add', '--summary', 'Wide.', '--scope', 'paths=src/**');
    repo.json('add', '--summary', 'Narrow.', '--scope', 'paths=src/engine/run.ts');
    repo.json('add', '--summary', 'Elsewhere.', '--scope', 'paths=docs/**');
    const ids = (glob: string): unknown =>
      (repo.json('list', '--path', glob)['results'] as { id: string }[]).map(({ id }) => id).toSorted();
    assert.deepEqual(ids('src/engine/*.ts'), ['L-0001', 'L-0002']);
    assert.deepEqual(ids('**/*.md'), ['L-0001', 'L-0003']);
    assert.deepEqual(ids('src/engine/other.*'), ['L-0001']);
  });
});
