import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

import { productFolder, temporaryFolder } from './product';
import { repository, type Repository } from './repository';

const LEARNING = 'Compare outputs first.';

/** A repository that knows one thing about one of its files. */
function knowing(): Repository {
  const made = repository();
  made.json('add', '--summary', LEARNING, '--scope', 'paths=src/engine.ts');
  mkdirSync(join(made.root, 'src'));
  writeFileSync(join(made.root, 'src/engine.ts'), '// the engine\n');
  return made;
}

const reading = (root: string, session = 's1') =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: session,
    cwd: root,
    tool_name: 'Read',
    tool_input: { file_path: join(root, 'src/engine.ts') },
  });

const contextIn = (output: string): string =>
  output === ''
    ? ''
    : (JSON.parse(output) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput
        .additionalContext;

/** A folder with nothing in it but this Node, to be the whole PATH. */
function onlyNode(): string {
  const folder = temporaryFolder();
  symlinkSync(process.execPath, join(folder, 'node'));
  return folder;
}

/** A program named node that is none, as a version manager leaves one that has no version. */
function brokenNode(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "No version is set" >&2\nexit 126\n');
  chmodSync(join(folder, 'node'), 0o755);
  return folder;
}

const unix = process.platform === 'win32' ? describe.skip : describe;

unix('the launcher of the plugin', () => {
  /** The plugin, copied to where its path needs care, with the machine's own folders out of its sight. */
  function plugin(): string {
    const folder = join(temporaryFolder(), `it's "my" $plugin (1)`);
    cpSync(join(productFolder(), 'agent-plugin'), folder, { recursive: true });
    const launcher = join(folder, 'bin/learnings.sh');
    const script = readFileSync(launcher, 'utf8').replaceAll(/^ {2}\/(?=[a-zA-Z])/gm, '  /nowhere/');
    writeFileSync(launcher, script);
    chmodSync(launcher, 0o644);
    return folder;
  }

  function launch(folder: string, env: Record<string, string>, args = ['hook', 'PreToolUse']) {
    const { root } = knowing();
    const { stdout, stderr, status } = spawnSync('/bin/sh', [join(folder, 'bin/learnings.sh'), ...args], {
      input: reading(root),
      cwd: root,
      encoding: 'utf8',
      env: { HOME: temporaryFolder(), ...env },
    });
    assert.equal(status, args[0] === 'mcp' ? status : 0);
    return { stdout, stderr, status };
  }

  it('runs the Node on PATH, whatever is in its own path', () => {
    assert.match(contextIn(launch(plugin(), { PATH: onlyNode() }).stdout), /Compare outputs first/);
  });

  it('runs the Node that was noted where none is on PATH, as a Node if it is VS Code', () => {
    const folder = plugin();
    const code = join(temporaryFolder(), `VS "Code"`);
    writeFileSync(
      code,
      `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${process.execPath}' "$@"\n`,
    );
    chmodSync(code, 0o755);
    writeFileSync(join(folder, 'bin/node-path'), `${code}\n`);
    assert.match(contextIn(launch(folder, { PATH: '' }).stdout), /Compare outputs first/);
  });

  for (const place of [
    '.nvm/versions/node/v22.11.0/bin',
    '.volta/bin',
    '.local/share/fnm/aliases/default/bin',
    '.asdf/installs/nodejs/22.11.0/bin',
    '.vscode-server/bin/0123456789abcdef',
    '.vscode-server/cli/servers/Stable-0123/server',
  ]) {
    it(`finds a Node in ${place}`, () => {
      const home = join(temporaryFolder(), 'a home');
      mkdirSync(join(home, place), { recursive: true });
      symlinkSync(process.execPath, join(home, place, 'node'));
      const { stdout } = launch(plugin(), { HOME: home, PATH: '/nowhere' });
      assert.match(contextIn(stdout), /Compare outputs first/);
    });
  }

  it('goes on to the next where the Node on PATH is broken or too old', () => {
    const folder = plugin();
    writeFileSync(join(folder, 'bin/node-path'), process.execPath);
    const { stdout, stderr } = launch(folder, { PATH: brokenNode() });
    assert.match(contextIn(stdout), /Compare outputs first/);
    assert.equal(stderr, '');
  });

  it('says once on a machine that there is none, in a way that harnesses show', () => {
    const env = { PATH: brokenNode(), HOME: temporaryFolder() };
    const folder = plugin();
    const first = launch(folder, env);
    const { systemMessage } = JSON.parse(first.stdout) as { systemMessage: string };
    assert.equal(
      systemMessage,
      'Project Learnings: no Node.js 20 or newer was found, so agents get no learnings. Install Node.js from https://nodejs.org, or start VS Code with the Project Learnings extension once.',
    );
    assert.equal(first.stderr, '');
    assert.deepEqual(launch(folder, env), { stdout: '', stderr: '', status: 0 });
  });

  it('fails to start a server where there is none, and says why', () => {
    const { stdout, stderr, status } = launch(plugin(), { PATH: '' }, ['mcp']);
    assert.equal(stdout, '');
    assert.match(stderr, /^Project Learnings: no Node\.js 20 or newer was found/);
    assert.equal(status, 1);
  });

  it('starts the server', async () => {
    const { root } = knowing();
    const transport = new StdioClientTransport({
      command: '/bin/sh',
      args: [join(plugin(), 'bin/learnings.sh'), 'mcp'],
      cwd: root,
      env: { PATH: onlyNode(), HOME: temporaryFolder() },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'find_learnings'));
    await client.close();
  });
});

unix('learnings init --agents', () => {
  interface Committed {
    readonly hooks: Record<string, [Record<string, string> & { hooks?: [{ command: string }] }]>;
  }
  const committed = (root: string, file: string): Committed =>
    JSON.parse(readFileSync(join(root, file), 'utf8')) as Committed;
  const claudeCommand = (root: string): string =>
    committed(root, '.claude/settings.json').hooks['PreToolUse']?.[0].hooks?.[0].command ?? '';
  const copilotEntry = (root: string): Record<string, string> =>
    committed(root, '.github/hooks/project-learnings.json').hooks['PreToolUse']?.[0] ?? {};

  /** Runs a command as a harness does, with nothing on PATH but Node. */
  function run(command: string, { cwd, input, env = {} }: { cwd: string; input: string; env?: object }) {
    const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', command], {
      cwd,
      input,
      encoding: 'utf8',
      env: { PATH: onlyNode(), HOME: temporaryFolder(), ...env },
    });
    return { stdout, stderr, status };
  }

  function clone(root: string): string {
    const folder = join(temporaryFolder(), 'a clone');
    execFileSync('git', ['clone', '--quiet', root, folder]);
    return folder;
  }

  it('shows the changes, and writes nothing before it is told to', () => {
    const { root, cli } = knowing();
    const before = readdirSync(root);
    const shown = cli(['init', '--agents', 'claude,mcp', '--dry-run']);
    assert.equal(shown.status, 0, shown.stderr);
    assert.match(
      shown.stdout,
      /^create \.claude\/settings\.json\n@@ -0,0 \+1,\d+ @@\n\+{\n\+ {2}"hooks": {/m,
    );
    assert.match(shown.stdout, /^create \.learnings\/agents\/hook\.js \(a program, \d+ KB\)$/m);
    const refused = cli(['init', '--agents', 'all']);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /Nothing was written\. Confirm, or give --yes\./);
    assert.deepEqual(readdirSync(root), before);
    assert.equal(cli(['init', '--agents', 'clippy']).status, 2);
    assert.equal(cli(['init', '--remove']).status, 2);
  });

  it('makes what a clone and Node alone need, in a repository of modules too', () => {
    const { root, cli, commit } = knowing();
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    const done = cli(['init', '--agents', 'all', '--yes']);
    assert.equal(done.status, 0, done.stderr);
    commit('Set up agents');
    assert.equal(cli(['doctor']).status, 0);
    const hook = readFileSync(join(root, '.learnings/agents/hook.js'), 'utf8');
    assert.match(hook, /^#!\/usr\/bin\/env node\n\/\* eslint-disable \*\/\n/);

    const claude = clone(root);
    const inFolder = {
      cwd: join(claude, 'src'),
      input: reading(claude),
      env: { CLAUDE_PROJECT_DIR: claude },
    };
    const answered = run(claudeCommand(claude), inFolder);
    assert.match(contextIn(answered.stdout), /Compare outputs first/);
    assert.deepEqual(run(claudeCommand(claude), inFolder), { stdout: '', stderr: '', status: 0 });

    const copilot = clone(root);
    const { bash = '' } = copilotEntry(copilot);
    const vscode = { ...(JSON.parse(reading(copilot)) as object), timestamp: '2026-05-09T18:00:00Z' };
    const told = run(bash, { cwd: copilot, input: JSON.stringify(vscode) });
    assert.match(contextIn(told.stdout), /Compare outputs first/);
    const another = { cwd: copilot, input: reading(copilot, 's2'), env: { COPILOT_CLI: '1' } };
    assert.match(contextIn(run(bash, another).stdout), /Compare outputs first/);
  });

  it('commits commands that let the agent go on where the programs are not there', () => {
    const { root, cli } = knowing();
    cli(['init', '--agents', 'claude,copilot', '--yes']);
    const elsewhere = temporaryFolder();
    const input = reading(root);
    assert.deepEqual(run(claudeCommand(root), { cwd: elsewhere, input }), {
      stdout: '',
      stderr: '',
      status: 0,
    });
    assert.equal(run(copilotEntry(root)['bash'] ?? '', { cwd: elsewhere, input }).status, 0);
    const noNode = { cwd: root, input, env: { PATH: '/nowhere' } };
    assert.equal(run(copilotEntry(root)['bash'] ?? '', noNode).status, 0);
  });

  it('makes a server that a clone can start', async () => {
    const { root, cli, commit } = knowing();
    cli(['init', '--agents', 'mcp', '--yes']);
    commit('Set up agents');
    const cwd = clone(root);
    const { mcpServers } = JSON.parse(readFileSync(join(cwd, '.mcp.json'), 'utf8')) as {
      mcpServers: { learnings: { command: string; args: string[] } };
    };
    const env = { PATH: onlyNode(), HOME: temporaryFolder() };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...mcpServers.learnings, cwd, env }));
    const found = await client.callTool({ name: 'find_learnings', arguments: { paths: ['src/engine.ts'] } });
    assert.match(JSON.stringify(found.content), /Compare outputs first/);
    await client.close();
  });

  it('goes away without a trace, and leaves what others wrote', () => {
    const { root, cli, git, commit } = knowing();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude/settings.json'), '{\n  // mine\n  "model": "opus",\n}\n');
    commit('Before');
    const made = JSON.parse(cli(['init', '--agents', 'all', '--yes', '--json']).stdout) as {
      setUp: string[];
    };
    assert.deepEqual(made.setUp, ['copilot', 'claude', 'mcp', 'cursor']);
    assert.match(git('status', '--porcelain'), /settings\.json/);
    assert.equal(cli(['init', '--agents', 'all', '--yes']).stdout, 'Nothing has to change.\n');
    assert.equal(cli(['init', '--agents', 'all', '--remove', '--yes']).status, 0);
    assert.equal(git('status', '--porcelain'), '');
    for (const folder of ['.github', '.cursor', '.learnings/agents'])
      assert.ok(!existsSync(join(root, folder)), folder);
  });

  it('leaves a file alone that it cannot read, names its line, and does the rest', () => {
    const { root, cli } = knowing();
    mkdirSync(join(root, '.claude'));
    writeFileSync(join(root, '.claude/settings.json'), '{\n  "model": "opus"\n  "env": {}\n}\n');
    const { status, stderr } = cli(['init', '--agents', 'claude,mcp', '--yes']);
    assert.equal(status, 1);
    assert.match(stderr, /^learnings: \.claude\/settings\.json:3:3 is not valid JSON: CommaExpected/);
    assert.ok(existsSync(join(root, '.mcp.json')));
  });

  it('starts a store where there is none', () => {
    const root = temporaryFolder();
    execFileSync('git', ['init', '--quiet'], { cwd: root });
    const cli = join(productFolder(), 'dist/cli.js');
    execFileSync(process.execPath, [cli, 'init', '--agents', 'copilot', '--yes'], { cwd: root });
    assert.ok(existsSync(join(root, '.learnings/.gitignore')));
    assert.ok(existsSync(join(root, '.learnings/agents/hook.js')));
  });

  it('gives nothing twice where the plugin is there too', async () => {
    const { root, cli } = knowing();
    cli(['init', '--agents', 'copilot', '--yes']);
    const launcher = join(productFolder(), 'agent-plugin/bin/learnings.sh');
    const commands = [copilotEntry(root)['bash'] ?? '', `sh '${launcher}' hook PreToolUse`];
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: temporaryFolder() };
    for (let time = 0; time < 20; time++) {
      const outputs = await Promise.all(
        commands.map(async (command) => {
          const child = spawn('/bin/sh', ['-c', command], {
            cwd: root,
            env,
            stdio: ['pipe', 'pipe', 'inherit'],
          });
          child.stdin.end(reading(root, `session ${time}`));
          const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
          return output;
        }),
      );
      const given = outputs.filter((output) => output.includes(LEARNING));
      assert.equal(given.length, 1, `time ${time}: ${JSON.stringify(outputs)}`);
    }
  });
});
