import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Journal } from '../core/api';
import { attempt } from './attempt';

const DAY_MS = 86_400_000;
/** What notes a call is read when the call arrives, a moment later, or never. */
const CALL_MS = 3_600_000;
/** A session that nobody has been in for so long has ended. */
const SESSION_DAYS = 7;
const MAX_RECEIPTS_BYTES = 8 * 1024 * 1024;

/** What is local to a checkout: derived, or about this machine alone. */
export const cacheOf = (root: string): string => join(root, '.learnings', '.cache');

/** Makes the folder for what is local, and keeps git from seeing it even where nobody told it to. */
export function makeCache(root: string): void {
  const cache = cacheOf(root);
  mkdirSync(cache, { recursive: true });
  // It may be there, and if nothing can be written the next who writes will see.
  attempt(() => writeFileSync(join(cache, '.gitignore'), '*\n', { flag: 'wx' }));
}

/** What an agent's session was given. In a checkout that cannot be written it is kept beside other temporary files. */
export function sessionJournal(root: string, sessionId: string, hash: (text: string) => string): Journal {
  const safe = /^[\w-]{1,64}$/.test(sessionId) ? sessionId : hash(sessionId);
  const usual = join(cacheOf(root), 'sessions', `${safe}.jsonl`);
  const otherwise = join(tmpdir(), 'project-learnings', hash(root), `${safe}.jsonl`);
  return {
    read: () => readText(usual) + readText(otherwise),
    append: (line) => appendLine(usual, line, root) || appendLine(otherwise, line),
  };
}

/**
 * Which session a call of a tool belongs to. A harness that tells its servers the call alone and its hooks both has the
 * hook write it down before the call goes out. Whoever serves the call takes the note away.
 */
export interface CallNotes {
  write(call: string, session: string): void;
  take(call: string): string | undefined;
}

export function callNotes(root: string): CallNotes {
  const fileOf = (call: string): string | undefined =>
    /^[\w-]{1,128}$/.test(call) ? join(cacheOf(root), 'sessions', `${call}.call`) : undefined;
  return {
    write(call, session) {
      const file = fileOf(call);
      if (file !== undefined) appendLine(file, session, root);
    },
    take(call) {
      const file = fileOf(call);
      const noted = file === undefined ? '' : readText(file);
      if (file === undefined || noted === '') return undefined;
      attempt(() => rmSync(file, { force: true }));
      return noted.split('\n')[0];
    },
  };
}

const receiptsFile = (root: string): string => join(cacheOf(root), 'receipts.jsonl');
const olderReceiptsFile = (root: string): string => join(cacheOf(root), 'receipts.old.jsonl');

/** What was delivered in this checkout, to whom and when. */
export function receiptsJournal(root: string): Journal {
  return {
    read: () => readText(olderReceiptsFile(root)) + readText(receiptsFile(root)),
    append: (line) => appendLine(receiptsFile(root), line, root),
  };
}

/** Takes away what ended sessions left, and keeps receipts from growing without end. */
export function tidyJournals(root: string, now = Date.now()): void {
  const sessions = join(cacheOf(root), 'sessions');
  for (const name of attempt(() => readdirSync(sessions)) ?? []) {
    const file = join(sessions, name);
    const stat = attempt(() => statSync(file));
    const maxAge = name.endsWith('.call') ? CALL_MS : SESSION_DAYS * DAY_MS;
    if (stat && now - stat.mtimeMs > maxAge) attempt(() => rmSync(file, { force: true }));
  }
  const size = attempt(() => statSync(receiptsFile(root)).size) ?? 0;
  if (size > MAX_RECEIPTS_BYTES) attempt(() => renameSync(receiptsFile(root), olderReceiptsFile(root)));
}

function readText(file: string): string {
  return attempt(() => readFileSync(file, 'utf8')) ?? '';
}

function appendLine(file: string, line: string, root?: string): boolean {
  const append = (): boolean => {
    appendFileSync(file, `${line}\n`);
    return true;
  };
  // The folder is nearly always there.
  return (
    attempt(append) ??
    attempt(() => {
      if (root !== undefined) makeCache(root);
      mkdirSync(dirname(file), { recursive: true });
      return append();
    }) ??
    false
  );
}
