// Runs beside a process that starts servers, browsers and temporary folders. Its standard input is the lifeline: when
// that closes, for whatever reason (the end, Ctrl-C, kill -9), it ends what was named there and exits.
// Lines: `+group PID`, `-group PID`, `+folder PATH`, `+pidfile PATH`.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const GRACE_MS = 3000;
const groups = new Set();
const folders = new Set();
const pidFiles = new Set();
const sets = { group: groups, folder: folders, pidfile: pidFiles };

for await (const line of createInterface({ input: process.stdin })) {
  const [, sign, kind, name] = /^([+-])(group|folder|pidfile) (.+)$/.exec(line) ?? [];
  if (sign === '+') sets[kind].add(name);
  else if (sign === '-') sets[kind].delete(name);
}

/** Signals a whole process group; false once none of it is left. */
function signal(group, name) {
  try {
    process.kill(process.platform === 'win32' ? Number(group) : -Number(group), name);
    return true;
  } catch {
    return false;
  }
}

// Desktop VS Code leaves its parent's group and writes down its own id.
for (const file of pidFiles) if (existsSync(file)) groups.add(readFileSync(file, 'utf8').trim());

const alive = (group) => signal(group, 0);
for (const group of groups) signal(group, 'SIGTERM');
const deadline = Date.now() + GRACE_MS;
while ([...groups].some(alive) && Date.now() < deadline) await wait(50);
for (const group of groups) signal(group, 'SIGKILL');

for (const folder of folders)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
