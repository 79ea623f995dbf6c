import { parseGlob, splitOutside } from './glob';

/** A pattern as far as it names folders one by one from the root on. */
export interface Leading {
  /** Of its names, as they are written. */
  readonly texts: readonly string[];
  /** The first of them, as far as they mean one thing alone. */
  readonly names: readonly string[];
}

export function leadingOf(pattern: string): Leading {
  const whole = pattern.normalize('NFC');
  const plain = whole.replace(/^(?:\.\/)+/, '').replace(/^\/+/, '');
  // Without a slash it is looked for in every folder.
  if (plain === whole && !plain.includes('/')) return { texts: [plain], names: [] };
  const texts = splitOutside(plain, '/');
  const names: string[] = [];
  for (const text of texts) {
    const name = text === '' ? undefined : literalName(text);
    if (name === undefined) break;
    names.push(name);
  }
  return { texts, names };
}

/** The folder that everything a pattern matches is in; empty if it is the root. */
export function leadingFolder(pattern: string): string {
  const { names, texts } = leadingOf(pattern);
  return (names.length === texts.length ? names.slice(0, -1) : names).join('/');
}

/** The one name that the text of a name stands for; undefined if there are several. */
export function literalName(text: string): string | undefined {
  const glob = parseGlob(`/${text}`);
  if ('refused' in glob) return undefined;
  const [reading, ...others] = glob.readings;
  const [segment, ...more] = reading ?? [];
  if (others.length + more.length > 0 || segment === undefined || segment === '**') return undefined;
  return 'literal' in segment ? segment.literal : undefined;
}
