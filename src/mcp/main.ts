import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';

import { LearningsError, tools } from '../core/api';
import { toolStore } from '../node/agentSession';
import { openFrom } from '../node/open';

declare const LEARNINGS_VERSION: string;

// The high-level server wants zod shapes; our tools carry JSON Schema, the same on every surface.
// eslint-disable-next-line @typescript-eslint/no-deprecated
const server = new Server(
  { name: 'project-learnings', version: LEARNINGS_VERSION },
  { capabilities: { tools: {} } },
);

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema as Tool['inputSchema'],
    annotations: { readOnlyHint: tool.readOnly, openWorldHint: false },
  })),
}));

server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const tool = tools.find(({ name }) => name === params.name);
  try {
    if (tool === undefined) {
      throw new LearningsError(
        'not-found',
        `No tool ${params.name}. Call one of: ${tools.map(({ name }) => name).join(', ')}.`,
      );
    }
    const store = toolStore(await openFrom(process.cwd()));
    const world = { stores: [store], agent: 'mcp', now: () => new Date() };
    const text = await tool.run(world, params.arguments);
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    if (!(error instanceof LearningsError)) throw error;
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
});

void server.connect(new StdioServerTransport());
