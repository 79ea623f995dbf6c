import assert from 'node:assert/strict';

import { openSession, type Session } from '../../src/core/api';
import { memoryJournal } from './memoryJournal';

let nonces = 0;
const open = (journal = memoryJournal(), options: { now?: () => number; maxAgeMs?: number } = {}): Session =>
  openSession({ journal, nonce: () => String(nonces++), now: Date.now, ...options });

describe('the session of an agent', () => {
  it('lets each name be taken once, whichever process asks', () => {
    const journal = memoryJournal();
    const [one, other] = [open(journal), open(journal)];
    assert.deepEqual(one.claim(['L-0001', 'L-0002'], 20), ['L-0001', 'L-0002']);
    assert.deepEqual(other.claim(['L-0002', 'L-0003'], 20), ['L-0003']);
    assert.deepEqual([...one.given()], ['L-0001', 'L-0002', 'L-0003']);
  });

  it('gives a name to whose line is first, when two ask at the same moment', () => {
    // Both have looked before either wrote: the second line stands behind the first.
    const journal = memoryJournal();
    const late = memoryJournal();
    const second = open({
      read: () => (late.text === '' ? '' : journal.text),
      append: (line) => late.append(line) && journal.append(line),
    } as typeof journal);
    assert.deepEqual(open(journal).claim(['L-0001'], 20), ['L-0001']);
    assert.deepEqual(second.claim(['L-0001', 'L-0002'], 20), ['L-0002']);
  });

  it('never gives more than the cap, and what is asked for by name beyond it', () => {
    const session = open();
    const names = Array.from({ length: 30 }, (_, index) => `L-${1000 + index}`);
    assert.equal(session.claim(names, 20).length, 20);
    assert.deepEqual(session.claim(['L-2000'], 20), []);
    assert.deepEqual(session.claim(['L-2000'], Infinity), ['L-2000']);
  });

  it('may give everything again once the agent has forgotten', () => {
    const session = open();
    session.claim(['L-0001'], 20);
    session.forget();
    assert.deepEqual([...session.given()], []);
    assert.deepEqual(session.claim(['L-0001'], 20), ['L-0001']);
  });

  it('does a thing once', () => {
    const journal = memoryJournal();
    assert.equal(open(journal).claimOnce('remember a'), true);
    assert.equal(open(journal).claimOnce('remember a'), false);
    assert.equal(open(journal).claimOnce('remember b'), true);
  });

  it('passes over lines that a full disk or somebody else left', () => {
    const journal = memoryJournal();
    journal.text =
      '{"at":1,"by":"x","give":["L-0001"]}\n{"at":2,"by\nnonsense\n{"at":3,"by":"y","give":7}\n[]\n';
    assert.deepEqual([...open(journal).given()], ['L-0001']);
  });

  it('gives rather than keeps silent where nothing can be written', () => {
    const session = open(memoryJournal({ readOnly: true }));
    assert.deepEqual(session.claim(['L-0001'], 20), ['L-0001']);
    assert.equal(session.claimOnce('a'), true);
  });

  it('ends after a pause where the agent does not say which session it is', () => {
    const journal = memoryJournal();
    let now = 1_000_000;
    const session = open(journal, { now: () => now, maxAgeMs: 1000 });
    session.claim(['L-0001'], 20);
    assert.deepEqual(session.claim(['L-0001'], 20), []);
    now += 2000;
    assert.deepEqual(session.claim(['L-0001'], 20), ['L-0001']);
  });
});
