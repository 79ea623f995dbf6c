import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PARENT_CHECK_MS = 500;

/** Starts processes and makes folders that are gone when this process is, however it ends. */
export interface Lifeline {
  /** A folder of this process's own for everything temporary; also what `os.tmpdir()` says from now on. */
  readonly folder: string;
  /** A new, empty folder below it. */
  makeFolder(name: string): string;
  /** Like `child_process.spawn`, in a process group of its own that ends with us. */
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Runs a program to its end; rejects with what it printed if that is not a good one. */
  run(
    command: string,
    args: readonly string[],
    options: { cwd: string; env?: NodeJS.ProcessEnv },
  ): Promise<void>;
  /** Ends the process whose id is in this file, if it is there at the end. */
  watchPidFile(file: string): void;
  /** True once it is being closed: what ends now was meant to. */
  readonly closing: boolean;
  /** Ends everything and removes the folder. */
  close(): Promise<void>;
}

/**
 * Opens the lifeline of this process. A small companion holds the other end of a pipe; the operating system closes the
 * pipe even after a `kill -9`, so there is one way of cleaning up for every way of ending.
 */
export function openLifeline(): Lifeline {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'learnings-'));
  const reaper = spawn(process.execPath, [join(__dirname, 'reaper.mjs')], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const gone = once(reaper, 'exit');
  const tell = (line: string): void => void reaper.stdin.write(`${line}\n`);
  tell(`+folder ${folder}`);
  // One by one: a new object for process.env would not reach os.tmpdir.
  const variables = ['TMPDIR', 'TMP', 'TEMP'] as const;
  const before = variables.map((name) => process.env[name]);
  for (const name of variables) process.env[name] = folder;
  let closing = false;

  const owners = processesAbove();
  const orphaned = setInterval(() => {
    if (!owners.every(isRunning)) process.exit(1);
  }, PARENT_CHECK_MS);
  orphaned.unref();

  const onSignal = (signal: NodeJS.Signals): void => {
    void close().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
  };
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.once(signal, onSignal);

  async function close(): Promise<void> {
    clearInterval(orphaned);
    for (const signal of signals) process.removeListener(signal, onSignal);
    closing = true;
    for (const [index, name] of variables.entries()) {
      const value = before[index];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    reaper.stdin.end();
    await gone;
  }

  const lifeline: Lifeline = {
    folder,
    get closing() {
      return closing;
    },
    makeFolder(name) {
      mkdirSync(join(folder, name), { recursive: true });
      return mkdtempSync(join(folder, name, '/'));
    },
    spawn(command, args, options) {
      const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
      if (child.pid !== undefined) {
        tell(`+group ${child.pid}`);
        child.once('exit', () => {
          endGroup(child.pid);
          tell(`-group ${child.pid}`);
        });
      }
      return child;
    },
    async run(command, args, options) {
      const child = lifeline.spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      const output = collectOutput(child);
      const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
      if (code !== 0)
        throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${output()}`);
    },
    watchPidFile: (file) => tell(`+pidfile ${file}`),
    close,
  };
  return lifeline;
}

/** Keeps the end of what a process prints, for the error message if it fails. */
export function collectOutput(child: ChildProcess): () => string {
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      tail = (tail + chunk).slice(-8000);
    });
  }
  return () => tail.trim();
}

/** Who we run for. An npm that is killed outright tells nobody, neither its shell nor us, so we look. */
function processesAbove(): number[] {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return [process.ppid];
  const ps = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(process.ppid)], { encoding: 'utf8' });
  const [, above, command] = /^\s*(\d+)\s+(.*)/.exec(ps.stdout) ?? [];
  return above && command?.endsWith('sh') ? [process.ppid, Number(above)] : [process.ppid];
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ends what a finished process left behind in its group, such as the helpers of a server that crashed. */
function endGroup(group: number | undefined): void {
  if (group === undefined || process.platform === 'win32') return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
