import { dice } from '../torture/random';

/** What a summary could hold if somebody meant ill, or pasted without looking. */
const pieces: readonly string[] = [
  '**bold** _it_ ~~gone~~ `code`',
  '[click](command:workbench.action.terminal.new)',
  '[click](command:learnings.archive?%5B%5D)',
  '![x](https://evil.example/x.png)',
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<a href="command:x">y</a>',
  '</details></td></table>',
  '<https://evil.example>',
  'https://evil.example/a?b=c&d=e',
  'www.evil.example',
  '$(lightbulb) $(sync~spin) \\$(x)',
  '{0} {1} %s ${HOME}',
  '# heading',
  '- item\n- item',
  '1. one',
  '> quote',
  '| a | b |\n|---|---|\n| c | d |',
  '```js\nalert(1)\n```',
  '---\n***',
  '\u202eesrever\u202c \u2066x\u2069 \u200f\u200e',
  '\u200b\ufeff\u00ad\u2060',
  '\u0007\u001b[31mred\u001b[0m\u0000\u009b',
  '\u{e0041}\u{e0042}',
  '👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '&lt;b&gt; &#58; &amp;amp;',
  '[a][b]\n\n[b]: command:x',
  '\\](command:x) \\[ \\`',
  'learnings://L-0001 file:///etc/passwd vscode://x javascript:alert(1)',
  'a'.repeat(300),
  'word '.repeat(60),
  '\t\r\n\u2028\u2029',
];

/** Different ones, the same for the same seed; some are 10,000 characters long. */
export function hostileSummaries({ seed, count }: { seed: number; count: number }): string[] {
  const chance = dice(seed);
  return Array.from({ length: count }, (_, index) => {
    const parts = Array.from({ length: 1 + chance.roll(5) }, () => chance.pick(pieces) ?? '');
    const text = `${index} ${parts.join(chance.pick(['', ' ', '\n', '](']) ?? '')}`;
    return chance.roll(12) === 0 ? text.repeat(Math.ceil(10_000 / text.length)).slice(0, 10_000) : text;
  });
}
