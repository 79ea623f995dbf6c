/**
 * What a hook seldom needs and what takes long to load: reading records, hashing what they depend on, writing one.
 * It is a file of its own beside the hook, which loads it only then.
 */
import { LearningsError, type SavedFiles } from '../core/api';
import { openStoreAt } from '../node/open';
import { rebuildSnapshot } from '../node/snapshot';

export const rebuild = (root: string): Promise<SavedFiles> => rebuildSnapshot(root);

export { isOutdated } from '../node/agentSession';

interface Remembered {
  readonly words: string;
  readonly scope: { readonly paths: readonly string[]; readonly tags: readonly string[] };
  readonly session: string | undefined;
}

/** Keeps somebody's words as a candidate. Says what became of it. */
export async function remember(
  root: string,
  { words, scope, session }: Remembered,
): Promise<{ readonly id: string } | { readonly refused: string }> {
  const store = openStoreAt(root);
  try {
    const createdBy = await store.ports.git.userName();
    const id = await store.propose({
      summary: words.replaceAll(/\s+/g, ' ').slice(0, 2000),
      scope: scope.paths.length + scope.tags.length > 0 ? scope : { paths: ['**'] },
      confidence: 'high',
      evidence: [
        {
          kind: 'quote',
          ref: session === undefined ? 'chat' : `session ${session.slice(0, 8)}`,
          quote: words,
        },
      ],
      ...(createdBy !== undefined && { createdBy }),
    });
    return { id };
  } catch (error) {
    if (error instanceof LearningsError) return { refused: error.message };
    throw error;
  }
}
