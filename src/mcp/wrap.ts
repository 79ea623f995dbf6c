import { once } from 'node:events';
import { constants } from 'node:os';

import spawn from 'cross-spawn';

import { Lines } from './lines';
import { Sidecar } from './sidecar';

/** How long a server may take to end once its client has gone; then it is told to, and then it is made to. */
const END_MS = 5000;
const KILL_MS = 2000;
/** What a server started itself may hold its output open after its own end. */
const DRAIN_MS = 1000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs another MCP server and passes everything on in both directions as it is, but for results of tools that are about
 * files of a repository with learnings. Ends when the server does and as it did, and ends the server when the client goes.
 */
export function wrap([command, ...args]: readonly [string, ...string[]], roots: readonly string[]): void {
  const sidecar = new Sidecar(roots.length > 0 ? roots : [process.cwd()], process.cwd());
  // Not child_process: on Windows most servers are started by npx, which is a .cmd file there.
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  const { stdin: toServer, stdout: fromServer } = child;
  if (!toServer || !fromServer) throw new Error('no pipes');

  child.on('error', (error) => {
    process.stderr.write(`learnings mcp: could not start ${command}: ${error.message}\n`);
    process.exit(127);
  });

  const end = (): void => {
    toServer.end();
    setTimeout(() => {
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), KILL_MS).unref();
    }, END_MS).unref();
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    end();
  };
  for (const signal of signals) process.on(signal, onSignal);

  const requests = new Lines();
  process.stdin.on('data', (chunk: Buffer) => {
    // Before the server can answer.
    for (const { bytes, isLine } of requests.push(chunk)) if (isLine) sidecar.fromClient(bytes);
    if (!toServer.write(chunk)) process.stdin.pause();
  });
  toServer.on('drain', () => process.stdin.resume());
  // A server that has gone away says so by its exit.
  toServer.on('error', () => undefined);
  process.stdin.on('end', end);
  process.stdin.on('error', end);
  process.stdout.on('error', () => {
    child.kill();
    end();
  });

  const answers = new Lines();
  // Where nobody reads any more, the server is made to end.
  const passed = passOn(fromServer, answers, sidecar).catch(() => undefined);
  child.on('exit', (code, signal) => {
    const leave = (): void => {
      process.stdout.write(answers.rest(), () => exitAs(code, signal, onSignal));
    };
    setTimeout(leave, DRAIN_MS).unref();
    void passed.then(leave);
    // Whatever happens to what is left to write.
    setTimeout(() => exitAs(code, signal, onSignal), 2 * DRAIN_MS);
  });
}

/** One line after the other, so that nothing overtakes a result that is being looked at. */
async function passOn(from: NodeJS.ReadableStream, lines: Lines, sidecar: Sidecar): Promise<void> {
  for await (const chunk of from as AsyncIterable<Buffer>) {
    for (const { bytes, isLine } of lines.push(chunk)) {
      const passed = isLine && sidecar.isWaiting ? await sidecar.fromServer(bytes) : bytes;
      if (!process.stdout.write(passed)) await once(process.stdout, 'drain');
    }
  }
}

/** As the server ended: with its code, or by the signal that ended it. */
function exitAs(
  code: number | null,
  signal: NodeJS.Signals | null,
  onSignal: (signal: NodeJS.Signals) => void,
): void {
  if (signal === null || process.platform === 'win32') process.exit(code ?? 1);
  for (const one of signals) process.removeListener(one, onSignal);
  try {
    process.kill(process.pid, signal);
  } catch {
    // A signal that cannot be sent to oneself.
  }
  // A signal that is ignored, as nohup has it, ends nothing.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
}
