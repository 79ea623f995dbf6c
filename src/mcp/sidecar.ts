import { setTimeout as wait } from 'node:timers/promises';

import { deliver, oneLine, type Delivery, type Learnings } from '../core/api';
import { toolStore } from '../node/toolStore';
import { receiptsJournal } from '../node/journal';
import { Caller, type RequestMeta } from './caller';
import { filesBelow, filesOfCall, type FoundFile } from './named';
import { Repositories } from './repositories';
import { insertInto, itemsOf, membersOf, wholeOf, type Span } from './splice';
import { supplyOf } from './supply';

/** A result waits no longer for what is known about it; another one gets it. */
const MAX_WAIT_MS = 2000;
/** Calls that nobody answers, not even by cancelling, are forgotten at some time. */
const MAX_PENDING = 10_000;

interface Call {
  readonly tool: string;
  readonly input: unknown;
  readonly meta: RequestMeta;
}

type Message = Readonly<Record<string, unknown>>;

/**
 * Knows which answers are results of tools, and adds to those what is known about the files that they are about.
 *
 * Where it goes is what the protocol leaves safe. A result is a list of content, and an optional structured one, which
 * clients check against the tool's output schema and which VS Code and Claude Code show the model instead of all text.
 * - No structured content: one more text.
 * - Structured content that may have more keys, as the tool was listed: the key `learnings` there, and the text for
 *   clients that read no structured content.
 * - Structured content that may not, or of a tool that was never listed here: an embedded resource. No schema speaks of
 *   it, and it is not left out where text is.
 */
export class Sidecar {
  private readonly calls = new Map<string, Call>();
  private readonly listings = new Set<string>();
  /** Whether structured content of a tool may have a key more, for tools that were listed. */
  private readonly mayExtend = new Map<string, boolean>();
  private readonly caller = new Caller();
  private readonly repositories: Repositories;
  private warming: Promise<unknown> | undefined;

  constructor(
    private readonly folders: readonly string[],
    private readonly cwd: string,
  ) {
    this.repositories = new Repositories(() => Promise.resolve(folders));
  }

  /** Whether an answer could be one to look at. */
  get isWaiting(): boolean {
    return this.calls.size + this.listings.size > 0;
  }

  /** Takes note of what the client sends. */
  fromClient(line: Buffer): void {
    for (const message of messagesIn(line.toString('utf8'))) this.noteRequest(message);
  }

  private noteRequest({ method, id, params }: Message): void {
    const fields = asMessage(params);
    if (method === 'initialize') {
      const { name } = asMessage(fields['clientInfo']);
      this.caller.isCalled(typeof name === 'string' ? name : undefined);
    } else if (method === 'tools/list') this.listings.add(JSON.stringify(id));
    else if (method === 'tools/call' && typeof fields['name'] === 'string') {
      const meta = asMessage(fields['_meta']);
      this.calls.set(JSON.stringify(id), { tool: fields['name'], input: fields['arguments'], meta });
      if (this.calls.size > MAX_PENDING)
        for (const [oldest] of this.calls) return void this.calls.delete(oldest);
      // Most of it is read while the tool works; what changes afterwards takes no time.
      this.warming ??= this.repositories.fresh().catch(() => undefined);
    } else if (method === 'notifications/cancelled') this.calls.delete(JSON.stringify(fields['requestId']));
  }

  /** What to pass on for a line of the server's: itself, byte for byte, or with more in it. */
  async fromServer(line: Buffer): Promise<Buffer> {
    const text = line.toString('utf8');
    try {
      const additions = [];
      for (const { message, span } of placedMessages(text)) {
        if (message['method'] !== undefined) continue;
        const id = JSON.stringify(message['id']);
        const call = this.calls.get(id);
        this.calls.delete(id);
        if (this.listings.delete(id)) this.noteTools(asMessage(message['result']));
        if (!call) continue;
        additions.push(...(await this.additionsFor(call, asMessage(message['result']), { text, span })));
      }
      // Where decoding lost something, adding would lose it for good.
      if (additions.length === 0 || !Buffer.from(text).equals(line)) return line;
      return Buffer.from(insertInto(text, additions));
    } catch {
      return line;
    }
  }

  private noteTools({ tools }: Message): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools.map(asMessage)) {
      const { name, outputSchema } = tool;
      if (typeof name === 'string')
        this.mayExtend.set(name, outputSchema === undefined || isOpen(outputSchema));
    }
  }

  private async additionsFor(
    { tool, input, meta }: Call,
    result: Message,
    { text, span }: { text: string; span: Span },
  ): Promise<(Span & { json: string })[]> {
    const { content, structuredContent, isError } = result;
    if (!Array.isArray(content) || isError === true) return [];
    const given = await this.give({ tool, input, meta }, { content, structuredContent });
    if (!given) return [];
    const parts = membersOf(text, membersOf(text, span).get('result') ?? span);
    const list = parts.get('content');
    const structured = parts.get('structuredContent');
    if (!list) return [];
    if (structuredContent === undefined || !structured)
      return [{ ...list, json: JSON.stringify({ type: 'text', text: given.text }) }];
    const keys = asMessage(structuredContent);
    const isFree = isPlainObject(structuredContent) && !('learnings' in keys);
    if (isFree && this.mayExtend.get(tool) === true) {
      return [
        { ...list, json: JSON.stringify({ type: 'text', text: given.text }) },
        { ...structured, json: `"learnings":${JSON.stringify(given.rows)}` },
      ];
    }
    const resource = { uri: given.address, mimeType: 'text/markdown', text: given.text };
    return [{ ...list, json: JSON.stringify({ type: 'resource', resource }) }];
  }

  /** Gives what is known about the files of a call; undefined if that is nothing, or took too long to read. */
  private async give(call: Call, result: object): Promise<Given | undefined> {
    const startedMs = performance.now();
    const roots = [...(await this.repositories.roots())];
    const found = filesOfCall(filesBelow(roots, this.cwd), call.input, result);
    if (found.length === 0) return undefined;
    const reading = this.repositories.fresh().catch(() => []);
    const stores = await Promise.race([reading, wait(MAX_WAIT_MS, [], { ref: false })]);
    const sessionId = this.caller.session(call.meta, [...roots, ...this.folders]);
    const given: Given[] = [];
    for (const learnings of stores) {
      const one = await this.giveFrom(learnings, { found, call, sessionId, startedMs });
      if (one) given.push(one);
    }
    const [first] = given;
    return (
      first && {
        text: given.map(({ text }) => text).join('\n'),
        rows: given.flatMap(({ rows }) => rows),
        address: first.address,
      }
    );
  }

  private async giveFrom(
    learnings: Learnings,
    about: {
      readonly found: readonly FoundFile[];
      readonly call: Call;
      readonly sessionId: string;
      readonly startedMs: number;
    },
  ): Promise<Given | undefined> {
    const { sessionId, startedMs, call } = about;
    const paths = about.found.filter(({ root }) => root === learnings.root).map(({ path }) => path);
    if (paths.length === 0) return undefined;
    const store = toolStore(learnings, { sessionId });
    if (!store.session) return undefined;
    const delivery = await deliver(
      {
        occasion: 'read',
        target: { paths },
        about: paths.slice(0, 3).join(', ') + (paths.length > 3 ? ', …' : ''),
        agent: this.caller.agent,
        event: oneLine(call.tool, 60),
        sessionId,
      },
      {
        supply: supplyOf(store),
        session: store.session,
        receipts: receiptsJournal(learnings.root),
        now: () => new Date(),
        elapsedMs: () => performance.now() - startedMs,
      },
    );
    return delivery && givenOf(delivery, paths);
  }
}

interface Given {
  readonly text: string;
  readonly rows: readonly object[];
  readonly address: string;
}

function givenOf({ text, given }: Delivery, paths: readonly string[]): Given {
  return {
    text,
    rows: given.map(({ name, summary, rationale, matchedBy }) => ({
      id: name,
      summary: oneLine(summary, 2000),
      ...(rationale !== undefined && { rationale: oneLine(rationale, 2000) }),
      matched_by: matchedBy,
    })),
    address: `learnings://file/${paths.slice(0, 1).map(encodeURI).join('')}`,
  };
}

/** Whether something of this schema may have a key that it does not name. In doubt it may not. */
function isOpen(schema: unknown): boolean {
  const keys = new Set([
    '$schema',
    '$id',
    'title',
    'description',
    'type',
    'properties',
    'required',
    '$defs',
    'definitions',
  ]);
  const fields = asMessage(schema);
  const { additionalProperties, ...others } = fields;
  return (
    (additionalProperties === undefined || additionalProperties === true) &&
    Object.keys(others).every((key) => keys.has(key)) &&
    !('learnings' in asMessage(fields['properties']))
  );
}

const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asMessage = (value: unknown): Message => (isPlainObject(value) ? (value as Message) : {});

/** One message or a batch of them; none in what is no JSON. */
function messagesIn(text: string): readonly Message[] {
  try {
    return [JSON.parse(text) as unknown].flat().map(asMessage);
  } catch {
    return [];
  }
}

/** The same with their places. */
function placedMessages(text: string): readonly { message: Message; span: Span }[] {
  const parsed = JSON.parse(text) as unknown;
  const whole = wholeOf(text);
  const spans = Array.isArray(parsed) ? itemsOf(text, whole) : [whole];
  return [parsed].flat().flatMap((one, index) => {
    const span = spans[index];
    return span ? [{ message: asMessage(one), span }] : [];
  });
}
