import type { Settings } from '../config/settings';
import type { Target } from '../match/scope';
import type { Journal } from '../ports';
import { writeReceipt, type Receipt } from './receipts';
import { bytesOf, fitRows, renderBlock, renderRow, tokensOf, type Limits, type Offer } from './render';
import type { Session } from './session';

/** When something is given, which decides how much. */
type Occasion = 'session' | 'prompt' | 'read' | 'write';

interface Offers {
  /** Best first, at most as many as were asked for. */
  readonly offers: readonly Offer[];
  /** How many there are in all. */
  readonly total: number;
}

/** Where learnings come from: only such as may be given, and exactly as they are on disk. */
export interface Supply {
  readonly settings: Settings;
  find(
    target: Target,
    options: { readonly limit: number; readonly accept: (name: string) => boolean },
  ): Offers | Promise<Offers>;
}

export interface DeliveryRequest {
  readonly occasion: Occasion;
  readonly target: Target;
  /** What it is about, in words; undefined: the whole repository. */
  readonly about?: string | undefined;
  /** Who gets it, in which session, on which event of theirs: for the receipt. */
  readonly agent: string;
  readonly event: string;
  readonly sessionId?: string | undefined;
}

export interface DeliveryWorld {
  readonly supply: Supply;
  readonly session: Session;
  readonly receipts: Journal;
  readonly now: () => Date;
  /** How long this has taken so far. */
  readonly elapsedMs: () => number;
}

export interface Delivery {
  readonly text: string;
  readonly given: readonly Offer[];
  /** How many more applied and were not given. */
  readonly omitted: number;
  readonly bytes: number;
  readonly tokens: number;
}

/** An agent cuts off what is longer, or moves it into a file. */
const MAX_CHARS = 9000;
/** Losing to another process that serves the same session is no reason to give nothing. */
const MAX_ROUNDS = 3;

/** Gives what is known about something, as much as may be given now, and writes down that it did. */
export async function deliver(request: DeliveryRequest, world: DeliveryWorld): Promise<Delivery | undefined> {
  const { supply, session } = world;
  const { settings } = supply;
  if (!isWanted(request.occasion, settings)) return undefined;
  const limits = limitsFor(request.occasion, settings);
  const { about } = request;

  const given: Offer[] = [];
  let omitted = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const already = session.given();
    const room = Math.min(
      settings['caps.per_call'] - given.length,
      settings['caps.per_session'] - already.size,
    );
    if (room <= 0) break;
    const { offers, total } = await supply.find(request.target, {
      limit: room,
      accept: (name) => !already.has(name),
    });
    const rows = given.map((offer) => renderRow(offer, limits));
    const fitting = fitRows(offers, limits, { about, rows, omitted: 0 });
    const claimed = new Set(
      session.claim(
        fitting.map(({ name }) => name),
        settings['caps.per_session'],
      ),
    );
    given.push(...fitting.filter(({ name }) => claimed.has(name)));
    omitted = total - claimed.size;
    if (claimed.size === fitting.length) break;
  }
  if (given.length === 0) return undefined;

  const text = renderBlock({ about, rows: given.map((offer) => renderRow(offer, limits)), omitted });
  const bytes = bytesOf(text);
  writeReceipt(world.receipts, receiptFor(request, world, { given, omitted, bytes }));
  return { text, given, omitted, bytes, tokens: tokensOf(text) };
}

function isWanted(occasion: Occasion, settings: Settings): boolean {
  if (!settings.enabled) return false;
  if (occasion === 'prompt') return settings['inject.prompt'];
  if (occasion === 'read') return settings['inject.read'];
  return occasion === 'write' ? settings['inject.write'] : true;
}

function limitsFor(occasion: Occasion, settings: Settings): Limits {
  const isPrompt = occasion === 'prompt';
  const chars = isPrompt ? Math.min(MAX_CHARS, settings['caps.prompt_tokens'] * 4) : MAX_CHARS;
  return {
    bytes: Math.min(settings['caps.block_bytes'], chars),
    // Before a prompt there is room for a few lines in all, and one must not take it from the others.
    rowChars: isPrompt ? Math.min(settings['caps.row_chars'], 400) : settings['caps.row_chars'],
    withRationale: !isPrompt,
  };
}

function receiptFor(
  { agent, event, about, sessionId }: DeliveryRequest,
  { now, elapsedMs }: DeliveryWorld,
  { given, omitted, bytes }: { given: readonly Offer[]; omitted: number; bytes: number },
): Receipt {
  return {
    at: now().toISOString(),
    did: 'gave',
    ids: given.map(({ name }) => name),
    ...(sessionId !== undefined && { session: sessionId }),
    agent,
    event,
    ...(about !== undefined && { path: about }),
    omitted,
    bytes,
    ms: Math.round(elapsedMs() * 10) / 10,
  };
}
