import { eventNames, hears, type Agent, type EventName } from '../core/api';

/** What happened to an agent, however its harness says so. */
export interface HookEvent {
  readonly name: EventName;
  /** Whose hook this is, as far as the payload tells. */
  readonly agent: Agent;
  /** Undefined where the harness does not say. Agents within an agent have memories of their own. */
  readonly session: string | undefined;
  readonly cwd: string;
  readonly tool: string;
  /** The id of the tool call; undefined where the harness does not say. */
  readonly call: string | undefined;
  readonly input: Record<string, unknown>;
  readonly prompt: string;
  /** Why a session starts: `startup`, `resume`, `clear`, `compact` and the like. */
  readonly source: string;
}

export const canHear = ({ agent, name }: Pick<HookEvent, 'agent' | 'name'>): boolean => hears(agent, name);

interface Hints {
  /** The event that the hook was registered for; not every harness repeats it. */
  readonly event?: string | undefined;
  /** `copilot`, where the command was run by its CLI or in its cloud. */
  readonly harness?: string | undefined;
  /** What the hook's process has of its harness. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Reads a payload; undefined if it is none of ours to answer. */
export function readEvent(payload: unknown, hints: Hints): HookEvent | undefined {
  const fields = asRecord(payload);
  const said = text(fields['hook_event_name']) ?? text(fields['hookEventName']);
  const name = eventName(said ?? hints.event);
  if (!name) return undefined;
  const session = text(fields['session_id']) ?? text(fields['sessionId']);
  const inner = text(fields['agent_id']) ?? text(fields['agentId']);
  return {
    name,
    agent: agentOf(fields, said, hints),
    session: session === undefined ? undefined : inner === undefined ? session : `${session}.${inner}`,
    cwd: text(fields['cwd']) ?? process.cwd(),
    tool: text(fields['tool_name']) ?? text(fields['toolName']) ?? '',
    call: text(fields['tool_use_id']) ?? text(fields['toolUseId']),
    input: asInput(fields['tool_input'] ?? fields['toolArgs'] ?? fields['toolInput']),
    prompt: text(fields['prompt']) ?? '',
    source: text(fields['source']) ?? '',
  };
}

function eventName(said: string | undefined): EventName | undefined {
  const pascal = said === undefined ? '' : `${said[0]?.toUpperCase() ?? ''}${said.slice(1)}`;
  const usual = pascal === 'UserPromptSubmitted' ? 'UserPromptSubmit' : pascal;
  return eventNames.find((name) => name === usual);
}

function agentOf(
  fields: Record<string, unknown>,
  said: string | undefined,
  { harness, environment = {} }: Hints,
): Agent {
  if (harness === 'copilot') return 'copilot-cli';
  // The Agent Host hands on the payload of its SDK, which names no event.
  if (said === undefined) return 'agent-host';
  if (!('timestamp' in fields)) return 'claude-code';
  // Copilot's CLI sends what VS Code does, but says in the environment that it is there.
  return environment['COPILOT_CLI'] === undefined ? 'copilot-chat' : 'copilot-cli';
}

/** Some harnesses hand the arguments of a tool on as JSON in a string. */
function asInput(value: unknown): Record<string, unknown> {
  if (typeof value !== 'string') return asRecord(value);
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'string' ? { input: parsed } : asRecord(parsed);
  } catch {
    return { input: value };
  }
}

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
