import { codeSpan, escapeWithin } from '../markdown';
import type { Origin } from '../learnings';
import type { Evidence, LearningRecord } from '../record/schema';
import { agentTitle } from './harness';
import type { Receipt } from './receipts';

/** A learning that was given, with what is known of it now; undefined if it is no longer there. */
export interface Used {
  readonly name: string;
  readonly held: { readonly record: LearningRecord; readonly origin: Origin } | undefined;
}

/** A description of a pull request is read by people, and holds 65,536 characters. */
const MAX_LEARNINGS = 40;
const MAX_TEXT = 400;
const MAX_LISTED = 8;

/** The names of what was given, in the order in which it first was. */
export const namesIn = (receipts: readonly Receipt[]): string[] => [
  ...new Set(receipts.flatMap(({ ids }) => ids)),
];

/**
 * What an agent was given while it made a change, for the description of a pull request: whoever reviews it sees what
 * it went by, and where that comes from. No text of a record can leave its place, link anywhere or call anybody.
 */
export function renderFooter(used: readonly Used[], agents: readonly string[]): string {
  const who = agents.length > 0 ? agents.map((agent) => safe(agentTitle(agent))).join(', ') : 'the agent';
  const rows = used.slice(0, MAX_LEARNINGS).flatMap(rowsOf);
  const more = used.length - MAX_LEARNINGS;
  return [
    '<details>',
    `<summary>🧠 Learnings used (${used.length})</summary>`,
    '',
    `Recorded by this repository's team in \`.learnings\`, and given to ${who} while it made this change.`,
    '',
    ...rows,
    ...(more > 0 ? [`- and ${more} more`] : []),
    '',
    '</details>',
    '',
  ].join('\n');
}

function rowsOf({ name, held }: Used): string[] {
  if (!held) return [`- **${safe(name)}** is no longer recorded.`];
  const { record, origin } = held;
  const { rationale, scope, evidence, createdAt, createdBy, status, supersededBy } = record;
  const about = [
    ...scope.paths.map(codeSpan),
    ...scope.tags.map((tag) => `tag ${codeSpan(tag)}`),
    ...scope.symbols.map((symbol) => `symbol ${codeSpan(symbol)}`),
  ];
  const day = createdAt?.slice(0, 10);
  const recorded = [
    ...(day === undefined ? [] : [safe(day)]),
    ...(createdBy === undefined ? [] : [`by ${safe(createdBy)}`]),
    ...(origin.kind === 'repository' ? [] : [`in ${safe(origin.name)}`]),
  ];
  const facts: readonly (readonly [string, string])[] = [
    ['Why', rationale === undefined ? '' : safe(rationale)],
    ['About', cut(about)],
    ['Source', cut(evidence.map(sourceOf))],
    ['Recorded', recorded.join(' ')],
    ['Since then', status === 'superseded' ? `superseded by ${safe(supersededBy ?? 'another')}` : ''],
  ];
  return [
    `- **${safe(name)}** ${safe(record.summary)}`,
    ...facts.filter(([, text]) => text !== '').map(([label, text]) => `  - ${label}: ${text}`),
  ];
}

/** Numbers of pull requests and issues stay what they are, so that they lead there. */
function sourceOf({ kind, ref, author }: Evidence): string {
  const shown = /^#\d{1,9}$/.test(ref) ? ref : codeSpan(ref);
  return `${kind} ${shown}${author === undefined ? '' : ` by ${safe(author)}`}`;
}

function cut(list: readonly string[]): string {
  const more = list.length - MAX_LISTED;
  return [...list.slice(0, MAX_LISTED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Names and numbers are looked for after Markdown is done, so a backslash does not keep them from being called. */
const safe = (text: string): string => escapeWithin(text, MAX_TEXT).replaceAll(/\\([@#])/g, '$1<!-- -->');
