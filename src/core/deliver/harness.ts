/** The programs that agents run in, and how each of them calls a hook. */
export const agents = ['claude-code', 'copilot-chat', 'agent-host', 'copilot-cli'] as const;
export type Agent = (typeof agents)[number];

const titles: Readonly<Record<string, string>> = {
  'claude-code': 'Claude Code',
  'copilot-chat': 'Copilot Chat',
  'agent-host': 'VS Code Agent Host',
  'copilot-cli': 'Copilot CLI',
} satisfies Record<Agent, string>;

/** What people call an agent; those that we do not know are called what they call themselves. */
export const agentTitle = (agent: string): string =>
  (Object.hasOwn(titles, agent) ? titles[agent] : undefined) ?? agent;

export const eventNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreCompact',
  'SubagentStart',
  'SessionEnd',
] as const;
export type EventName = (typeof eventNames)[number];

/** Where an agent can be told something. What is said elsewhere is lost, and would still count as given. */
const listens: Readonly<Record<Agent, ReadonlySet<EventName>>> = {
  'claude-code': new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart']),
  'copilot-chat': new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart']),
  'agent-host': new Set(['PreToolUse', 'PostToolUse']),
  'copilot-cli': new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart']),
};

export const hears = (agent: Agent, event: EventName): boolean => listens[agent].has(event);

/** What an agent is doing when its hook is called. */
export type Action = 'start' | 'prompt' | 'read' | 'edit' | 'create' | 'patch';

/** One call of a hook, as a harness makes it. */
export interface HookCall {
  readonly agent: Agent;
  readonly event: EventName;
  readonly action: Action;
  /** The tool that is about to be used, or was. */
  readonly tool?: string;
  /** What the hook gets on its command line. */
  readonly args: readonly string[];
  /** By what in its environment it knows the harness, where the payload does not say. */
  readonly env?: Readonly<Record<string, string>>;
  /** What it gets on standard input, before it is made JSON. */
  readonly payload: Readonly<Record<string, unknown>>;
}

interface CallOptions {
  /** The file that the agent works on, absolute, as the platform writes it. */
  readonly file: string;
  /** The same as a person names it. */
  readonly path: string;
  readonly cwd: string;
  /** Of the session that each call is made in; every one is in a session of its own, as if it were the first. */
  readonly session: (index: number) => string;
  readonly now: Date;
}

type Tools = Readonly<Partial<Record<Action, readonly [tool: string, input: object]>>>;

const patchOf = (file: string): string =>
  `*** Begin Patch\n*** Update File: ${file}\n@@\n-before\n+after\n*** End Patch`;

/** The tools by which each harness touches a file, with what it says to them. */
const toolsFor: Readonly<Record<Agent, (file: string) => Tools>> = {
  'claude-code': (file) => ({
    read: ['Read', { file_path: file }],
    edit: ['Edit', { file_path: file, old_string: 'before', new_string: 'after' }],
    create: ['Write', { file_path: file, content: 'after\n' }],
  }),
  'copilot-chat': (file) => ({
    read: ['read_file', { filePath: file, startLine: 1, endLine: 100 }],
    edit: ['replace_string_in_file', { filePath: file, oldString: 'before', newString: 'after' }],
    create: ['create_file', { filePath: file, content: 'after\n' }],
    patch: ['apply_patch', { input: patchOf(file), explanation: '' }],
  }),
  'agent-host': (file) => ({
    read: ['view', { path: file }],
    edit: ['edit', { path: file, old_str: 'before', new_str: 'after' }],
    create: ['create', { path: file, file_text: 'after\n' }],
    patch: ['apply_patch', { input: patchOf(file) }],
  }),
  'copilot-cli': (file) => ({
    read: ['view', { path: file }],
    edit: ['edit', { path: file, old_str: 'before', new_str: 'after' }],
    create: ['create', { path: file, file_text: 'after\n' }],
    patch: ['apply_patch', { input: patchOf(file) }],
  }),
};

/** Every way in which the agents we know come to a file, each as its harness really says it. */
export function hookCalls({ file, path, cwd, session, now }: CallOptions): HookCall[] {
  const prompt = `Fix the rounding in ${path}.`;
  let count = 0;
  return agents.flatMap((agent): HookCall[] => {
    const say = (
      event: EventName,
      action: Action,
      more: Record<string, unknown>,
      tool?: string,
    ): HookCall => {
      const common = { session: session(count++), cwd, now, event };
      return {
        agent,
        event,
        action,
        ...(tool !== undefined && { tool }),
        args: [event],
        ...(agent === 'copilot-cli' && { env: { COPILOT_CLI: '1' } }),
        payload: { ...envelopes[agent](common), ...more },
      };
    };
    const touching = Object.entries(toolsFor[agent](file)).map(([action, [tool, input]]) =>
      say(
        'PreToolUse',
        action as Action,
        agent === 'agent-host'
          ? { toolName: tool, toolArgs: JSON.stringify(input) }
          : { tool_name: tool, tool_input: input, tool_use_id: `call_${count}` },
        tool,
      ),
    );
    return [
      say('SessionStart', 'start', { source: agent === 'claude-code' ? 'startup' : 'new' }),
      say('UserPromptSubmit', 'prompt', { prompt }),
      ...touching,
    ];
  });
}

interface Common {
  readonly session: string;
  readonly cwd: string;
  readonly now: Date;
  readonly event: EventName;
}

/** What every payload of a harness begins with. */
const envelopes: Readonly<Record<Agent, (common: Common) => Record<string, unknown>>> = {
  'claude-code': ({ session, cwd, event }) => ({
    session_id: session,
    transcript_path: `${cwd}/${session}.jsonl`,
    cwd,
    hook_event_name: event,
  }),
  'copilot-chat': ({ session, cwd, event, now }) => ({
    timestamp: now.toISOString(),
    hook_event_name: event,
    session_id: session,
    transcript_path: `${cwd}/${session}.jsonl`,
    cwd,
  }),
  // It hands on what its SDK says, which names no event.
  'agent-host': ({ session, cwd, now }) => ({ timestamp: now.getTime(), cwd, sessionId: session }),
  'copilot-cli': ({ session, cwd, event, now }) => ({
    timestamp: now.toISOString(),
    hook_event_name: event,
    session_id: session,
    cwd,
  }),
};
