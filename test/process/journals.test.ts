import assert from 'node:assert/strict';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { agentSession } from '../../src/node/agentSession';
import { cacheOf, makeCache, receiptsJournal, tidyJournals } from '../../src/node/journal';
import { temporaryFolder } from './product';

describe('what sessions leave', () => {
  it('is kept as long as somebody may come back, and no longer', () => {
    const root = temporaryFolder();
    for (const id of ['young', 'old']) agentSession(root, id).claim(['L-0001'], 20);
    const file = (id: string): string => join(cacheOf(root), 'sessions', `${id}.jsonl`);
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    utimesSync(file('young'), daysAgo(6), daysAgo(6));
    utimesSync(file('old'), daysAgo(8), daysAgo(8));
    tidyJournals(root);
    assert.deepEqual([existsSync(file('young')), existsSync(file('old'))], [true, false]);
  });

  it('has a file of its own for every session, whatever its name', () => {
    const root = temporaryFolder();
    for (const id of ['../../escape', 'a/b', 'a\\b', '', 'x'.repeat(500), 'CON'])
      assert.deepEqual(agentSession(root, id).claim(['L-0001'], 20), ['L-0001'], id);
    assert.equal(existsSync(join(root, '.learnings', 'escape.jsonl')), false);
  });

  it('is nothing that git sees', () => {
    const root = temporaryFolder();
    makeCache(root);
    assert.equal(readFileSync(join(cacheOf(root), '.gitignore'), 'utf8'), '*\n');
  });

  it('keeps receipts from growing without end, and the latest of them', () => {
    const root = temporaryFolder();
    makeCache(root);
    const file = join(cacheOf(root), 'receipts.jsonl');
    writeFileSync(file, `${'x'.repeat(9 * 1024 * 1024)}\n`);
    tidyJournals(root);
    const journal = receiptsJournal(root);
    journal.append('{"new":1}');
    assert.ok(journal.read().endsWith('x\n{"new":1}\n'));
    assert.ok(readFileSync(file).length < 100);
  });
});
