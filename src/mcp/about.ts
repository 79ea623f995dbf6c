import { explainFile, nameOf, oneLine, writeReceipt, type Match, type ToolStore } from '../core/api';
import type { DeskWorld } from './desk';
import { addressOf } from './address';

/** More about one thing than anybody reads at once. */
const MAX_ROWS = 50;

/** What is recorded about some files, with the reason for each, as Markdown for a model or a person. */
export interface About {
  readonly text: string;
  readonly count: number;
}

interface Question {
  readonly world: DeskWorld;
  readonly stores: readonly ToolStore[];
  readonly paths: readonly string[];
}

/** What holds for the files; `occasion` is noted beside what was given. */
export async function aboutFiles(question: Question, occasion?: string): Promise<About> {
  const { world, stores, paths } = question;
  const lines: string[] = [];
  let count = 0;
  for (const store of stores) {
    const { current } = await matchesOf(store, paths);
    if (current.length === 0) continue;
    if (stores.length > 1) lines.push('', `In ${store.learnings.root}:`, '');
    const shown = current.slice(0, MAX_ROWS);
    lines.push(
      ...shown.map((match) => rowOf(match, addressIn(question, store, match), { isOne: paths.length === 1 })),
    );
    if (current.length > shown.length)
      lines.push(`- … ${current.length - shown.length} more; call find_learnings.`);
    count += current.length;
    if (occasion !== undefined) note(world, store, { shown, total: current.length, paths, occasion });
  }
  return { text: lines.join('\n').trim(), count };
}

/** The page about one file, which also says what almost holds. */
export async function pageAboutFile(question: Question, occasion?: string): Promise<string> {
  const { stores, paths, world } = question;
  const [path = ''] = paths;
  const { text, count } = await aboutFiles(question, occasion);
  const lines = [`# What is recorded about ${code(path)}`, ''];
  if (count === 0) lines.push('Nothing that holds.');
  else
    lines.push(
      `${count === 1 ? '1 learning holds' : `${count} learnings hold`} for it, best first:`,
      '',
      text,
    );
  const kept: string[] = [];
  for (const store of stores) {
    const { outdated } = await matchesOf(store, paths);
    const { withheld } = explainFile(store.learnings, path, { now: world.now() });
    kept.push(
      ...outdated.map((match) => keptRow(match, 'something that it depends on has changed since')),
      ...withheld.map(({ match, why }) => keptRow(match, why)),
    );
  }
  if (kept.length > 0) {
    lines.push('', '## Left out', '', 'These are about it too, and are not to be followed:', '');
    lines.push(...kept.slice(0, MAX_ROWS));
  }
  return `${lines.join('\n')}\n`;
}

async function matchesOf(
  store: ToolStore,
  paths: readonly string[],
): Promise<{ current: readonly Match[]; outdated: readonly Match[] }> {
  const current: Match[] = [];
  const outdated: Match[] = [];
  for (const match of store.learnings.find({ paths }).matches) {
    const held = store.learnings.get(nameOf(match.origin, match.record));
    (held && (await store.isOutdated(held)) ? outdated : current).push(match);
  }
  return { current, outdated };
}

function rowOf({ record, matchedBy }: Match, address: string, { isOne }: { isOne: boolean }): string {
  const why = record.rationale ? ` Why: ${oneLine(record.rationale, 1000)}` : '';
  const reasons = matchedBy
    .slice(0, 3)
    .map((reason) => code(isOne ? reason.replace(/^path:.* ~ /, '') : reason))
    .join(', ');
  return `- [${record.id}](${address}) ${oneLine(record.summary, 1000)}${why} (here because of ${reasons})`;
}

const keptRow = ({ record, origin }: Match, why: string): string =>
  `- ${nameOf(origin, record)}: ${oneLine(why, 300)}`;

const addressIn = ({ stores }: Question, { learnings }: ToolStore, { record, origin }: Match): string =>
  addressOf(nameOf(origin, record), stores.length > 1 ? learnings.root : undefined);

const code = (text: string): string => `\`${oneLine(text, 300).replaceAll('`', 'ˋ')}\``;

function note(
  { now, agent, sessionId }: DeskWorld,
  { receipts }: ToolStore,
  given: { shown: readonly Match[]; total: number; paths: readonly string[]; occasion: string },
): void {
  const { shown, total, paths, occasion } = given;
  writeReceipt(receipts, {
    at: now().toISOString(),
    did: 'gave',
    ids: shown.map(({ origin, record }) => nameOf(origin, record)),
    session: sessionId,
    agent,
    event: occasion,
    path: paths.slice(0, 3).join(', '),
    omitted: total - shown.length,
  });
}
