import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { checkout } from '../../scripts/product';
import { dice, type Dice } from './random';

const events = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'SubagentStart',
  'SessionEnd',
  'Stop',
  'preToolUse',
  '__proto__',
];
const tools = [
  'Read',
  'Edit',
  'Write',
  'Bash',
  'apply_patch',
  'create_file',
  'mcp__x__y',
  'view',
  '',
  '\u0000',
];
const values: readonly unknown[] = [
  'src/predict/harmonics.ts',
  'src/http/server.ts',
  '../../etc/passwd',
  'C:\\x\\src\\a.ts',
  'file:///%zz',
  '\ud800',
  '*'.repeat(500),
  'Add a retry to src/http/server.ts',
  'remember: '.repeat(50),
  '*** Begin Patch\n*** Update File: src/http/server.ts\n',
  '',
  0,
  Number.MAX_VALUE,
  null,
  true,
  [],
  {},
  [[[[]]]],
  { path: { path: 7 } },
  { toString: 1, __proto__: null },
];
const keys = [
  ...['session_id', 'sessionId', 'cwd', 'hook_event_name', 'tool_name', 'toolName', 'tool_input', 'toolArgs'],
  ...[
    'file_path',
    'filePath',
    'path',
    'paths',
    'edits',
    'replacements',
    'files',
    'command',
    'input',
    'patch',
  ],
  ...[
    'prompt',
    'source',
    'agent_id',
    'timestamp',
    'transcript_path',
    'tool_response',
    '__proto__',
    'constructor',
  ],
];

/** Starts the hook on documents that make sense here and there: it must end with 0 and say valid JSON or nothing. */
export async function hookFuzz(
  hook: string,
  { seed, count }: { seed: number; count: number },
): Promise<{ answered: number }> {
  const chance = dice(seed);
  const root = mkdtempSync(join(tmpdir(), 'hook-'));
  cpSync(join(checkout, 'samples'), root, { recursive: true });
  let answered = 0;
  let next = 0;
  const runSome = async (): Promise<void> => {
    while (next < count) {
      const round = next++;
      const input = documentFor(chance, root);
      const child = spawn(process.execPath, [hook, ...argumentsFor(chance)], {
        cwd: root,
        stdio: ['pipe', 'pipe', 'pipe'],
        env: { ...process.env, HOME: join(root, 'nobody') },
      });
      child.stdin.on('error', () => undefined).end(input);
      const [output, errors, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ]);
      const said = `round ${round}: ${input.toString('utf8').slice(0, 2000)}`;
      assert.equal(code, 0, said);
      assert.equal(errors, '', said);
      if (output === '') continue;
      answered++;
      const { hookSpecificOutput } = JSON.parse(output) as { hookSpecificOutput: Record<string, unknown> };
      assert.equal(typeof hookSpecificOutput['additionalContext'], 'string', said);
      assert.ok(output.length < 25_000, said);
    }
  };
  await Promise.all([runSome(), runSome()]);
  return { answered };
}

const argumentsFor = (chance: Dice): string[] =>
  chance.roll(3) === 0 ? [chance.pick(events) ?? '', ...(chance.roll(2) === 0 ? ['copilot'] : [])] : [];

function documentFor(chance: Dice, root: string): Buffer {
  const payload = {
    session_id: `s${chance.roll(1000)}`,
    cwd: root,
    hook_event_name: chance.pick(events),
    tool_name: chance.pick(tools),
    tool_input: { file_path: chance.pick(values), command: chance.pick(values) },
    prompt: chance.pick(values),
  } as Record<string, unknown>;
  for (let edits = chance.roll(5); edits > 0; edits--) {
    const inside: unknown = chance.roll(2) === 0 ? payload : payload['tool_input'];
    const key = chance.pick(keys) ?? 'x';
    if (typeof inside === 'object' && inside !== null && !Array.isArray(inside))
      Object.defineProperty(inside, key, {
        // A copy, since what is inside may be changed next.
        value: structuredClone(chance.pick(values)),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  const bytes = Buffer.from(JSON.stringify(payload));
  switch (chance.roll(8)) {
    case 0:
      return bytes.subarray(0, chance.roll(bytes.length));
    case 1:
      return Buffer.from(bytes.map((byte) => (chance.roll(30) === 0 ? chance.roll(256) : byte)));
    case 2:
      return Buffer.concat([bytes, bytes]);
    default:
      return bytes;
  }
}
