import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';

import {
  ANY_FILE,
  classifyPrompt,
  deliver,
  relativeTo,
  rememberIn,
  targetOf,
  type Delivery,
  type DeliveryRequest,
  type Session,
} from '../core/api';
import { agentSession } from '../node/agentSession';
import { findRoot, findUp } from '../node/findUp';
import { nodeHash } from '../node/hash';
import { callNotes, receiptsJournal, tidyJournals } from '../node/journal';
import { gitFolder } from '../node/signs';
import { canHear, type HookEvent } from './event';
import { openSupply, type HookSupply } from './supply';
import { touchedBy, type Touched } from './touched';

/** What the hook says to its harness. */
export interface Answer {
  readonly context: string;
  /** The tool call is not to go on until this was read. */
  readonly deny?: true;
}

/** From here on a learning is worth holding an agent's first write for, where that is switched on. */
const VERIFY_PRIORITY = 100;

interface Desk {
  readonly event: HookEvent;
  readonly root: string;
  readonly supply: HookSupply;
  readonly session: Session;
  readonly startedMs: number;
}

/** What is to be said on an event; undefined: nothing. `program` is this hook's own file. */
export async function answer(
  event: HookEvent,
  { program, startedMs }: { program: string; startedMs: number },
): Promise<Answer | undefined> {
  if (event.name === 'PreToolUse') noteCall(event);
  const touched: Touched | undefined = event.name.endsWith('ToolUse') ? touchedBy(event) : undefined;
  // A tool that touches no file is none of our business, and there are many of those.
  if (touched?.paths.length === 0) return undefined;
  const root = rootFor(event, touched?.paths ?? []);
  if (root === undefined) return undefined;

  const session = agentSession(root, event.session);
  if (event.name === 'SessionEnd') return (tidyJournals(root), undefined);
  if (forgets(event)) session.forget();
  if (event.name === 'PreCompact') return undefined;
  if (event.name === 'SessionStart') tidyJournals(root);

  const supply = await openSupply(root);
  if (!supply.settings.enabled) return undefined;
  const desk: Desk = { event, root, supply, session, startedMs };
  const said = touched ? await aboutFiles(desk, touched) : await aboutSession(desk);
  supply.checkLater(program);
  return said;
}

/** Tells the server of an MCP tool, ours or one that we wrap, in which session it is called. */
function noteCall({ tool, call, session, cwd }: HookEvent): void {
  if (call === undefined || session === undefined || !tool.startsWith('mcp_')) return;
  const root = findUp(cwd, '.learnings');
  if (root !== undefined) callNotes(root).write(call, session);
}

/** The agent has lost what it was told. */
const forgets = ({ name, source }: HookEvent): boolean =>
  name === 'PreCompact' || (name === 'SessionStart' && (source === 'compact' || source === 'clear'));

async function aboutFiles(desk: Desk, { occasion, paths }: Touched): Promise<Answer | undefined> {
  const { event, root, supply } = desk;
  if (!canHear(event)) return undefined;
  const below = paths.flatMap((path) => pathBelow(root, resolve(event.cwd, withoutScheme(path))) ?? []);
  if (below.length === 0) return undefined;
  const about =
    below.length === 1 ? below[0] : below.slice(0, 3).join(', ') + (below.length > 3 ? ', …' : '');
  const delivery = await give(desk, { occasion, target: { paths: below }, about });
  if (!delivery) return undefined;
  const holds =
    supply.settings['inject.verify'] &&
    event.name === 'PreToolUse' &&
    occasion === 'write' &&
    delivery.given.some(({ priority }) => priority >= VERIFY_PRIORITY);
  return { context: delivery.text, ...(holds && { deny: true }) };
}

async function aboutSession(desk: Desk): Promise<Answer | undefined> {
  const { event, supply } = desk;
  if (event.name === 'UserPromptSubmit') {
    const kept = await keep(desk);
    if (!canHear(event)) return undefined;
    const isWanted = classifyPrompt(event.prompt) === 'code-gen';
    const named = targetOf(event.prompt, supply.tags());
    const target = { ...named, paths: named.paths?.flatMap((path) => inRoot(desk.root, path)) };
    const delivery =
      isWanted && (await give(desk, { occasion: 'prompt', target, about: 'what the prompt names' }));
    const context = [kept, delivery ? delivery.text : undefined].filter(Boolean).join('\n\n');
    return context === '' ? undefined : { context };
  }
  if (!canHear(event)) return undefined;
  // What matches a name that no file has is about the whole repository.
  const delivery = await give(desk, { occasion: 'session', target: { paths: [ANY_FILE] }, about: undefined });
  return delivery && { context: delivery.text };
}

function give(
  { event, root, supply, session, startedMs }: Desk,
  request: Pick<DeliveryRequest, 'occasion' | 'target' | 'about'>,
): Promise<Delivery | undefined> {
  return deliver(
    { ...request, agent: event.agent, event: event.name, sessionId: event.session },
    {
      supply,
      session,
      receipts: receiptsJournal(root),
      now: () => new Date(),
      elapsedMs: () => performance.now() - startedMs,
    },
  );
}

/** Keeps what the user wants remembered, once however many hooks are told of it. */
async function keep({ event, root, supply, session }: Desk): Promise<string | undefined> {
  const words = rememberIn(event.prompt);
  if (words === undefined) return undefined;
  if (words === '') {
    // Said again it means something else, so it is answered each time.
    return 'The user wants what was just said to be kept as a learning of this repository. Call add_learning with it, as one sentence that will hold later, and with the paths it is about; then say what was saved.';
  }
  if (!session.claimOnce(`remember ${nodeHash.quick(new TextEncoder().encode(words))}`)) return undefined;
  const named = targetOf(words, supply.tags());
  const paths = (named.paths ?? []).filter(
    (path) => !path.includes(ANY_FILE) && existsSync(resolve(root, path)),
  );
  const { remember } = await import('./hookWork');
  const kept = await remember(root, {
    words,
    scope: { paths, tags: named.tags ?? [] },
    session: event.session,
  });
  return 'id' in kept
    ? `What the user asked to remember is kept as the candidate ${kept.id} in .learnings/candidates. It is given to agents once a person promotes it. Say so in one sentence.`
    : `What the user asked to remember could not be kept: ${kept.refused} Tell the user.`;
}

/** A path that a prompt names, as the patterns see it. */
const inRoot = (root: string, path: string): string[] =>
  isAbsolute(path) ? [pathBelow(root, path) ?? []].flat() : [path];

const withoutScheme = (path: string): string => {
  if (!path.startsWith('file:')) return path;
  const below = relativeTo('/', path);
  return below === undefined ? path : /^[A-Za-z]:\//.test(below) ? below : `/${below}`;
};

/** A file as the patterns of a root see it; undefined if it is none of theirs. */
function pathBelow(root: string, path: string): string | undefined {
  const below = relativeTo(root, path) ?? relativeTo(realPath(root), realPath(path));
  return below === undefined || below === '' || below.startsWith('.learnings/') ? undefined : below;
}

/** Also of a file that does not exist yet, as far as its folders do. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path
      ? path
      : resolve(realPath(parent), path.slice(parent.length).replace(/^[/\\]+/, ''));
  }
}

/**
 * The folder whose learnings govern an event: that of the files where it belongs to the same repository, else that of
 * the folder the agent works in.
 */
function rootFor({ cwd }: HookEvent, paths: readonly string[]): string | undefined {
  const own = findRoot(cwd);
  for (const path of paths) {
    const found = findRoot(dirname(resolve(cwd, withoutScheme(path))));
    if (found !== undefined && (found === own || isSameRepository(found, cwd))) return found;
  }
  return own;
}

/** Worktrees of one repository share a folder of git's. */
function isSameRepository(a: string, b: string): boolean {
  const [one, other] = [a, b].map((folder) => {
    const top = findUp(folder, '.git');
    return top === undefined
      ? undefined
      : realPath(gitFolder(`${top}/.git`).replace(/[/\\]worktrees[/\\][^/\\]+$/, ''));
  });
  return one !== undefined && one === other;
}
