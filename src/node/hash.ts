import { createHash } from 'node:crypto';

import type { Hash } from '../core/api';

export const nodeHash: Hash = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest('hex'),
  quick: (bytes) => createHash('sha1').update(bytes).digest('hex'),
};
