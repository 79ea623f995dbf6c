import type { Git } from '../ports';

/** Who votes, and for which work, as far as somebody says so or git knows. */
export async function voteFrom(
  git: Pick<Git, 'userName' | 'branch'>,
  given: { readonly voter?: string | undefined; readonly task?: string | undefined } = {},
): Promise<{ readonly voter: string | undefined; readonly task: string | undefined }> {
  return {
    voter: given.voter ?? (await git.userName()),
    task: given.task ?? (await git.branch()),
  };
}
