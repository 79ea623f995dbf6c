import { oneLine } from './yaml/hostileText';

/** A text as one line of Markdown that shows what it says and does nothing: no links, pictures, HTML or emphasis. */
export function escapeMarkdown(text: string, maxChars = 2000): string {
  return (
    oneLine(text, maxChars)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll(/[\\`*_{}[\]()#+\-.!~|$@]/g, '\\$&')
      // What looks like an address would become a link.
      .replaceAll(/:(?=\/\/|\S)/g, '&#58;')
  );
}

/**
 * The same within a line: where none of it stands at the beginning, the marks that matter only there, and within words
 * none at all, stay as they are written.
 */
export const escapeWithin = (text: string, maxChars?: number): string =>
  escapeMarkdown(text, maxChars)
    .replaceAll(/(?<=\w)\\([-_])(?=\w)/g, '$1')
    .replaceAll(/(?<=\w)\\\.(?=\s|$)/g, '.');

/** A text as code, or as plain text where code could not hold it. */
export function codeSpan(text: string): string {
  const plain = oneLine(text, 300);
  return /[`|]/.test(plain) || plain === '' ? escapeMarkdown(plain) : `\`${plain}\``;
}

/** A text as a block of code, exactly as it is: within more backticks than it has in a row. */
export function fence(text: string, language: string): string[] {
  const ticks = ticksFor(text, 3);
  return [`${ticks}${language}`, ...text.split('\n'), ticks];
}

export function ticksFor(text: string, atLeast: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(Math.max(atLeast, longest + 1));
}
