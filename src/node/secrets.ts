import type { Secrets } from '../core/api';

/** Short words cannot be secrets; most of what is written is known to be clean without loading any rules. */
const SHORTEST = 8;

/** Looks for secrets, and loads the rules when there is first something to look at. */
export function nodeSecrets(): Secrets {
  return {
    find: async (text) => (text.length < SHORTEST ? [] : (await import('./secretRules')).findSecrets(text)),
  };
}
