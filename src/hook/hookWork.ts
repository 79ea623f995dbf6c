/**
 * What a hook seldom needs and what takes long to load: reading records, hashing what they depend on, writing one.
 * It is a file of its own beside the hook, which loads it only then.
 */
import type { SavedFiles } from '../core/api';
import { openStoreAt } from '../node/open';
import { remember as rememberIn } from '../node/remember';
import { rebuildSnapshot } from '../node/snapshot';

export const rebuild = (root: string): Promise<SavedFiles> => rebuildSnapshot(root);

export { isOutdated } from '../node/toolStore';

export const remember = (
  root: string,
  what: Parameters<typeof rememberIn>[1],
): ReturnType<typeof rememberIn> => rememberIn(openStoreAt(root), what);
