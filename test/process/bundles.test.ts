import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { bundle, runNode, sample, temporaryFolder } from './product';

describe('dist/cli.js', () => {
  const cli = (args: readonly string[], cwd = sample()) => runNode([bundle('cli'), ...args], { cwd });

  it('lists the learnings about a file, from any folder below the root', () => {
    const { stdout, status } = cli(
      ['list', '--path', join(sample(), 'src/http/server.ts'), '--json'],
      join(sample(), 'src'),
    );
    const { results } = JSON.parse(stdout) as { results: { id: string }[] };
    assert.deepEqual(
      results.map(({ id }) => id),
      ['L-0005', 'L-0008', 'L-0002'],
    );
    assert.equal(status, 0);
  });

  it('lists every record for people, one a line', () => {
    const { stdout } = cli(['list']);
    assert.equal(stdout.trim().split('\n').length, 13);
    assert.match(stdout, /^L-0003 {2}\(superseded by L-0009\) Work out nodal corrections/m);
  });

  it('exits 3 when a record is broken, names its line, and lists the others', () => {
    const folder = storeWith({
      'L-0001': 'id: L-0001\nschemaVersion: 1\nsummary: Fine.\nscope: {tags: [a]}\n',
      'L-0002': 'id: L-0002\nkind: [\n',
    });
    const { stdout, stderr, status } = cli(['list'], folder);
    assert.equal(stdout, 'L-0001  Fine.\n');
    assert.match(stderr, /^\.learnings\/L-0002\/learning\.yaml:3:1: Flow sequence/);
    assert.equal(status, 3);
  });

  it('exits 1 where there is no store, and 2 on a command or option it does not know', () => {
    const nowhere = cli(['list'], temporaryFolder());
    assert.equal(nowhere.status, 1);
    assert.match(nowhere.stderr, /^learnings: No \.learnings folder in /);
    assert.equal(cli(['dance']).status, 2);
    assert.equal(cli(['list', '--colour']).status, 2);
  });
});

describe('dist/serve.js', () => {
  it('serves page and data on loopback, only to who has the token and came by the address', async () => {
    const server = spawn(process.execPath, [bundle('serve')], {
      cwd: sample(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
      const address = new URL(/http:\S+/.exec(line)?.[0] ?? '');
      assert.equal(address.hostname, '127.0.0.1');
      const get = (path: string, query = address.search) => fetch(new URL(path + query, address));

      assert.match(await (await get('/')).text(), /dashboard\.js\?token=/);
      assert.match(await (await get('/dashboard.js')).text(), /learnings/);
      const { learnings } = (await (await get('/api/learnings')).json()) as { learnings: unknown[] };
      assert.equal(learnings.length, 13);
      assert.equal((await get('/api/learnings', '')).status, 403);
      assert.equal((await get('/api/learnings', '?token=guess')).status, 403);
      const token = address.search;
      assert.equal(await rawStatus(address, `/../package.json${token}`), 404);
      assert.equal(await rawStatus(address, `/api/learnings${token}`), 200);
      assert.equal(await rawStatus(address, `/api/learnings${token}`, 'evil.example'), 403);
    } finally {
      server.kill();
      await once(server, 'exit');
    }
  });
});

/** A request as no browser would send it: the path as it is, and any name for the host. */
async function rawStatus(address: URL, path: string, host = address.host): Promise<number | undefined> {
  const sent = request({ host: address.hostname, port: address.port, path, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

function storeWith(records: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [id, text] of Object.entries(records)) {
    mkdirSync(join(folder, '.learnings', id), { recursive: true });
    writeFileSync(join(folder, '.learnings', id, 'learning.yaml'), text);
  }
  return folder;
}
