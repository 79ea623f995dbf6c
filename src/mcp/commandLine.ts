import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** The command line is wrong; the message says how. */
export class UsageError extends Error {}

interface CommandLine {
  /** Folders to look in, whatever the client says; empty: those that the client has open. */
  readonly roots: readonly string[];
  /** The name of a client that has the tools from elsewhere, as VS Code has them from the extension. */
  readonly toolsNotFor: string | undefined;
  /** The server to pass everything on to. */
  readonly wrapped: readonly [command: string, ...args: string[]] | undefined;
}

const USAGE = 'Usage: learnings mcp [--root DIR]… [--wrap -- COMMAND [ARGS…]]';

export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const roots = (values.root ?? []).map((root) => resolve(root));
  const toolsNotFor = values['no-tools-for'];
  const [command, ...rest] = positionals;
  if (values.wrap === true) {
    if (command === undefined) throw new UsageError(`No server to wrap. ${USAGE}`);
    return { roots, toolsNotFor, wrapped: [command, ...rest] };
  }
  if (command !== undefined) throw new UsageError(`What is ${command}? ${USAGE}`);
  return { roots, toolsNotFor, wrapped: undefined };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        root: { type: 'string', multiple: true },
        wrap: { type: 'boolean' },
        'no-tools-for': { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)} ${USAGE}`);
  }
}
