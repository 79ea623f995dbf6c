import { LearningsError } from '../core/api';
import type { OpenStore } from './open';

interface Remembered {
  readonly words: string;
  readonly scope: { readonly paths: readonly string[]; readonly tags: readonly string[] };
  readonly session: string | undefined;
}

/** Keeps somebody's words as a candidate. Says what became of it. */
export async function remember(
  store: OpenStore,
  { words, scope, session }: Remembered,
): Promise<{ readonly id: string } | { readonly refused: string }> {
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
