import assert from 'node:assert/strict';

import { canHear, readEvent, type HookEvent } from '../../src/hook/event';
import { touchedBy } from '../../src/hook/touched';

const read = (payload: unknown, hints: Parameters<typeof readEvent>[1] = {}): HookEvent =>
  readEvent(payload, hints) ?? assert.fail('no event');

describe('a payload', () => {
  it('of Claude Code says what happened', () => {
    const event = read({
      session_id: 's',
      transcript_path: '/t.jsonl',
      cwd: '/repo',
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: '/repo/a.ts' },
      tool_use_id: 'toolu_1',
    });
    assert.deepEqual(
      [event.agent, event.name, event.session, event.cwd, event.tool],
      ['claude-code', 'PreToolUse', 's', '/repo', 'Edit'],
    );
    assert.ok(canHear(event));
  });

  it('of VS Code has a time, and may be spelled as its documentation does', () => {
    const event = read({
      timestamp: '2026-05-09T18:00:00Z',
      sessionId: 's',
      hookEventName: 'SessionStart',
      source: 'new',
    });
    assert.deepEqual(
      [event.agent, event.name, event.session, event.source],
      ['copilot-chat', 'SessionStart', 's', 'new'],
    );
  });

  it('of the Agent Host names no event, and its prompts and starts cannot be answered', () => {
    const payload = {
      timestamp: 1,
      cwd: '/repo',
      sessionId: 's',
      toolName: 'edit',
      toolArgs: '{"path":"a.ts"}',
    };
    const event = read(payload, { event: 'PreToolUse' });
    assert.deepEqual([event.agent, event.tool, event.input], ['agent-host', 'edit', { path: 'a.ts' }]);
    assert.ok(canHear(event));
    assert.equal(canHear(read({ timestamp: 1, prompt: 'x' }, { event: 'UserPromptSubmit' })), false);
    assert.equal(canHear(read({ timestamp: 1 }, { event: 'SessionStart' })), false);
  });

  it('of the Copilot CLI is known by a hint or by the environment, and answered', () => {
    const hints = { event: 'PreToolUse', harness: 'copilot' };
    assert.ok(canHear(read({ sessionId: 's', toolName: 'view', toolArgs: {} }, hints)));
    assert.ok(canHear(read({ hook_event_name: 'PostToolUse', session_id: 's' }, hints)));
    assert.equal(read({}, { event: 'userPromptSubmitted', harness: 'copilot' }).name, 'UserPromptSubmit');
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', timestamp: '2026-05-09T18:00:00Z' };
    assert.equal(read(payload).agent, 'copilot-chat');
    const environment = { COPILOT_CLI: '1' };
    assert.equal(read(payload, { environment }).agent, 'copilot-cli');
    assert.equal(
      read({ hook_event_name: 'PreToolUse', session_id: 's' }, { environment }).agent,
      'claude-code',
    );
  });

  it('of an agent within an agent has a session of its own', () => {
    const event = read({ hook_event_name: 'PreToolUse', session_id: 's', agent_id: 'a1' });
    assert.equal(event.session, 's.a1');
  });

  it('of another event, or none, is not ours', () => {
    for (const payload of [{ hook_event_name: 'Stop' }, {}, null, 7, [], { hook_event_name: 'constructor' }])
      assert.equal(readEvent(payload, {}), undefined);
  });
});

describe('a tool call', () => {
  const touch = (tool: string, input: Record<string, unknown>, cwd = '/repo'): unknown[] => {
    const { occasion, paths } = touchedBy({ tool, input, cwd });
    return [occasion, ...paths];
  };

  it('touches the files that it names, however it names them', () => {
    assert.deepEqual(touch('Read', { file_path: '/repo/a.ts' }), ['read', '/repo/a.ts']);
    assert.deepEqual(touch('read_file', { filePath: 'C:\\r\\a.ts', startLine: 1 }), ['read', 'C:\\r\\a.ts']);
    assert.deepEqual(touch('create_file', { filePath: '/repo/a.ts', content: 'src/b.ts' }), [
      'write',
      '/repo/a.ts',
    ]);
    assert.deepEqual(touch('NotebookEdit', { notebook_path: '/repo/a.ipynb' }), ['write', '/repo/a.ipynb']);
    assert.deepEqual(touch('mcp__files__read_text_file', { path: 'a.ts' }), ['read', 'a.ts']);
    assert.deepEqual(touch('view', { path: 'a.ts' }), ['read', 'a.ts']);
    assert.deepEqual(touch('rename_file', { old_path: 'a.ts', new_path: 'b.ts' }), ['write', 'a.ts', 'b.ts']);
  });

  it('touches every file of a list of edits, each once', () => {
    const replacements = [{ filePath: 'a.ts' }, { filePath: 'b.ts' }, { filePath: 'a.ts' }];
    assert.deepEqual(touch('multi_replace_string_in_file', { replacements }), ['write', 'a.ts', 'b.ts']);
    assert.deepEqual(touch('MultiEdit', { file_path: 'a.ts', edits: [{ old_string: 'x' }] }), [
      'write',
      'a.ts',
    ]);
    assert.deepEqual(touch('read_many_files', { paths: ['a.ts', 'b.ts'] }), ['read', 'a.ts', 'b.ts']);
  });

  it('touches the files inside a patch', () => {
    const input =
      '*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+y\n*** Add File: src/c.ts\n+z\n*** Delete File: d.ts\n*** End Patch';
    assert.deepEqual(touch('apply_patch', { input }), ['write', 'src/a.ts', 'src/b.ts', 'src/c.ts', 'd.ts']);
    assert.deepEqual(touch('shell', { command: ['apply_patch', input] }), [
      'write',
      'src/a.ts',
      'src/b.ts',
      'src/c.ts',
      'd.ts',
    ]);
    const diff = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ b/new.ts\n';
    assert.deepEqual(touch('apply', { diff }), ['write', 'src/a.ts', 'new.ts']);
  });

  it('of a search touches nothing', () => {
    for (const tool of [
      'Grep',
      'Glob',
      'LS',
      'list_dir',
      'grep_search',
      'file_search',
      'WebFetch',
      'TodoWrite',
    ])
      assert.deepEqual(touch(tool, { path: 'src', pattern: 'x', url: 'https://a.b/c.ts' }), ['read'], tool);
  });

  it('of a shell touches the files that are there and those that it makes', () => {
    const cwd = process.cwd();
    const at = (path: string): string => `${cwd}/${path}`;
    assert.deepEqual(touch('Bash', { command: 'cat package.json | head -3' }, cwd), [
      'read',
      at('package.json'),
    ]);
    assert.deepEqual(touch('Bash', { command: 'cd src && cat "core/api.ts" missing.ts' }, cwd), [
      'read',
      at('src/core/api.ts'),
    ]);
    assert.deepEqual(touch('run_in_terminal', { command: 'echo x > src/new.ts 2>/dev/null' }, cwd), [
      'write',
      at('src/new.ts'),
      '/dev/null',
    ]);
    assert.deepEqual(touch('Bash', { command: "sed -i 's/a/b/' ./package.json" }, cwd).slice(0, 1), [
      'write',
    ]);
    assert.deepEqual(touch('Bash', { command: 'npm test && curl https://a.b/c.ts' }, cwd), ['read']);
  });

  it('of nonsense touches nothing and takes no time', () => {
    const deep: Record<string, unknown> = {};
    deep['files'] = [deep, deep];
    const odd = [
      {},
      { path: 7 },
      { files: 'x' },
      { edits: [null, 7, [], deep] },
      { command: '"'.repeat(100_000) },
    ];
    for (const input of odd) for (const tool of ['x', 'Bash', 'apply_patch']) touch(tool, input);
    assert.equal(touchedBy({ tool: 'x', input: { path: 'p'.repeat(5000) }, cwd: '/' }).paths.length, 0);
  });
});
