import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import { recordJsonSchema } from '../../src/core/record/schema';

describe('media/learning.schema.json', () => {
  it('is what the schema in the code says (LEARNINGS_WRITE=1 writes it)', () => {
    const file = join(checkout, 'media', 'learning.schema.json');
    const text = `${JSON.stringify(recordJsonSchema(), null, 2)}\n`;
    if (process.env['LEARNINGS_WRITE'] === '1') writeFileSync(file, text);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(text));
  });
});
