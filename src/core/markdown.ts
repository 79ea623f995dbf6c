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

/** A text as code, or as plain text where code could not hold it. */
export function codeSpan(text: string): string {
  const plain = oneLine(text, 300);
  return /[`|]/.test(plain) || plain === '' ? escapeMarkdown(plain) : `\`${plain}\``;
}
