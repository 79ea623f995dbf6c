import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  explainFile,
  hookCalls,
  parseReceipts,
  type HookCall,
  type Learnings,
  type Rehearsal,
  type Rehearsed,
} from '../core/api';
import { isOutdated } from './toolStore';
import { attempt } from './attempt';

interface Options {
  /** The file that agents are to come to, relative to the root. */
  readonly path: string;
  /** The built hook. */
  readonly program: string;
  readonly accept?: (call: HookCall) => boolean;
}

/** An agent would not wait longer either. */
const MAX_MS = 10_000;

/**
 * Lets the real hook answer each harness's real payloads about a file, each in a session of its own. What it notes of
 * that goes into a folder that is gone afterwards, so that nobody counts as having been given anything.
 */
export async function rehearse(
  learnings: Learnings,
  { path, program, accept = () => true }: Options,
): Promise<Rehearsal> {
  const { root } = learnings;
  const journals = mkdtempSync(join(tmpdir(), 'learnings-rehearsal-'));
  const name = `rehearsal-${randomBytes(6).toString('hex')}`;
  try {
    const session = (index: number): string => `${name}-${index}`;
    const calls = hookCalls({ file: join(root, path), path, cwd: root, session, now: new Date() }).filter(
      accept,
    );
    const answered: (HookCall & { printed: string; ms: number })[] = [];
    // One after the other: two at once would take longer than either.
    for (const call of calls) answered.push({ ...call, ...(await run(program, call, { root, journals })) });
    const text = attempt(() => readFileSync(join(journals, 'receipts.jsonl'), 'utf8')) ?? '';
    const receipts = new Map(parseReceipts(text).map((receipt) => [receipt.session, receipt]));
    const explanation = explainFile(learnings, path, { now: new Date() });
    const { settings, sources } = learnings.settings();
    const outdated: string[] = [];
    for (const { match } of explanation.given) {
      const { record, origin } = match;
      if (await isOutdated(origin.root, record.fingerprint)) outdated.push(record.id);
    }
    const calledIn = ({ payload }: HookCall): unknown => payload['session_id'] ?? payload['sessionId'];
    return {
      path,
      settings,
      sources,
      explanation,
      outdated,
      calls: answered.map((call): Rehearsed => ({ ...call, receipt: receipts.get(String(calledIn(call))) })),
    };
  } finally {
    rmSync(journals, { recursive: true, force: true });
  }
}

function run(
  program: string,
  { args, payload, env }: HookCall,
  { root, journals }: { root: string; journals: string },
): Promise<{ printed: string; ms: number }> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      // Inside VS Code the program that runs us is the editor itself, which this makes a Node.
      env: { ...process.env, LEARNINGS_JOURNALS: journals, ELECTRON_RUN_AS_NODE: '1', ...env },
    });
    const overdue = setTimeout(() => child.kill(), MAX_MS);
    const chunks: Buffer[] = [];
    const end = (): void => {
      clearTimeout(overdue);
      resolve({ printed: Buffer.concat(chunks).toString('utf8'), ms: performance.now() - started });
    };
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', end).once('close', end);
    child.stdin.on('error', () => undefined).end(JSON.stringify(payload));
  });
}
