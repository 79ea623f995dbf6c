import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { exitCodes, UsageError, type Commands } from './command';

/** The commands that are programs of their own: they take over this process. */
export const programCommands: Commands = {
  mcp: {
    summary: 'Serve learnings to an MCP client over standard input and output, or wrap another such server.',
    usage: '[--root DIR]… [--wrap -- COMMAND [ARGS…]]',
    positionals: [0, Infinity],
    options: {
      root: {
        type: 'string',
        multiple: true,
        value: 'DIR',
        help: 'look here, whatever the client has open',
      },
      wrap: {
        type: 'boolean',
        help: 'run COMMAND, and add what is known about files to the results of its tools',
      },
    },
    examples: [
      'learnings mcp',
      'learnings mcp --root ../api --root ../web',
      'learnings mcp --wrap -- npx -y @modelcontextprotocol/server-filesystem .',
    ],
    async run(invocation) {
      const { positionals } = invocation;
      const isWrap = invocation.flag('wrap');
      if (isWrap !== positionals.length > 0) {
        throw new UsageError(
          isWrap
            ? 'No server to wrap. Give its command after --.'
            : `What is ${positionals.join(' ')}? To wrap a server, give --wrap -- and its command.`,
        );
      }
      const program = join(__dirname, 'mcp.js');
      const roots = invocation.values('root').flatMap((root) => ['--root', root]);
      const wrapped = isWrap ? ['--wrap', '--', ...positionals] : [];
      process.argv.splice(1, Infinity, program, ...roots, ...wrapped);
      await import(pathToFileURL(program).href);
      return exitCodes.ok;
    },
  },
};
