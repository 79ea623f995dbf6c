import { eventNames, type EventName } from '../deliver/harness';
import type { Json } from './jsonText';

/** Where a repository keeps the programs that its hooks and servers run. */
export const PROGRAMS = '.learnings/agents';
const HOOK = `${PROGRAMS}/hook.js`;
const SERVER = `${PROGRAMS}/mcp.js`;

/** Seconds. The hook itself gives up before. */
const TIMEOUT = 10;

/** Claude Code asks for nothing else, so that the many other tools cost nothing. Any MCP tool may read or write files. */
const claudeTools = '^(Read|Edit|MultiEdit|Write|NotebookRead|NotebookEdit|Bash|mcp__.*)$';

const isAboutTools = (event: EventName): boolean => event.endsWith('ToolUse');

/**
 * A hook for VS Code and for Copilot's CLI and cloud agent, which run it in the root of the repository. Where it fails,
 * the CLI takes that for a no to what the agent wants to do, so it must not. VS Code's Agent Host runs the second one by
 * cmd, to which all behind the event is words that the hook passes over.
 */
function copilotEntry(event: EventName): Json {
  const run = `node ${HOOK} ${event}`;
  return { type: 'command', bash: `${run} || true`, powershell: `${run} ; exit 0`, timeout: TIMEOUT };
}

/**
 * A hook for Claude Code, which has one command for every platform and shell. It says where the project is in a
 * variable, which each shell would spell differently, so Node itself looks there. Copilot's CLI reads this file too,
 * without saying where, and must get no error.
 */
function claudeEntry(event: EventName): Json {
  const find = `require(process.env.CLAUDE_PROJECT_DIR+'/${HOOK}')`;
  const command = `node -e "try{process.argv.splice(1,0,'');${find}}catch{}" ${event}`;
  return {
    ...(isAboutTools(event) && { matcher: claudeTools }),
    hooks: [{ type: 'command', command, timeout: TIMEOUT }],
  };
}

const forEveryEvent = (make: (event: EventName) => Json): Readonly<Record<string, Json>> =>
  Object.fromEntries(eventNames.map((event) => [event, make(event)]));

export const copilotHooks = forEveryEvent(copilotEntry);
export const claudeHooks = forEveryEvent(claudeEntry);

export const server: Json = { command: 'node', args: [SERVER] };
export const cursorServer: Json = { command: 'node', args: [`\${workspaceFolder}/${SERVER}`] };

/** Entries of earlier versions of ours too. */
export const isOurHook = (entry: unknown): boolean => mentions(entry, HOOK);
export const isOurServer = (entry: unknown): boolean => mentions(entry, SERVER);

const mentions = (entry: unknown, program: string): boolean =>
  JSON.stringify(entry ?? null).includes(program);
