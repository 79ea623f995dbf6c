import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { checkout } from '../../scripts/product';
import { nodePorts } from '../../src/node/open';
import { startScript, temporaryFolder } from './product';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Fills a cache of the test's own by an npm that only pretends. */
function fixture(): {
  cache: string;
  calls: () => string[];
  fill: (npm?: 'online' | 'offline') => Promise<Outcome>;
} {
  const folder = temporaryFolder();
  const cache = join(folder, 'cache');
  const log = join(folder, 'calls.txt');
  return {
    cache,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    async fill(npm = 'online') {
      const child = startScript(join(checkout, 'test/fixtures/fetchHosts.ts'), {
        LEARNINGS_CACHE: cache,
        npm_execpath: join(checkout, 'test/fixtures/fakeNpm.js'),
        FAKE_NPM: npm,
        FAKE_NPM_LOG: log,
      });
      assert.ok(child.stdout && child.stderr);
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number | null]>,
      ]);
      return { code, stdout, stderr };
    },
  };
}

describe('the cache of real hosts', () => {
  it('is filled once, with progress, and then used without npm', async () => {
    const { fill, calls } = fixture();
    const first = await fill();
    assert.equal(first.code, 0, first.stderr);
    assert.match(
      first.stderr,
      /Fetching VS Code's server .* from npm into .*cache, once …\n {2}done in \d+ s/,
    );
    const count = calls().length;
    const second = await fill();
    assert.deepEqual(
      { ...second, calls: calls().length },
      { code: 0, stdout: first.stdout, stderr: '', calls: count },
    );
  });

  it('is filled by one of two runs that start at once, while the other waits', async () => {
    const { fill, calls } = fixture();
    const outcomes = await Promise.all([fill(), fill()]);
    assert.deepEqual(
      outcomes.map(({ code }) => code),
      [0, 0],
    );
    assert.deepEqual(
      calls(),
      [...new Set(calls())].flatMap((call) => (call === '--omit=dev' ? [call, call] : [call])),
    );
  });

  it('repairs what a killed run left half-filled, and takes over its lock', async () => {
    const { fill, cache } = fixture();
    assert.equal((await fill()).code, 0);
    const [part] = readdirSync(cache).filter((name) => name.startsWith('code-server'));
    rmSync(join(cache, part ?? '', 'node_modules/code-server/lib/vscode/out/server-main.js'));
    mkdirSync(join(cache, `${part ?? ''}.partial`));
    const dead = { ...nodePorts(cache).processes.self, pid: 999_999_999, token: 'dead' };
    writeFileSync(join(cache, 'locks', 'lock'), JSON.stringify(dead));
    const { code, stderr } = await fill();
    assert.equal(code, 0, stderr);
    assert.ok(existsSync(join(cache, part ?? '', 'node_modules/code-server/lib/vscode/out/server-main.js')));
    assert.deepEqual(
      [
        ...readdirSync(cache).filter((name) => name.includes('partial')),
        ...readdirSync(join(cache, 'locks')),
      ],
      [],
    );
  });

  it('says what to do when the registry cannot be reached', async () => {
    const { code, stderr } = await fixture().fill('offline');
    assert.equal(code, 1);
    assert.match(stderr, /Could not fetch Node [\d.]+ for VS Code's server/);
    assert.match(stderr, /ENOTFOUND/);
    assert.match(
      stderr,
      /check the network and the registry and proxy in `npm config list`, then run the same command again/,
    );
  });
});
