import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import manifest from '../../package.json';
import { checkout } from '../../scripts/product';
import {
  agentFileOf,
  agentNames,
  lineDiff,
  planAgents,
  programNames,
  stateOf,
  type AgentName,
  type Programs,
} from '../../src/core/api';
import { noteNode } from '../../src/vscode/agents/nodePath';
import { claudeHooks, copilotHooks } from '../../src/core/agents/hookEntries';
import { eventNames } from '../../src/core/deliver/harness';

const programs: Programs = {
  texts: new Map(programNames.map((name) => [name, `// ${name}\n`])),
  version: '1.2.0',
};
type Files = Record<string, string>;

function plan(files: Files, { add = [], remove = [] }: { add?: AgentName[]; remove?: AgentName[] }) {
  return planAgents({ add, remove, files: new Map(Object.entries(files)), programs });
}

function apply(files: Files, request: { add?: AgentName[]; remove?: AgentName[] }): Files {
  const { changes, refused } = plan(files, request);
  assert.deepEqual(refused, []);
  const result = new Map(Object.entries(files));
  for (const { path, before, after } of changes) {
    assert.equal(result.get(path), before);
    if (after === undefined) result.delete(path);
    else result.set(path, after);
  }
  return Object.fromEntries(result);
}

const all = [...agentNames];
const settings = agentFileOf('claude');
const parse = (text: string | undefined): unknown => JSON.parse(text ?? '');

describe('planAgents', () => {
  it('sets up every agent in an empty repository, and leaves nothing behind when removed', () => {
    const files = apply({}, { add: all });
    assert.deepEqual(Object.keys(files).toSorted(), [
      '.claude/settings.json',
      '.cursor/mcp.json',
      '.github/hooks/project-learnings.json',
      ...['.gitattributes', 'hook.js', 'hookWork.js', 'mcp.js', 'package.json', 'secretRules.js'].map(
        (name) => `.learnings/agents/${name}`,
      ),
      '.mcp.json',
    ]);
    assert.deepEqual(parse(files['.github/hooks/project-learnings.json']), {
      version: 1,
      hooks: Object.fromEntries(Object.entries(copilotHooks).map(([event, entry]) => [event, [entry]])),
    });
    assert.deepEqual(apply(files, { remove: all }), {});
  });

  it('changes nothing the second time', () => {
    const files = apply({}, { add: all });
    assert.deepEqual(plan(files, { add: all }).changes, []);
  });

  it('gives hooks no server, and servers no hook', () => {
    const programsOf = (agent: AgentName): string[] =>
      Object.keys(apply({}, { add: [agent] })).filter((path) => /agents\/\w+\.js$/.test(path));
    const [hook, work, secrets, mcp] = ['hook', 'hookWork', 'secretRules', 'mcp'].map(
      (name) => `.learnings/agents/${name}.js`,
    );
    assert.deepEqual(programsOf('claude'), [hook, work, secrets]);
    assert.deepEqual(programsOf('cursor').toSorted(), [mcp, secrets]);
    const both = apply({}, { add: ['claude', 'mcp'] });
    assert.deepEqual(
      Object.keys(apply(both, { remove: ['mcp'] })).toSorted(),
      Object.keys(apply({}, { add: ['claude'] })).toSorted(),
    );
  });

  describe('in a file that others wrote in', () => {
    const written: Record<string, string> = {
      plain: '{\n  "model": "opus"\n}\n',
      'without a last newline': '{\n  "model": "opus"\n}',
      'set in by tabs': '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
      'on one line': '{"model":"opus","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}',
      'with comments': '// ours\n{\n  // which one\n  "model": "opus" // the big one\n  /* end */\n}\n',
      'with trailing commas': '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [1,],\n  },\n}\n',
      'with Windows line ends': '{\r\n  "model": "opus",\r\n  "env": {}\r\n}\r\n',
      'with a byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
      'with hooks of its own':
        '{\n    "hooks": {\n        "PreToolUse": [\n            {\n                "matcher": "Bash",\n                "hooks": [{ "type": "command", "command": "lint" }]\n            } // lint\n        ],\n        "Stop": []\n    },\n    "model": "opus"\n}\n',
    };
    for (const [kind, text] of Object.entries(written)) {
      it(`keeps every byte ${kind}, and gives the file back as it was`, () => {
        const files = apply({ [settings]: text }, { add: all });
        const merged = files[settings] ?? '';
        // What was there is still there, in its order, with nothing but more in between.
        let at = 0;
        for (const character of text) {
          at = merged.indexOf(character, at) + 1;
          assert.ok(at > 0, merged);
        }
        assert.equal(
          /[^\r]\n/.test(merged),
          /[^\r]\n/.test(text) || !text.includes('\n'),
          'line ends are mixed',
        );
        assert.deepEqual(apply(files, { remove: all }), { [settings]: text });
      });
    }

    it('puts its hooks beside others of the same event', () => {
      const files = apply({ [settings]: written['with hooks of its own'] ?? '' }, { add: ['claude'] });
      assert.match(
        files[settings] ?? '',
        /"command": "lint" }\]\n {12}}, \/\/ lint\n {12}{\n {16}"matcher": /,
      );
      assert.equal(stateOf('claude', { files: new Map(Object.entries(files)), programs }), 'current');
    });

    it('replaces its own entries where they stand, and only those', () => {
      const mine = {
        hooks: [{ type: 'command', command: 'node .learnings/agents/hook.js PreToolUse --old' }],
      };
      const other = { hooks: [{ type: 'command', command: 'lint' }] };
      const text = JSON.stringify(
        { hooks: { PreToolUse: [mine, other, mine], Gone: [mine] }, z: 1 },
        null,
        2,
      );
      const files = new Map([[settings, text]]);
      assert.equal(stateOf('claude', { files, programs }), 'outdated');
      const after = parse(apply({ [settings]: text }, { add: ['claude'] })[settings]) as {
        hooks: Record<string, unknown[]>;
      };
      assert.deepEqual(after.hooks['PreToolUse'], [claudeHooks['PreToolUse'], other]);
      assert.equal('Gone' in after.hooks, false);
      assert.deepEqual(Object.keys(after), ['hooks', 'z']);
    });

    it('takes its hook out of a group that somebody has added another to', () => {
      const mine = { type: 'command', command: 'node .learnings/agents/hook.js PreToolUse' };
      const other = { type: 'command', command: 'lint' };
      const text = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [mine, other] }] } });
      const after = apply({ [settings]: text }, { remove: ['claude'] })[settings];
      assert.deepEqual(parse(after), { hooks: { PreToolUse: [{ hooks: [other] }] } });
    });

    it('does not let a comment swallow what comes after its entry', () => {
      const files = apply({ '.mcp.json': '{"mcpServers": {\n// mine\n}}' }, { add: ['mcp'] });
      const text = (files['.mcp.json'] ?? '').replace(/\n}}$/, ', "b": {"command": "b"}}}');
      assert.match(apply({ '.mcp.json': text }, { remove: ['mcp'] })['.mcp.json'] ?? '', /mine\n\s*"b"/);
    });

    it('keeps other servers, and refuses to replace another that has its name', () => {
      const theirs = '{\n  "mcpServers": {\n    "db": { "command": "db" }\n  }\n}\n';
      const files = apply({ '.mcp.json': theirs }, { add: ['mcp'] });
      assert.deepEqual(Object.keys((parse(files['.mcp.json']) as { mcpServers: object }).mcpServers), [
        'db',
        'learnings',
      ]);
      assert.deepEqual(apply(files, { remove: ['mcp'] }), { '.mcp.json': theirs });

      const taken = '{\n  "mcpServers": {\n    "learnings": { "command": "other" }\n  }\n}\n';
      const { changes, refused } = plan({ '.mcp.json': taken }, { add: ['mcp'], remove: [] });
      assert.deepEqual(changes, []);
      assert.match(refused[0]?.message ?? '', /^\.mcp\.json:3:18 has another server/);
      assert.deepEqual(plan({ '.mcp.json': taken }, { remove: ['mcp'] }).changes, []);
    });
  });

  it('leaves alone what it cannot read, says which line, and does the rest', () => {
    const { changes, refused, setUp } = plan(
      { [settings]: '{\n  "model": \n}\n' },
      { add: ['claude', 'mcp'] },
    );
    assert.match(refused[0]?.message ?? '', /^\.claude\/settings\.json:3:1 is not valid JSON: ValueExpected/);
    assert.deepEqual(setUp, ['mcp']);
    assert.ok(changes.every(({ path }) => path !== settings));
    for (const text of ['[]', '', '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"hooks": "x"}']) {
      assert.equal(plan({ [settings]: text }, { add: ['claude'] }).refused.length, 1, text);
    }
  });

  it('brings programs up to date, but never back to an earlier version', () => {
    const files = apply({}, { add: ['claude'] });
    const old = {
      ...files,
      '.learnings/agents/hook.js': '// old\n',
      '.learnings/agents/package.json': '{ "version": "1.1.9" }',
    };
    assert.deepEqual(apply(old, { add: ['claude'] }), files);
    const newer = {
      ...files,
      '.learnings/agents/hook.js': '// new\n',
      '.learnings/agents/package.json': '{ "version": "1.10.0" }',
    };
    assert.deepEqual(plan(newer, { add: ['claude'] }).changes, []);
  });
});

describe('the commands that are committed', () => {
  const commands = [
    ...Object.values(copilotHooks).map((entry) => JSON.stringify(entry)),
    ...Object.values(claudeHooks).map((entry) => JSON.stringify(entry)),
  ];
  it('name no folder of anybody, and use / on every platform', () => {
    for (const command of commands) assert.doesNotMatch(command, /\\\\|\/home|\/usr|[A-Z]:/);
  });

  it('never fail where a failure denies what the agent wants to do', () => {
    for (const entry of Object.values(copilotHooks)) {
      const { bash, powershell } = entry as { bash: string; powershell: string };
      assert.match(bash, / \|\| true$/);
      assert.match(powershell, / ; exit 0$/);
    }
  });
});

describe('agent-plugin', () => {
  const read = (path: string): string => readFileSync(join(checkout, path), 'utf8');
  const { hooks } = parse(read('agent-plugin/hooks/hooks.json')) as {
    hooks: Record<string, [{ matcher?: string; hooks: [Record<string, unknown>] }]>;
  };

  it('has the same events as the committed hooks, each with a command for every harness', () => {
    assert.deepEqual(Object.keys(hooks), eventNames);
    for (const [event, [group]] of Object.entries(hooks)) {
      assert.equal(group.matcher, (claudeHooks[event] as { matcher?: string }).matcher);
      const [{ type, command, windows, powershell, env }] = group.hooks;
      assert.equal(type, 'command');
      assert.equal(command, `sh "\${CLAUDE_PLUGIN_ROOT}/bin/learnings.sh" hook ${event}`);
      // VS Code runs it by PowerShell or by cmd, and breaks what has quotes for the latter; so those are in the variable.
      assert.equal(windows, `cmd /d /c call %LEARNINGS_LAUNCHER% hook ${event}`);
      assert.equal(powershell, windows);
      assert.deepEqual(env, { LEARNINGS_LAUNCHER: '"${CLAUDE_PLUGIN_ROOT}\\bin\\learnings.cmd"' });
    }
  });

  it('is of the version of the extension, and its skill is named as its folder', () => {
    assert.equal(
      (parse(read('agent-plugin/.claude-plugin/plugin.json')) as { version: string }).version,
      manifest.version,
    );
    assert.match(
      read('agent-plugin/skills/project-learnings/SKILL.md'),
      /^---\nname: project-learnings\ndescription: /,
    );
  });

  it('has a launcher for Windows with the line ends that cmd wants', () => {
    assert.doesNotMatch(read('agent-plugin/bin/learnings.cmd'), /[^\r]\n/);
  });
});

describe('noteNode', () => {
  /** What it notes where this is the whole PATH. */
  function noted(path: string): string | undefined {
    const extension = mkdtempSync(join(tmpdir(), 'extension-'));
    mkdirSync(join(extension, 'agent-plugin/bin'), { recursive: true });
    const before = process.env['PATH'];
    process.env['PATH'] = path;
    try {
      noteNode(extension);
    } finally {
      process.env['PATH'] = before;
    }
    const file = join(extension, 'agent-plugin/bin/node-path');
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  it('notes what runs VS Code where no node is on PATH, and nothing where one is', () => {
    const folder = mkdtempSync(join(tmpdir(), 'path-'));
    assert.equal(noted(folder), `${process.execPath}\n`);
    writeFileSync(join(folder, process.platform === 'win32' ? 'node.exe' : 'node'), '');
    assert.equal(noted(folder), undefined);
  });

  it('does not mind a place that cannot be written', () => {
    const before = process.env['PATH'];
    process.env['PATH'] = '';
    try {
      noteNode(join(tmpdir(), 'no', 'such', 'folder'));
    } finally {
      process.env['PATH'] = before;
    }
  });
});

describe('lineDiff', () => {
  it('shows what changes with three lines around it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n';
    const after = 'a\nb\nc\nd\nE\nf\ng\nh\ni\nj\nk\nl\nm\n';
    assert.equal(
      lineDiff(before, after),
      '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n@@ -10,3 +10,4 @@\n j\n k\n l\n+m',
    );
    assert.equal(lineDiff('', 'a\n'), '@@ -0,0 +1,1 @@\n+a');
    assert.equal(lineDiff('a\n', 'a\n'), '');
  });
});
