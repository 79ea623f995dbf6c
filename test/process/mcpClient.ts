import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  ListRootsRequestSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';

import { bundle, temporaryFolder } from './product';

interface ConnectOptions {
  readonly cwd: string;
  readonly args?: readonly string[];
  /** The folders that the client has open; undefined: it does not say. */
  readonly roots?: () => readonly string[];
  readonly name?: string;
}

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

export interface Connection {
  readonly client: Client;
  readonly call: (
    name: string,
    input?: Record<string, unknown>,
    meta?: Record<string, unknown>,
  ) => Promise<Answer>;
  readonly read: (uri: string) => Promise<string>;
  /** Waits for the next word about resources: an address, or `list`. */
  readonly news: () => Promise<string>;
}

const open: Client[] = [];

/** A real client on the built server. Everything opened here is closed by `closeAll`. */
export async function connect({ cwd, args = [], roots, name = 'test' }: ConnectOptions): Promise<Connection> {
  const capabilities = roots ? { roots: { listChanged: true } } : {};
  const client = new Client({ name, version: '1' }, { capabilities });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots().map((root) => ({ uri: pathToFileURL(root).href })),
    }));
  }
  const heard: string[] = [];
  let wake: () => void = () => undefined;
  const hear = (what: string): void => {
    heard.push(what);
    wake();
  };
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => hear(params.uri));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => hear('list'));
  const home = temporaryFolder();
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [bundle('mcp'), ...args],
      cwd,
      env: { ...(process.env as Record<string, string>), HOME: home, USERPROFILE: home },
    }),
  );
  open.push(client);
  return {
    client,
    async call(tool, input = {}, meta) {
      const params = { name: tool, arguments: input, ...(meta && { _meta: meta }) };
      return answerOf((await client.callTool(params)) as CallToolResult);
    },
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : '';
    },
    async news() {
      while (heard.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return heard.shift() ?? '';
    },
  };
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

function answerOf({ content, isError }: CallToolResult): Answer {
  const text = content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  return { text, isError: isError === true };
}

/** A folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export const recordFile = (id: string): string => `.learnings/${id}/learning.yaml`;

export const recordText = (id: string, summary: string, paths = 'src/**'): string =>
  `id: ${id}\nschemaVersion: 1\nsummary: ${summary}\nscope:\n  paths: ["${paths}"]\n`;
