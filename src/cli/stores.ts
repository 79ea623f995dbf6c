import { LearningsError } from '../core/api';
import { openPersonalStore, openStoreFrom, type OpenStore } from '../node/open';
import type { Invocation, Option } from './command';

export const personalOptions: Readonly<Record<string, Option>> = {
  personal: {
    type: 'boolean',
    help: 'work on your own learnings in ~/.learnings, which every repository sees',
  },
  yes: { type: 'boolean', help: 'do not ask before writing there' },
};

/** The store that a command is to change. One's own is never written without a person's word for it. */
export async function storeToWrite(invocation: Invocation): Promise<OpenStore> {
  if (!invocation.flag('personal')) return openStoreFrom(invocation.cwd);
  const store = openPersonalStore();
  const question = `This changes your own learnings in ${store.root}, which every repository sees. Go on?`;
  if (invocation.flag('yes') || (await invocation.confirm(question))) return store;
  throw new LearningsError(
    'refused',
    'Your own learnings are written only when a person says so: confirm, or give --yes.',
  );
}

/** The store that a command only looks at. */
export function storeToRead(invocation: Invocation): OpenStore {
  return invocation.flag('personal') ? openPersonalStore() : openStoreFrom(invocation.cwd);
}
