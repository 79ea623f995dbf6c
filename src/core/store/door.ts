import { LearningsError } from '../errors';
import type { Secrets } from '../ports';
import { findHostile } from '../yaml/hostileText';

/**
 * What comes in is looked at whole, every text at any depth: a secret would be in git for good, and a character that
 * nobody sees would tell a model something else than a reviewer. Nothing is taken out; the writer is told.
 */
export async function checkAtDoor(secrets: Secrets, value: unknown): Promise<void> {
  for (const [name, text] of texts(value, [])) {
    const hostile = findHostile(text);
    if (hostile) {
      throw new LearningsError(
        'refused',
        `${name} holds the invisible or control character ${hostile.codePoint}. Remove it and try again.`,
      );
    }
    const [secret] = await secrets.find(text);
    if (secret) {
      throw new LearningsError(
        'refused',
        `${name} holds what looks like ${secret.what}, at character ${secret.offset + 1}. Learnings are committed to git: take it out and try again.`,
      );
    }
  }
}

function* texts(value: unknown, path: readonly string[]): Generator<[name: string, text: string]> {
  if (typeof value === 'string') yield [path.filter((key) => !/^\d+$/.test(key)).join('.') || 'text', value];
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* texts(inner, [...path, key]);
}
