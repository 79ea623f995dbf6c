import { join } from 'node:path';

import { fuzz } from '../torture/fuzz';
import { kills, lockTakeovers, mixedOperations } from '../torture/store';
import { productFolder } from './product';

/** A short run of what `npm run torture` does at length. */
describe('the store, tortured', () => {
  const worker = (name = 'worker'): string => join(productFolder(), 'out', 'test', 'torture', `${name}.js`);

  it('keeps every promise to several processes that work on it at once', () =>
    mixedOperations(worker(), { seed: 7, processes: 4, operations: 40 }));

  it('keeps every promise to processes that are killed, and heals', async () => {
    await kills(worker(), { seed: 7, kills: 20 });
  });

  it('lets one process at a time hold the lock, though holders die in it', async () => {
    await lockTakeovers(worker('lockWorker'), { seed: 7, takeovers: 100, processes: 4 });
  });

  it('reads spoilt records and vote files quickly, and refuses them with a place and advice', () => {
    fuzz('records', { seed: 7, count: 2000 });
    fuzz('votes', { seed: 7, count: 2000 });
  });
});
