import { LearningsError } from '../errors';
import type { Clock, FileSystem, ProcessIdentity, Processes, Random } from '../ports';
import { makeFolders, readIfThere } from './files';

export interface LockPorts {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly random: Random;
}

interface Holder extends ProcessIdentity {
  /** Never used twice, so that one holding of the lock can be told from the next. */
  readonly token: string;
}

export interface LockOptions {
  /** Where the lock's files are. */
  readonly folder: string;
  /** How long to wait for another holder before giving up. */
  readonly patienceMs: number;
  /** Told once, when somebody else holds it. */
  readonly onWait?: (pid: number) => void;
}

/** What the steps below share. */
interface Lock extends LockPorts, LockOptions {
  readonly path: string;
}

const UNREADABLE = 'unreadable';

/** How long a holder on another machine, whose life we cannot look up, is given. Operations take milliseconds. */
const FOREIGN_LEASE_MS = 120_000;

/**
 * One writer at a time, across processes and crashes.
 *
 * The lock is a file that appears whole (a hard link to one already written) and names its holder. A lock whose holder
 * is dead may be removed by one process alone: the one that made the breaker file for exactly that holding. If that
 * one dies too, the next number is up for taking. This admits no two holders because a dead process never acts again,
 * a token never comes back, and whoever removes a lock has looked at its token after it became the only breaker.
 */
export async function withLock<T>(
  ports: LockPorts,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lock: Lock = { ...ports, ...options, path: `${options.folder}/lock` };
  await acquire(lock);
  try {
    return await work();
  } finally {
    await release(lock);
  }
}

/** What was done is done: a lock that would not go away must not make it look undone, nor stay for want of a try. */
async function release({ files, clock, path }: Lock): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    try {
      return await files.remove(path);
    } catch {
      await clock.sleep(attempt * 10);
    }
  }
}

async function acquire(lock: Lock): Promise<void> {
  const { files, clock, random, patienceMs } = lock;
  await makeFolders(files, lock.folder);
  const deadline = clock.now().getTime() + patienceMs;
  for (let attempt = 0; ; attempt++) {
    // Looked at first: that is cheap, and most tries of a waiting process end here.
    const current = await readHolder(files, lock.path);
    if (!current && (await publish(lock, lock.path))) return;
    if (current && !(await isAlive(lock, lock.path, current)) && (await breakLock(lock, current))) continue;
    if (clock.now().getTime() > deadline) {
      const who = current ? `process ${current.pid}` : 'another process';
      throw new LearningsError(
        'busy',
        `${who} has been writing for ${patienceMs / 1000} s. Wait for it, or end it, and try again.`,
      );
    }
    if (attempt === 0 && current) lock.onWait?.(current.pid);
    // Randomly spread, so that waiting processes do not keep meeting each other.
    await clock.sleep(Math.min(50, 1 + attempt) * (0.5 + parseInt(random.hex(4), 16) / 0xffff));
  }
}

/** Makes a file that holds our name, whole or not at all; false if somebody else's is there. */
async function publish({ files, processes, random, folder }: Lock, path: string): Promise<boolean> {
  const holder: Holder = { ...processes.self, token: random.hex(16) };
  const draft = `${folder}/draft-${holder.pid}-${holder.token}`;
  // After a crash of the machine no holder is left, so its name need not be either.
  await files.writeNew(draft, new TextEncoder().encode(JSON.stringify(holder)), { fleeting: true });
  try {
    return await files.link(draft, path);
  } finally {
    await files.remove(draft);
  }
}

async function readHolder(files: FileSystem, path: string): Promise<Holder | undefined> {
  const bytes = await readIfThere(files, path);
  try {
    return bytes && (JSON.parse(new TextDecoder('utf-8').decode(bytes)) as Holder);
  } catch {
    // Not ours: it appears whole or not at all. Whoever put it there is given as long as another machine.
    return { pid: 0, started: '', machine: 'unknown', token: UNREADABLE };
  }
}

async function isAlive({ files, clock, processes }: Lock, path: string, holder: Holder): Promise<boolean> {
  if (!processes.mayBeAlive(holder)) return false;
  if (holder.machine === processes.self.machine) return true;
  const stat = await files.stat(path);
  return stat === undefined || clock.now().getTime() - stat.modifiedMs < FOREIGN_LEASE_MS;
}

/** Removes the lock that a dead process left; false if somebody else is at it. */
async function breakLock(lock: Lock, dead: Holder): Promise<boolean> {
  const { files, folder, path } = lock;
  const breaker = (turn: number): string => `${folder}/break-${dead.token}-${turn}`;
  let turn = 1;
  for (; ; turn++) {
    const other = await readHolder(files, breaker(turn));
    if (other === undefined) break;
    if (await isAlive(lock, breaker(turn), other)) return false;
  }
  if (!(await publish(lock, breaker(turn)))) return false;
  // Only now, as the one breaker, is what we see of the lock sure to stay so.
  const current = await readHolder(files, path);
  if (current?.token === dead.token) await files.remove(path);
  for (; turn > 0; turn--) await files.remove(breaker(turn));
  return true;
}

/** Removes the drafts of processes that died. */
export async function sweepLocks({ files, processes }: LockPorts, folder: string): Promise<void> {
  for (const { name, kind } of await files.list(folder)) {
    const [, pid] = /^draft-(\d+)-[0-9a-f]{16}$/.exec(name) ?? [];
    if (pid === undefined || kind !== 'file') continue;
    const path = `${folder}/${name}`;
    // One that was killed before it had written its name down is known by the file's name alone.
    const nameless: ProcessIdentity = { pid: Number(pid), started: '', machine: processes.self.machine };
    const holder = await readHolder(files, path).catch(() => undefined);
    const isNamed = holder !== undefined && holder.token !== UNREADABLE;
    if (!processes.mayBeAlive(isNamed ? holder : nameless)) await files.remove(path);
  }
}
