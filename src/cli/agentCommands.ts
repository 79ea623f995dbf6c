import { LearningsError, tools, type Tool } from '../core/api';
import { toolStore } from '../node/toolStore';
import { openFrom } from '../node/open';
import { exitCodes, UsageError, type Commands } from './command';

/** The commands that agents, and people who look after them, call. */
export const agentCommands: Commands = {
  tool: {
    summary: 'Call a tool as an agent does; without a name, list the tools.',
    usage: '[name] [JSON|-]',
    changes: ({ positionals: [name] }) => tools.some((tool) => tool.name === name && !tool.readOnly),
    positionals: [0, 2],
    options: {
      session: { type: 'string', value: 'ID', help: "the agent's session, which gets each learning once" },
      agent: { type: 'string', value: 'NAME', help: 'who calls; cli unless given' },
    },
    examples: [
      'learnings tool',
      `learnings tool find_learnings '{"paths": ["src/http/server.ts"]}'`,
      `echo '{"id": "L-0001"}' | learnings tool show_learning -`,
    ],
    async run(invocation) {
      const [name, given = '{}'] = invocation.positionals;
      if (name === undefined) {
        const listed = tools.map((tool) => ({
          name: tool.name,
          description: tool.description,
          inputSchema: tool.inputSchema,
        }));
        invocation.answer({ tools: listed }, () =>
          tools.forEach((tool) => invocation.terminal.print(describe(tool))),
        );
        return exitCodes.ok;
      }
      const tool = tools.find((one) => one.name === name);
      if (!tool) throw new UsageError(`There is no tool "${name}". Run learnings tool to see them.`);
      const input = parse(given === '-' ? await invocation.readText('-') : given);
      const sessionId = invocation.value('session');
      const store = toolStore(await openFrom(invocation.cwd), { sessionId });
      const agent = invocation.value('agent') ?? 'cli';
      invocation.terminal.print(
        await tool.run({ stores: [store], agent, sessionId, now: () => new Date() }, input),
      );
      return exitCodes.ok;
    },
  },
};

const describe = ({ name, description, inputSchema }: Tool): string => {
  const { properties = {} } = inputSchema as { properties?: object };
  return `${name}  {${Object.keys(properties).join(', ')}}\n  ${description}\n`;
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new LearningsError('input-invalid', `The input is not JSON: ${message}.`, { cause });
  }
}
