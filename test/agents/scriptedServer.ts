import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What the model says next: it calls a tool, or it ends its turn. */
export type Step = { readonly tool: string; readonly input: object } | { readonly say: string };

export interface ModelRequest {
  readonly system: unknown;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools: readonly { readonly name: string }[];
}

export interface ScriptedServer {
  readonly url: string;
  /** Every request of the agent itself, in order; those for titles and the like are left out. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** A model that answers from a script, as Anthropic's interface streams it. The last step repeats. */
export async function startScriptedServer(steps: readonly Step[]): Promise<ScriptedServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests, steps).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requests: ModelRequest[],
  steps: readonly Step[],
): Promise<void> {
  const body = await text(request);
  const path = new URL(request.url ?? '/', 'http://localhost').pathname;
  if (path !== '/v1/messages') {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"input_tokens":1}');
    return;
  }
  const asked = JSON.parse(body) as Partial<ModelRequest> & { stream?: boolean };
  const tools = asked.tools ?? [];
  const isAgent = tools.length > 0;
  const step = isAgent
    ? (steps[Math.min(requests.length, steps.length - 1)] ?? { say: 'done' })
    : { say: 'ok' };
  if (isAgent) requests.push({ system: asked.system, messages: asked.messages ?? [], tools });
  const turn = requests.length;
  const message = {
    id: `msg_${turn}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
  };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const isTool = 'tool' in step;
  const block = isTool
    ? { type: 'tool_use', id: `toolu_${turn}`, name: step.tool, input: {} }
    : { type: 'text', text: '' };
  const delta = isTool
    ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
    : { type: 'text_delta', text: step.say };
  const stop = isTool ? 'tool_use' : 'end_turn';
  if (asked.stream !== true) {
    const content = [isTool ? { ...block, input: step.input } : { type: 'text', text: step.say }];
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ ...message, content, stop_reason: stop, usage }));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null, usage } });
  send('content_block_start', { index: 0, content_block: block });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}
