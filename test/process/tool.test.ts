import assert from 'node:assert/strict';

import { tools } from '../../src/core/api';
import { repository, scope } from './repository';

describe('learnings tool', () => {
  it('lists every tool, and calls one with JSON from the line or from standard input', () => {
    const { cli, json } = repository();
    json('add', '--summary', 'Compare outputs first.', ...scope);
    const listed = json('tool')['tools'] as { name: string }[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
    assert.match(
      cli(['tool', 'find_learnings', '{"paths":["lib/a.ts"]}']).stdout,
      /^{"results":\[{"id":"L-0001"/,
    );
    assert.match(
      cli(['tool', 'show_learning', '-'], { input: '{"id":"L-0001"}' }).stdout,
      /"status":"active"/,
    );
  });

  it('gives a session each learning once', () => {
    const { cli, json } = repository();
    json('add', '--summary', 'Compare outputs first.', ...scope);
    const find = (): string =>
      cli(['tool', 'find_learnings', '{"tags":["perf"]}', '--session', 's1', '--agent', 'codex']).stdout;
    assert.match(find(), /"id":"L-0001"/);
    assert.match(find(), /^{"results":\[\],"omitted":0,"already_given":\["L-0001"\]}/);
  });

  it('says what is wrong with a call and what to do', () => {
    const { cli } = repository();
    const nonsense = cli(['tool', 'find_learnings', '{"paths":']);
    assert.deepEqual(
      [nonsense.status, nonsense.stderr.startsWith('learnings: The input is not JSON')],
      [1, true],
    );
    assert.match(cli(['tool', 'find_learnings']).stderr, /Pass at least one path/);
    assert.match(
      cli(['tool', 'show_learning', '{"id":"L-9999"}']).stderr,
      /No learning L-9999\. Call find_learnings/,
    );
    assert.equal(cli(['tool', 'dance']).status, 2);
  });
});
