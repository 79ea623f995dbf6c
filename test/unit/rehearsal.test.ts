import assert from 'node:assert/strict';

import { agents, hookCalls } from '../../src/core/api';
import { canHear, readEvent } from '../../src/hook/event';
import { touchedBy } from '../../src/hook/touched';

describe('the calls of the harnesses', () => {
  const calls = hookCalls({
    file: '/repo/src/a.ts',
    path: 'src/a.ts',
    cwd: '/repo',
    session: (index) => `s${index}`,
    now: new Date('2026-05-09T18:00:00Z'),
  });

  it('are read by the hook as what they are', () => {
    for (const { agent, event, payload, args, env = {}, tool } of calls) {
      const read = readEvent(JSON.parse(JSON.stringify(payload)), { event: args[0], environment: env });
      assert.deepEqual([read?.agent, read?.name, read?.tool], [agent, event, tool ?? '']);
      assert.equal(read?.cwd, '/repo');
    }
  });

  it('touch the file, to read it or to write it', () => {
    for (const { agent, event, payload, args, env = {}, action, tool } of calls) {
      if (tool === undefined) continue;
      const read = readEvent(payload, { event: args[0], environment: env }) ?? assert.fail();
      const { occasion, paths } = touchedBy(read);
      assert.deepEqual([occasion, paths], [action === 'read' ? 'read' : 'write', ['/repo/src/a.ts']], tool);
      assert.ok(canHear({ agent, name: event }), `${agent} ${event}`);
    }
  });

  it('are each in a session of its own, of every agent', () => {
    const sessions = calls.map(({ payload }) => payload['session_id'] ?? payload['sessionId']);
    assert.equal(new Set(sessions).size, calls.length);
    assert.deepEqual([...new Set(calls.map(({ agent }) => agent))], [...agents]);
  });
});
