import { join } from 'node:path';

import {
  agents,
  contextIn,
  eventNames,
  LearningsError,
  leftOut,
  nameOf,
  namesIn,
  oneLine,
  parseReceipts,
  receiptsOfSession,
  rehearsalAsMarkdown,
  relativeTo,
  renderFooter,
  selectReceipts,
  tallyReceipts,
  whyNothing,
  type Learnings,
  type Receipt,
  type Rehearsal,
  type Rehearsed,
  type Tally,
} from '../core/api';
import { receiptsJournal } from '../node/journal';
import { openFrom } from '../node/open';
import { rehearse } from '../node/rehearse';
import { exitCodes, UsageError, type Commands, type Invocation } from './command';
import { fromHere } from './paths';

/** The commands about what agents are given. */
export const deliveryCommands: Commands = {
  receipts: {
    summary: 'Show what agents were given, when, and which learnings nobody ever got.',
    usage: '[--since 7d|DATE] [--agent NAME] [--learning ID] | --footer [--session ID]',
    options: {
      since: { type: 'string', value: '7d|DATE', help: 'only later ones: 12h, 7d, 4w or 2026-05-09' },
      agent: { type: 'string', value: 'NAME', help: 'only to this one, such as claude-code' },
      learning: { type: 'string', value: 'ID', help: 'only of this learning' },
      limit: { type: 'string', value: 'N', help: 'the last so many; 30 unless given' },
      footer: { type: 'boolean', help: 'print “Learnings used” as Markdown, for a pull request' },
      session: { type: 'string', value: 'ID', help: 'with --footer: which session; the latest unless given' },
    },
    examples: [
      'learnings receipts --since 7d',
      'learnings receipts --learning L-0001 --json',
      'learnings receipts --footer | gh pr comment --body-file -',
    ],
    async run(invocation) {
      const learnings = await openFrom(invocation.cwd, { readOnly: true });
      const all = parseReceipts(receiptsJournal(learnings.root).read());
      if (invocation.flag('footer')) printFooter(invocation, learnings, all);
      else printReceipts(invocation, learnings, all);
      return exitCodes.ok;
    },
  },

  'test-delivery': {
    summary: 'Show what each agent would get for a file, by the real hook, and why.',
    usage: '<file> [--agent NAME]… [--event NAME]…',
    positionals: [1, 1],
    options: {
      agent: { type: 'string', multiple: true, choices: agents, help: 'only this one' },
      event: { type: 'string', multiple: true, choices: eventNames, help: 'only on this event of its hooks' },
    },
    examples: [
      'learnings test-delivery src/http/server.ts',
      'learnings test-delivery src/http/server.ts --agent claude-code --event PreToolUse --json',
    ],
    async run(invocation) {
      const [file = ''] = invocation.positionals;
      const learnings = await openFrom(invocation.cwd, { readOnly: true });
      const { root } = learnings;
      const located = fromHere(file, { cwd: invocation.cwd, root });
      const path = relativeTo(root, located);
      if (path === undefined) throw new LearningsError('input-invalid', `${file} is outside of ${root}.`);
      const wanted = (name: string, value: string): boolean =>
        invocation.values(name).length === 0 || invocation.values(name).includes(value);
      const rehearsal = await rehearse(learnings, {
        path,
        program: join(__dirname, 'hook.js'),
        accept: ({ agent, event }) => wanted('agent', agent) && wanted('event', event),
      });
      invocation.answer({ file: path, calls: rehearsal.calls.map((call) => toJson(call, rehearsal)) }, () =>
        invocation.terminal.print(rehearsalAsMarkdown(rehearsal).trimEnd()),
      );
      return exitCodes.ok;
    },
  },
};

function toJson(call: Rehearsed, rehearsal: Rehearsal): object {
  const { agent, event, action, tool, args, payload, printed, ms, receipt } = call;
  const context = contextIn(printed);
  return {
    agent,
    event,
    action,
    tool: tool ?? null,
    args,
    payload,
    printed,
    context: context?.text ?? null,
    ids: receipt?.ids ?? [],
    omitted: receipt?.omitted ?? 0,
    left_out: leftOut(call, rehearsal).map(({ name: id, why }) => ({ id, why })),
    why_nothing: context ? null : whyNothing(call, rehearsal),
    ms: Math.round(ms),
  };
}

function printFooter(invocation: Invocation, learnings: Learnings, all: readonly Receipt[]): void {
  const receipts = receiptsOfSession(all, invocation.value('session'));
  const names = namesIn(receipts);
  const givenTo = [...new Set(receipts.flatMap(({ agent }) => agent ?? []))];
  const used = names.map((name) => ({ name, held: learnings.get(name) }));
  const footer = renderFooter(used, givenTo);
  invocation.answer({ session: receipts[0]?.session ?? null, agents: givenTo, ids: names, footer }, () => {
    if (names.length > 0) invocation.terminal.print(footer.trimEnd());
    else invocation.terminal.warn('No agent was given anything in that session.');
  });
}

function printReceipts(invocation: Invocation, learnings: Learnings, all: readonly Receipt[]): void {
  const { terminal } = invocation;
  const since = readSince(invocation.value('since'), Date.now());
  const [agent, learning] = [invocation.value('agent'), invocation.value('learning')];
  const limit = Number(invocation.value('limit') ?? 30);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1.');
  const receipts = selectReceipts(all, { sinceMs: since, agent, learning });
  const tallies = [...tallyReceipts(receipts)]
    .filter(([name]) => learning === undefined || name === learning)
    .toSorted(([a, one], [b, other]) => other.given - one.given || (a < b ? -1 : 1));
  const given = new Set(tallies.flatMap(([name, tally]) => (tally.given > 0 ? [name] : [])));
  const never = learnings
    .list('active')
    .map(({ origin, record }) => nameOf(origin, record))
    .filter((name) => !given.has(name) && (learning === undefined || name === learning));
  const data = {
    receipts,
    learnings: tallies.map(([id, { given: times, opened, upvoted, lastGiven }]) => ({
      id,
      given: times,
      opened,
      upvoted,
      last_given: lastGiven ?? null,
    })),
    never_given: never,
  };
  invocation.answer(data, () => {
    const shown = receipts.slice(-limit);
    if (shown.length === 0) terminal.print(nothingText(invocation));
    if (receipts.length > limit) terminal.print(`… ${receipts.length - limit} earlier; --limit shows them.`);
    printTable(invocation, shown);
    if (tallies.length > 0) terminal.print('');
    for (const [name, tally] of tallies)
      terminal.print(`${terminal.style('bold', oneLine(name, 60))}  ${tallyText(tally)}`);
    if (receipts.length > 0 && never.length > 0)
      terminal.print(terminal.wrap(`Never given: ${never.join(', ')}.`, 2));
  });
}

const nothingText = (invocation: Invocation): string =>
  ['since', 'agent', 'learning'].some((name) => invocation.value(name) !== undefined)
    ? 'No receipt is like that.'
    : 'Nothing has been given to an agent in this checkout yet. learnings test-delivery <file> shows what one would get.';

const headings = ['when', 'agent', 'event', 'about', 'learnings', 'more', 'bytes', 'ms'] as const;

function printTable({ terminal }: Invocation, receipts: readonly Receipt[]): void {
  if (receipts.length === 0) return;
  const rows = receipts.map(({ at, did, agent, event, path, ids, omitted, bytes, ms }) => [
    localTime(at),
    oneLine(agent ?? '', 20),
    did === 'gave' ? oneLine(event ?? '', 20) : did,
    oneLine(path ?? (did === 'gave' ? 'the whole repository' : ''), 48),
    oneLine(ids.join(' '), 60),
    omitted === undefined ? '' : String(omitted),
    bytes === undefined ? '' : String(bytes),
    ms === undefined ? '' : String(Math.round(ms)),
  ]);
  const widths = headings.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column > 4 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  terminal.print(terminal.style('dim', line(headings)));
  for (const row of rows) terminal.print(line(row));
}

const tallyText = ({ given, opened, upvoted, lastGiven }: Tally): string =>
  [
    `given ${times(given)}`,
    ...(opened > 0 ? [`opened ${times(opened)}`] : []),
    ...(upvoted > 0 ? [`upvoted ${times(upvoted)}`] : []),
    ...(lastGiven === undefined ? [] : [`last ${localTime(lastGiven)}`]),
  ].join(', ');

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Such as 2026-05-09 18:00, by the clock of whoever reads it. */
function localTime(at: string): string {
  const time = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

function readSince(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (unitsMs[unit] ?? 0);
  const at = /^\d{4}-/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new UsageError('--since must be such as 12h, 7d, 4w or 2026-05-09.');
  return at;
}
