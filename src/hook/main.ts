import { text } from 'node:stream/consumers';

import { DEFAULT_LIMIT, type Match } from '../core/api';
import { openFrom } from '../node/open';

/**
 * Answers one hook event of a coding agent: reads the event from standard input and prints the learnings about the
 * file the agent is about to touch. Prints valid JSON or nothing and exits 0, whatever happens: any other exit code
 * would get in the way of the agent's own work.
 */
async function main(): Promise<void> {
  const event = asObject(JSON.parse(await text(process.stdin)));
  if (event['hook_event_name'] !== 'PreToolUse') return;
  const input = asObject(event['tool_input']);
  const path = input['file_path'] ?? input['filePath'];
  const cwd = event['cwd'];
  if (typeof path !== 'string') return;

  const learnings = await openFrom(typeof cwd === 'string' ? cwd : process.cwd());
  const { matches, total } = learnings.find({ paths: [path] }, { limit: DEFAULT_LIMIT });
  if (matches.length === 0) return;
  const output = { hookEventName: 'PreToolUse', additionalContext: render(matches, total) };
  process.stdout.write(JSON.stringify({ hookSpecificOutput: output }));
}

function render(matches: readonly Match[], total: number): string {
  const rows = matches.map(({ record }) => `- [${record.id}] ${record.summary}`);
  const left = total - rows.length;
  if (left > 0) rows.push(`${left} more apply; call find_learnings to list them.`);
  return ['What this repository has learned about this file:', ...rows].join('\n');
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

// Whatever goes wrong, an agent that has gone away included, is not the agent's business.
process.on('uncaughtException', () => process.exit(0));

main().catch(() => {
  // Silence is the contract: an agent must never stumble over its reminder.
});
