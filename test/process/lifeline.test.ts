import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

import { checkout } from '../../scripts/product';
import { isRunning } from '../host/lifeline';
import { startScript } from './product';

describe('a lifeline', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
    it(`ends the processes and removes the folders of a run that got ${signal}`, async () => {
      const holder = startScript(join(checkout, 'test', 'fixtures', 'holder.ts'));
      assert.ok(holder.stdout);
      const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
      const { child, folder } = JSON.parse(line) as { child: number; folder: string };
      assert.ok(isRunning(child) && existsSync(folder));
      holder.kill(signal);
      await once(holder, 'exit');
      await eventually(() => !isRunning(child) && !existsSync(folder));
    });
  }
});

describe('npm', () => {
  it('killed outright, takes what its script started with it', async () => {
    // npm itself is stood in for by a process that runs the script through a shell, as npm does.
    const holder = join(checkout, 'test', 'fixtures', 'holder.ts');
    const npm = spawn(
      process.execPath,
      [
        '-e',
        `require('child_process').spawn('sh', ['-c', '"${process.execPath}" --import tsx "${holder}"; true'], { stdio: 'inherit' })`,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, npm_lifecycle_event: 'test' },
        cwd: checkout,
      },
    );
    const [line] = (await once(createInterface({ input: npm.stdout }), 'line')) as [string];
    const { child, folder } = JSON.parse(line) as { child: number; folder: string };
    npm.kill('SIGKILL');
    await eventually(() => !isRunning(child) && !existsSync(folder));
  });
});

describe('npm start', () => {
  it('prints an address that answers, and leaves nothing behind when it is killed', async () => {
    const start = startScript(join(checkout, 'scripts', 'start.ts'));
    assert.ok(start.stdout);
    let address: URL | undefined;
    for await (const line of createInterface({ input: start.stdout })) {
      address = /http:\/\/\S+/.test(line) ? new URL(line.trim()) : undefined;
      if (address) break;
    }
    assert.ok(address, 'no address was printed');
    const sample = address.searchParams.get('folder') ?? '';
    assert.ok(existsSync(join(sample, '.learnings')));
    // The token in the address is traded for a cookie; without it nobody gets in.
    const entered = await fetch(address, { redirect: 'manual' });
    const cookie = entered.headers.get('set-cookie') ?? '';
    assert.match(await (await fetch(address.origin, { headers: { cookie } })).text(), /workbench/);
    assert.equal((await fetch(address.origin)).status, 403);

    start.kill('SIGKILL');
    const { href } = address;
    await eventually(async () => !existsSync(sample) && !(await answers(href)));
  });
});

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('Something was left behind.');
    await wait(100);
  }
}

const answers = (address: string): Promise<boolean> =>
  fetch(address).then(
    () => true,
    () => false,
  );
