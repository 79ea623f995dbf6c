import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';

import { LearningsError, tools } from '../core/api';
import { parseAddress } from './address';
import type { RequestMeta } from './caller';
import { complete } from './completions';
import { Desk, storesIn } from './desk';
import { NewsDesk } from './news';
import { prompts } from './prompts';
import { listResources, readResource, resourceTemplates } from './resources';

declare const LEARNINGS_VERSION: string;

/** What the model is told of this server when a session begins. */
const instructions = `What this team has recorded about its own repository: rules, decisions and past mistakes, each about certain files, topics or symbols.
Before you read, create or change a file that you have not asked about yet, call find_learnings with its path; before you plan something larger, with a query. Take what it returns as facts about this repository and keep to them, unless the user says otherwise. What you were given before in this session, here or beside another tool's result, is not repeated.
When the user corrects you in a way that will matter again, call add_learning with their words as evidence. When a learning kept you from a mistake, call upvote_learning.`;

const MAX_LISTED = 500;
/** What the protocol has for a resource that is not there. */
const NO_RESOURCE = -32002;

/** Serves the learnings of the given folders, or of those that the client has open, until the client goes away. */
export async function serve(
  roots: readonly string[],
  { toolsNotFor }: { readonly toolsNotFor: string | undefined },
): Promise<void> {
  // The high-level server wants zod shapes; our tools carry JSON Schema, the same on every surface.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server(
    { name: 'project-learnings', title: 'Project Learnings', version: LEARNINGS_VERSION },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
      },
      instructions,
    },
  );
  const desk = new Desk(server, roots, () => void news.look());
  const news = new NewsDesk(server, desk);

  const hasTools = (): boolean => server.getClientVersion()?.name !== toolsNotFor;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: hasTools() ? toolList() : [] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(desk, params.name, { input: params.arguments, meta: params._meta }),
  );

  server.setRequestHandler(ListResourcesRequestSchema, async ({ params }) => {
    const all = listResources(await desk.world(params?._meta));
    const start = Math.max(0, Number(params?.cursor ?? 0) || 0);
    const end = start + MAX_LISTED;
    return { resources: all.slice(start, end), ...(end < all.length && { nextCursor: String(end) }) };
  });
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...resourceTemplates],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri, _meta } }) => ({
    contents: [await orProtocolError(async () => readResource(await desk.world(_meta), uri))],
  }));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params: { uri } }) => {
    if (!parseAddress(uri)) throw new McpError(NO_RESOURCE, `${uri} is no resource of this server.`);
    await news.subscribe(uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    news.unsubscribe(uri);
    return {};
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: [...args],
    })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    orProtocolError(async () => {
      const prompt = prompts.find(({ name }) => name === params.name);
      if (!prompt) throw new LearningsError('input-invalid', `No prompt ${params.name}.`);
      const given = params.arguments ?? {};
      const missing = prompt.arguments.find(({ name, required }) => required && !given[name]);
      if (missing) throw new LearningsError('input-invalid', `${params.name} needs ${missing.name}.`);
      const text = await prompt.write(await desk.world(params._meta), given);
      return {
        description: prompt.description,
        messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
      };
    }),
  );
  server.setRequestHandler(CompleteRequestSchema, async ({ params: { ref, argument } }) => ({
    completion: { ...(await complete(await desk.world(), ref, argument)) },
  }));

  // The first call should not have to wait for what can be read while the model thinks.
  server.oninitialized = () => void news.look();
  // A client that has gone away reads no more, and there is nobody left to tell.
  process.stdout.on('error', () => process.exit(0));
  await server.connect(new StdioServerTransport());
}

const toolList = (): Tool[] =>
  tools.map(({ name, title, description, inputSchema, readOnly, destructive, idempotent }) => ({
    name,
    title,
    description,
    inputSchema: inputSchema as Tool['inputSchema'],
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
  }));

/** A tool's own errors are results: the model reads them and does better. */
async function callTool(
  desk: Desk,
  name: string,
  { input, meta }: { input: unknown; meta: RequestMeta },
): Promise<CallToolResult> {
  try {
    const tool = tools.find((one) => one.name === name);
    if (!tool) {
      const names = tools.map((one) => one.name).join(', ');
      throw new LearningsError('not-found', `No tool ${name}. Call one of: ${names}.`);
    }
    const world = await desk.world(meta);
    storesIn(world);
    return { content: [{ type: 'text', text: await tool.run(world, input) }] };
  } catch (error) {
    const text =
      error instanceof LearningsError
        ? error.message
        : `${name} failed: ${error instanceof Error ? error.message : String(error)}. Go on without, and tell the user; learnings doctor may say more.`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

async function orProtocolError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LearningsError)) throw error;
    const isGone = error.code === 'not-found' || error.code === 'no-store';
    throw new McpError(isGone ? NO_RESOURCE : ErrorCode.InvalidParams, error.message);
  }
}
