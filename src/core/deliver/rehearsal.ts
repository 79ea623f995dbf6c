import type { Resolved, SettingKey } from '../config/settings';
import type { Explanation } from '../explain';
import { nameOf, type Match } from '../learnings';
import { codeSpan, escapeWithin, fence } from '../markdown';
import { agentTitle, hears, type Action, type HookCall } from './harness';
import type { Receipt } from './receipts';
import { bytesOf, tokensOf } from './render';

/** What the hook answered to one call. */
export interface Rehearsed extends HookCall {
  /** Exactly what it printed. */
  readonly printed: string;
  readonly ms: number;
  /** What it noted of it; undefined if it gave nothing. */
  readonly receipt: Receipt | undefined;
}

/** What each agent would get for a file, and what explains it. */
export interface Rehearsal extends Pick<Resolved, 'settings' | 'sources'> {
  readonly path: string;
  readonly explanation: Explanation;
  /** Ids of learnings that something has changed for since. */
  readonly outdated: readonly string[];
  readonly calls: readonly Rehearsed[];
}

interface Left {
  readonly name: string;
  /** In Markdown. */
  readonly why: string;
}

/** What an agent reads of what the hook printed; undefined if it printed nothing. */
export function contextIn(printed: string): { readonly text: string; readonly denies: boolean } | undefined {
  if (printed === '') return undefined;
  try {
    const { additionalContext, permissionDecisionReason } = JSON.parse(printed) as Record<string, unknown>;
    const text = additionalContext ?? permissionDecisionReason;
    if (typeof text === 'string') return { text, denies: additionalContext === undefined };
  } catch {
    // What is no JSON no agent reads.
  }
  return undefined;
}

/** Why nothing was given, as the rest of a sentence. */
export function whyNothing(call: Rehearsed, { settings, sources, explanation, outdated }: Rehearsal): string {
  const { agent, event, action } = call;
  if (!hears(agent, event))
    return `whatever is said at ${event} does not reach the model, so nothing is said`;
  const off = (key: SettingKey): string => `${key} is false (${sources[key]})`;
  if (!settings.enabled) return off('enabled');
  const key = injectKeys[action];
  if (key !== undefined && !settings[key]) return off(key);
  if (action === 'start') return 'no learning is about the whole repository';
  if (explanation.given.length === 0) return 'no learning is about this file';
  if (explanation.given.every(({ match }) => outdated.includes(match.record.id)))
    return 'what the learnings about it depend on has changed since, so none of them is certain';
  return 'nothing that may be given applies';
}

const injectKeys: Readonly<Partial<Record<Action, 'inject.prompt' | 'inject.read' | 'inject.write'>>> = {
  prompt: 'inject.prompt',
  read: 'inject.read',
  edit: 'inject.write',
  create: 'inject.write',
  patch: 'inject.write',
};

/** Learnings about the file that were not given, each with the rule that kept it back. */
export function leftOut(call: Rehearsed, rehearsal: Rehearsal): Left[] {
  const { explanation, settings, outdated } = rehearsal;
  const { action, receipt } = call;
  if (action === 'start' || !receipt) return [];
  const given = new Set(receipt.ids);
  const perCall = settings['caps.per_call'];
  const size =
    action === 'prompt'
      ? `does not fit into what is added to a prompt (caps.prompt_tokens: ${settings['caps.prompt_tokens']})`
      : `does not fit into the block (caps.block_bytes: ${settings['caps.block_bytes']}, and 9,000 characters at most)`;
  const rest = explanation.given.filter(({ match }) => !given.has(named(match)));
  const kept = rest.map(({ match }): Left => {
    const name = named(match);
    // Before a prompt only what it names is looked for.
    if (receipt.omitted === 0 && action === 'prompt')
      return { name, why: 'the prompt names nothing that it is about' };
    if (outdated.includes(match.record.id))
      return { name, why: 'what it depends on has changed since: learnings stale says what' };
    const why = given.size >= perCall ? `beyond the ${perCall} that are given at once (caps.per_call)` : size;
    return { name, why };
  });
  return [
    ...kept,
    ...explanation.withheld.map(({ match, why }) => ({ name: named(match), why: escapeWithin(why) })),
  ];
}

const named = ({ origin, record }: Match): string => nameOf(origin, record);

const actionNames: Readonly<Record<Action, string>> = {
  start: 'starts a session',
  prompt: 'is prompted about it',
  read: 'reads it',
  edit: 'edits it',
  create: 'writes it',
  patch: 'patches it',
};

const callName = ({ agent, action, tool, event }: Rehearsed): string =>
  `${agentTitle(agent)} ${actionNames[action]}${tool === undefined ? ` (${event})` : ` (${event}, ${tool})`}`;

/** All of it as a page for people. What agents read stands in it exactly as they read it. */
export function rehearsalAsMarkdown(rehearsal: Rehearsal): string {
  const { path, calls } = rehearsal;
  const answers = new Map<string, Rehearsed[]>();
  for (const call of calls) {
    const text = contextIn(call.printed)?.text ?? '';
    answers.set(text, [...(answers.get(text) ?? []), call]);
  }
  const silent = answers.get('') ?? [];
  answers.delete('');
  const lines = [
    `# What agents get for ${codeSpan(path)}`,
    '',
    `The hook was called ${calls.length} times just now, as each agent calls it, each time as the first call of a session. Nothing of that was noted as given.`,
    '',
  ];
  // Files first: that is what most people come for.
  const order = [...answers].toSorted(([, a], [, b]) => Number(!a[0]?.tool) - Number(!b[0]?.tool));
  for (const [text, alike] of order) lines.push(...answerLines(text, alike, rehearsal));
  if (silent.length > 0) {
    lines.push('## Nothing', '');
    for (const call of silent) lines.push(`- ${callName(call)}: ${whyNothing(call, rehearsal)}.`);
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function answerLines(text: string, alike: readonly Rehearsed[], rehearsal: Rehearsal): string[] {
  const [first] = alike;
  if (!first) return [];
  const { given } = rehearsal.explanation;
  const ids = first.receipt?.ids ?? [];
  const why = ids.map((id) => {
    const match = given.find((one) => named(one.match) === id)?.match;
    const reasons = match?.matchedBy.map((reason) => codeSpan(reason.replace(/^path:.* ~ /, ''))) ?? [];
    return `- ${escapeWithin(id)}: ${reasons.length > 0 ? `matched by ${reasons.join(', ')}` : 'is about the whole repository'}`;
  });
  const left = leftOut(first, rehearsal);
  const occasion = [...new Set(alike.map(({ action }) => actionNames[action]))].join(', ');
  const holds = alike.filter(({ printed }) => contextIn(printed)?.denies);
  return [
    `## When an agent ${occasion}`,
    '',
    `${ids.length} of ${ids.length + (first.receipt?.omitted ?? 0)} learnings, ${bytesOf(text)} bytes, about ${tokensOf(text)} tokens. This is what the model reads:`,
    '',
    ...fence(text, 'text'),
    '',
    ...why,
    '',
    ...(left.length > 0
      ? ['Left out:', '', ...left.map((one) => `- ${escapeWithin(one.name)}: ${one.why}`), '']
      : []),
    ...(holds.length > 0
      ? [
          `Held once (inject.verify, ${rehearsal.sources['inject.verify']}): ${holds.map(callName).join('; ')}.`,
          '',
        ]
      : []),
    '| Agent | Event | Tool | Bytes printed | Milliseconds |',
    '|---|---|---|--:|--:|',
    ...alike.map(
      ({ agent, event, tool, printed, ms }) =>
        `| ${agentTitle(agent)} | ${event} | ${tool === undefined ? '' : codeSpan(tool)} | ${bytesOf(printed)} | ${Math.round(ms)} |`,
    ),
    '',
    `As the hook printed it to ${agentTitle(first.agent)}:`,
    '',
    ...fence(first.printed, 'json'),
    '',
  ];
}
