import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import type { ProcessIdentity, Processes } from '../core/api';

/** Who runs on this machine. */
export function nodeProcesses(): Processes {
  const machine = [
    hostname(),
    attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    attempt(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');
  const self: ProcessIdentity = { pid: process.pid, started: stateOf(process.pid).started, machine };
  return {
    self,
    mayBeAlive(identity) {
      if (identity.machine !== machine) return sameHost(identity) ? !rebooted(identity) : true;
      if (!isRunning(identity.pid)) return false;
      const { started, ended } = stateOf(identity.pid);
      return !ended && (started === '' || identity.started === '' || started === identity.started);
    },
  };

  function sameHost(identity: ProcessIdentity): boolean {
    return identity.machine.split(' ')[0] === machine.split(' ')[0];
  }

  /** Of processes on this host before its last start, none is left. */
  function rebooted(identity: ProcessIdentity): boolean {
    const [, then] = identity.machine.split(' ');
    const [, now] = machine.split(' ');
    return Boolean(then && now && then !== now);
  }
}

/** When a process started, where the system tells: a pid that was given again is then told apart. */
function stateOf(pid: number): { started: string; ended: boolean } {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The name, in parentheses, may hold anything; the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended and only its parent has not taken note, unless threads of it are still at their last call.
  const ended = fields[0] === 'Z' && threadsOf(pid) <= 1;
  return { started: fields[19] ?? '', ended };
}

function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function attempt(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
