import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { checkout } from '../../scripts/product';
import { fetchClaude } from '../host/cache';
import { openLifeline, type Lifeline } from '../host/lifeline';
import { unpackVsix } from '../host/unpack';
import { builtVsix } from '../host/workbench';
import { startScriptedServer, type ModelRequest, type Step } from './scriptedServer';

const read = (file: string): Step => ({ tool: 'Read', input: { file_path: file } });
const done: Step = { say: 'Done.' };

/** What learnings of the sample project say, by which they are found in whatever reaches the model. */
const sayings = {
  'L-0001': 'Keep every height above chart datum',
  'L-0002': 'Add no npm dependencies',
  'L-0009': 'Take nodal corrections at the middle',
  'L-0013': 'The health check must not touch the database',
} as const;
type Id = keyof typeof sayings;

describe('Claude Code', function () {
  this.timeout(90_000);
  let lifeline: Lifeline;
  let claude: string;
  let extension: string;
  before(async function () {
    this.timeout(300_000);
    lifeline = openLifeline();
    claude = await fetchClaude(lifeline);
    extension = await unpackVsix(builtVsix(), lifeline.makeFolder('installed'));
  });
  after(() => lifeline.close());

  interface Session {
    readonly root: string;
    /** How often the model was told of a learning, in everything that the last request holds. */
    readonly times: (id: Id) => number;
    readonly requests: readonly ModelRequest[];
  }

  /** A copy of the sample project in git, which has nothing for agents but its learnings. */
  function project(): string {
    const root = lifeline.makeFolder('tide-table');
    cpSync(join(checkout, 'samples'), root, { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    return root;
  }

  async function session(
    root: string,
    steps: readonly Step[],
    options: { prompt?: string; plugin?: boolean; env?: Record<string, string> } = {},
  ): Promise<Session> {
    const { prompt = 'Go on with the work.', plugin = false, env = {} } = options;
    const server = await startScriptedServer(steps);
    const home = lifeline.makeFolder('home');
    const args = [
      '-p',
      prompt,
      '--dangerously-skip-permissions',
      ...(plugin ? ['--plugin-dir', join(extension, 'agent-plugin')] : []),
    ];
    const child = lifeline.spawn(claude, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        IS_SANDBOX: '1',
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: 'none',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        ...env,
      },
    });
    assert.ok(child.stdout && child.stderr);
    const ended = once(child, 'close') as Promise<[number | null]>;
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    await server.close();
    assert.equal(code, 0, output + errors);
    const whole = JSON.stringify(server.requests.at(-1) ?? {});
    return { root, requests: server.requests, times: (id) => whole.split(sayings[id]).length - 1 };
  }

  const setUp = (root: string): void => {
    execFileSync(
      process.execPath,
      [join(extension, 'dist', 'cli.js'), 'init', '--agents', 'claude', '--yes'],
      {
        cwd: root,
      },
    );
  };

  for (const way of ['plugin', 'settings', 'both'] as const) {
    it(`gives the model each learning once, by ${way}, when it reads, edits and creates files`, async () => {
      const root = project();
      if (way !== 'plugin') setUp(root);
      const at = (file: string): string => join(root, file);
      writeFileSync(at('notes.txt'), 'one\n');
      const { times } = await session(
        root,
        [
          read(at('src/http/health.ts')),
          read(at('src/http/health.ts')),
          read(at('notes.txt')),
          { tool: 'Edit', input: { file_path: at('notes.txt'), old_string: 'one', new_string: 'two' } },
          { tool: 'Bash', input: { command: 'cat src/http/health.ts', description: 'look' } },
          { tool: 'Write', input: { file_path: at('src/predict/nodal2.ts'), content: 'export {};\n' } },
          read(at('src/predict/nodal.ts')),
          {
            tool: 'Edit',
            input: { file_path: at('src/predict/nodal2.ts'), old_string: 'export', new_string: 'export ' },
          },
          read(at('src/http/server.ts')),
          done,
        ],
        { plugin: way !== 'settings' },
      );
      assert.equal(readFileSync(at('notes.txt'), 'utf8'), 'two\n', 'the edit went through');
      assert.ok(existsSync(at('src/predict/nodal2.ts')), 'the file was made');
      for (const id of Object.keys(sayings) as Id[]) assert.equal(times(id), 1, `${id} reached the model`);
    });
  }

  it('is told nothing about files that nothing is known about', async () => {
    const root = project();
    writeFileSync(join(root, 'notes.txt'), 'one\n');
    const { times } = await session(root, [read(join(root, 'notes.txt')), done], { plugin: true });
    // What is about the whole repository comes at the start.
    assert.deepEqual((Object.keys(sayings) as Id[]).map(times), [0, 1, 0, 0]);
  });

  it('is not told what was superseded', async () => {
    const root = project();
    const cli = (...args: string[]): string =>
      execFileSync(process.execPath, [join(extension, 'dist', 'cli.js'), ...args], {
        cwd: root,
        encoding: 'utf8',
      });
    cli('supersede', 'L-0013', '--with', 'L-0002');
    const { times } = await session(root, [read(join(root, 'src/http/health.ts')), done], { plugin: true });
    assert.equal(times('L-0013'), 0);
    assert.equal(times('L-0002'), 1);
  });

  it('is held once before it writes what it must not get wrong, where that is switched on', async () => {
    const root = project();
    const file = join(root, '.learnings', 'L-0013', 'learning.yaml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8')
        .replace(/^priority: .*\n/m, '')
        .replace('id: L-0013', 'id: L-0013\npriority: 100'),
    );
    const write: Step = {
      tool: 'Write',
      input: { file_path: join(root, 'src/http/health2.ts'), content: 'export {};\n' },
    };
    mkdirSync(join(root, '.learnings', '.cache'), { recursive: true });
    writeFileSync(file, readFileSync(file, 'utf8').replace('src/http/health.ts', 'src/http/health2.ts'));
    const { requests, times } = await session(root, [write, write, done], {
      plugin: true,
      env: { LEARNINGS_INJECT_VERIFY: 'true' },
    });
    assert.match(JSON.stringify(requests[1]?.messages), /health check must not touch/);
    assert.equal(times('L-0013'), 1);
    assert.ok(existsSync(join(root, 'src/http/health2.ts')), 'the second try went through');
  });

  it('keeps what the user wants remembered, with the words as evidence', async () => {
    const root = project();
    await session(root, [done], { plugin: true, prompt: 'remember: station names are not unique' });
    const candidates = readdirSync(join(root, '.learnings', 'candidates')).filter((name) =>
      name.startsWith('C-'),
    );
    const kept = candidates.map((id) =>
      readFileSync(join(root, '.learnings', 'candidates', id, 'learning.yaml'), 'utf8'),
    );
    const [mine, ...others] = kept.filter((yaml) => yaml.includes('summary: station names are not unique'));
    assert.match(mine ?? '', /quote: station names are not unique/);
    assert.equal(others.length, 0);
  });

  it('gets from the tool what it was not given, and from the hook what it did not ask for', async () => {
    const root = project();
    const tool = 'mcp__plugin_project-learnings_learnings__find_learnings';
    const health = { paths: ['src/http/health.ts'] };
    const { times, requests } = await session(
      root,
      [
        { tool, input: health },
        read(join(root, 'src/http/health.ts')),
        read(join(root, 'src/predict/nodal.ts')),
        { tool, input: { paths: ['src/predict/nodal.ts', 'src/http/health.ts'] } },
        done,
      ],
      { plugin: true },
    );
    assert.equal(times('L-0013'), 1);
    assert.equal(times('L-0009'), 1);
    assert.match(JSON.stringify(requests.at(-1)), /already_given/);
  });
});
