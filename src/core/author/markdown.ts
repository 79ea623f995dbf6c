import type { Evidence, WholeRecord } from '../record/schema';
import { ticksFor } from '../markdown';
import { oneLine, withoutHostile } from '../yaml/hostileText';

/**
 * A learning as Markdown, for a person to paste into a pull request or a chat. Its own text is Markdown as its author
 * wrote it, but for characters that show something else than they are.
 */
export function renderMarkdown(record: WholeRecord, votes: number): string {
  const { id, summary, rationale, body, scope, evidence, createdBy, createdAt } = record;
  const about = [
    ...scope.paths.map(codeSpan),
    ...scope.tags.map((tag) => `#${oneLine(tag)}`),
    ...scope.symbols.map(codeSpan),
  ];
  const origin = [
    record.kind,
    votes === 1 ? '1 vote' : `${votes} votes`,
    ...(createdBy ? [oneLine(createdBy)] : []),
    ...(createdAt ? [createdAt.slice(0, 10)] : []),
  ];
  const facts = [
    `About: ${about.join(', ')}`,
    ...(evidence.length > 0 ? [`Evidence: ${evidence.map(renderEvidence).join(', ')}`] : []),
    `${id}: ${origin.join(', ')}`,
  ];
  const parts = [
    `**${oneLine(summary)}**`,
    ...(rationale ? [oneLine(rationale)] : []),
    ...(body ? [withoutHostile(body).trim()] : []),
    facts.map((fact) => `- ${fact}`).join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function renderEvidence({ kind, ref, quote }: Evidence): string {
  const said = quote ? ` “${oneLine(quote)}”` : '';
  return kind === 'url' ? `<${oneLine(ref)}>${said}` : `${kind} ${codeSpan(ref)}${said}`;
}

/** Within more backticks than the text has in a row. */
function codeSpan(text: string): string {
  const plain = oneLine(text);
  const ticks = ticksFor(plain, 1);
  return /^`|`$/.test(plain) ? `${ticks} ${plain} ${ticks}` : `${ticks}${plain}${ticks}`;
}

/** Code of a file as a block of Markdown that says where it stands. */
export function renderExcerpt(code: string, options: { ref: string; language: string }): string {
  const plain = withoutHostile(code.replaceAll('\r\n', '\n')).replace(/\n+$/, '');
  const shown =
    plain.length > MAX_EXCERPT ? `${plain.slice(0, MAX_EXCERPT).replace(/\n?[^\n]*$/, '')}\n…` : plain;
  const fence = ticksFor(shown, 3);
  const language = /^[\w+#.-]+$/.test(options.language) ? options.language : '';
  return `From ${codeSpan(options.ref)}:\n\n${fence}${language}\n${shown}\n${fence}\n`;
}

/** A learning is about what the code taught, not the place to keep it. */
const MAX_EXCERPT = 4000;
