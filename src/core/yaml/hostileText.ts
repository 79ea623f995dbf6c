/**
 * Characters that show a person something else than a model or a program reads: controls, ANSI escapes, bidirectional
 * overrides, zero-width and tag characters. Tab, newline and the joiners that emoji and Indic scripts need are fine.
 */
const hostile =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/u;
const everyHostile = new RegExp(hostile, 'gu');

/** The first such character, as an offset and its code point; undefined in clean text. */
export function findHostile(text: string): { offset: number; codePoint: string } | undefined {
  const match = hostile.exec(text);
  if (!match) return undefined;
  const code = match[0].codePointAt(0) ?? 0;
  return { offset: match.index, codePoint: `U+${code.toString(16).toUpperCase().padStart(4, '0')}` };
}

/** A text as one line that can be shown anywhere: without such characters, and cut where it is too long. */
export function oneLine(text: string, maxChars = Infinity): string {
  const plain = withoutHostile(text).replaceAll(/\s+/g, ' ').trim();
  if (plain.length <= maxChars) return plain;
  // Not between the two halves of a character.
  return `${plain.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function withoutHostile(text: string): string {
  return text.replaceAll(everyHostile, '');
}
