import { UsageError, parseCommandLine } from './commandLine';

/**
 * `mcp.js [--root DIR]…` serves this repository's learnings to an MCP client over standard input and output.
 * `mcp.js --wrap [--root DIR]… -- COMMAND [ARGS…]` runs another server and passes everything on, with what is known
 * about the files that a result is about added to it.
 */
async function main(args: readonly string[]): Promise<void> {
  const { roots, toolsNotFor, wrapped } = parseCommandLine(args);
  if (wrapped) {
    const { wrap } = await import('./wrap');
    wrap(wrapped, roots);
    return;
  }
  const { serve } = await import('./server');
  await serve(roots, { toolsNotFor });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`learnings mcp: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
});
