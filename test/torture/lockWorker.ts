// A process that takes a lock again and again and dies in it at random. It loads the lock and nothing else: of ten
// thousand such processes each is over after a few milliseconds.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { withLock } from '../../src/core/store/lock';
import { nodeFileSystem } from '../../src/node/files';
import { nodeProcesses } from '../../src/node/processes';
import { dice } from './random';

const [root = '', seed, turns, port] = process.argv.slice(2);
const chance = dice(Number(seed));
const ports = {
  files: nodeFileSystem(root),
  clock: { now: () => new Date(), sleep: (ms: number) => sleep(ms) },
  processes: nodeProcesses(),
  random: {
    hex: (digits: number) =>
      randomBytes(digits / 2)
        .toString('hex')
        .slice(0, digits),
  },
};

/** A port shows that nobody else is inside: it dies with us. */
async function takeTurns(): Promise<void> {
  const options = { folder: 'locks', patienceMs: 60_000 };
  for (let turn = 0; turn < Number(turns); turn++) {
    await withLock(ports, options, async () => {
      const inside = createServer();
      await new Promise<void>((resolve, reject) => {
        inside.once('error', reject).listen(Number(port), '127.0.0.1', resolve);
      });
      process.stdout.write('inside\n');
      if (chance.roll(3) === 0) process.kill(process.pid, 'SIGKILL');
      await new Promise((resolve) => inside.close(resolve));
      // And at times just before the lock is given back.
      if (chance.roll(10) === 0) process.kill(process.pid, 'SIGKILL');
    });
  }
}

takeTurns().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
