import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { tools as allTools } from '../../src/core/api';
import { checkout } from '../../scripts/product';
import { closeAll, connect, folderWith, recordFile, recordText } from './mcpClient';
import { bundle, runNode, sample, temporaryFolder } from './product';

const api = (): string =>
  folderWith({
    [recordFile('L-0001')]: recordText('L-0001', 'Compare the outputs before the times.'),
    [recordFile('L-0002')]: recordText('L-0002', 'Keep the lock while the index is saved.', 'src/store.ts'),
    'src/store.ts': '',
    'src/other.ts': '',
  });

interface Found {
  readonly results: readonly { readonly id: string; readonly summary: string }[];
  readonly omitted: number;
  readonly already_given?: readonly string[];
}

const idsOf = (text: string): string[] => (JSON.parse(text) as Found).results.map(({ id }) => id);

describe('the MCP server', () => {
  afterEach(closeAll);

  it('says to the model when to call it, and to the client what each tool does', async () => {
    const { client } = await connect({ cwd: sample() });
    assert.match(client.getInstructions() ?? '', /call find_learnings with its path/);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [
        name,
        annotations?.readOnlyHint,
        annotations?.destructiveHint,
        annotations?.idempotentHint,
        annotations?.openWorldHint,
      ]),
      [
        ['find_learnings', true, false, true, false],
        ['show_learning', true, false, true, false],
        ['add_learning', false, false, true, false],
        ['update_learning', false, true, false, false],
        ['supersede_learning', false, true, true, false],
        ['upvote_learning', false, false, true, false],
        ['archive_learning', false, true, true, false],
      ],
    );
    assert.deepEqual(
      tools.map(({ description }) => description),
      allTools.map(({ description }) => description),
    );
  });

  it('runs every tool, each on what the one before left', async () => {
    const { call } = await connect({ cwd: api(), name: 'Ada Agent' });
    assert.match((await call('find_learnings', { paths: ['src/other.ts'] })).text, /"id":"L-0001"/);
    const added = await call('add_learning', {
      summary: 'Never log a request body.',
      paths: ['src/other.ts'],
      evidence: [{ kind: 'quote', ref: 'chat', quote: 'no bodies in the log' }],
    });
    assert.match(added.text, /^saved as L-0003\./);
    assert.match(
      (await call('update_learning', { id: 'L-0003', tags: ['log'] })).text,
      /^updated L-0003: tags/,
    );
    assert.match((await call('upvote_learning', { id: 'L-0003', task: 'T-1' })).text, /it has 1 vote\./);
    const shown = JSON.parse((await call('show_learning', { id: 'L-0003' })).text) as Record<string, unknown>;
    assert.equal(shown['created_by'], 'ada-agent');
    assert.equal(shown['vote_count'], 1);
    assert.match(
      (await call('supersede_learning', { id: 'L-0001', with: 'L-0003' })).text,
      /superseded by L-0003/,
    );
    assert.match((await call('archive_learning', { id: 'L-0002', reason: 'gone' })).text, /in the archive/);
    const left = await call('find_learnings', { paths: ['src/store.ts', 'src/other.ts'], all: true });
    assert.deepEqual(idsOf(left.text), ['L-0003']);
  });

  it('answers a call that is wrong with an error result that says what to do', async () => {
    const { call } = await connect({ cwd: api() });
    const wrong: [string, object, RegExp][] = [
      ['find_learnings', {}, /Pass at least one path, tag or symbol/],
      ['find_learnings', { path: 'a.ts' }, /Pass paths, tags or symbols as lists of strings/],
      ['show_learning', { id: 'L-0099' }, /No learning L-0099\. Call find_learnings/],
      ['no_such_tool', {}, /Call one of: find_learnings, show_learning/],
      ['update_learning', { id: 'L-0001' }, /Pass at least one field besides id/],
      ['supersede_learning', { id: 'L-0001', with: 'L-0077' }, /L-0077/],
    ];
    for (const [tool, input, expected] of wrong) {
      const { text, isError } = await call(tool, { ...input });
      assert.ok(isError, tool);
      assert.match(text, expected);
    }
  });

  it('is polite where nothing is recorded: tools are listed, and calls say so', async () => {
    const folder = temporaryFolder();
    const { client, call, read } = await connect({ cwd: folder });
    assert.equal((await client.listTools()).tools.length, allTools.length);
    const { text, isError } = await call('find_learnings', { paths: ['a.ts'] });
    assert.ok(isError);
    assert.match(text, /There is no \.learnings folder in .+Go on without\./);
    assert.match(await read('learnings://status'), /There is no \.learnings folder here/);
    await assert.rejects(read('learnings://L-0001'), /no \.learnings folder/);
    await assert.rejects(client.getPrompt({ name: 'review_changes' }), /no \.learnings folder/);
    assert.ok(!existsSync(join(folder, '.learnings')));
  });

  it('sees what was edited by hand a moment ago', async () => {
    const folder = api();
    const { call } = await connect({ cwd: folder });
    await call('find_learnings', { paths: ['src/other.ts'] });
    writeFileSync(join(folder, recordFile('L-0001')), recordText('L-0001', 'Compare the sums as well.'));
    const { text } = await call('find_learnings', { paths: ['src/other.ts'], all: true });
    assert.match(text, /Compare the sums as well/);
  });

  it('keeps its tools from a client that has them from elsewhere, and from no other', async () => {
    const args = ['--no-tools-for', 'Editor'];
    const editor = await connect({ cwd: api(), args, name: 'Editor' });
    assert.deepEqual((await editor.client.listTools()).tools, []);
    assert.equal((await editor.client.listPrompts()).prompts.length, 3);
    const agent = await connect({ cwd: api(), args, name: 'agent' });
    assert.equal((await agent.client.listTools()).tools.length, allTools.length);
  });

  it('ends when its client goes away, and refuses options it does not know', async () => {
    const server = spawn(process.execPath, [bundle('mcp')], {
      cwd: sample(),
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    server.stdin.end();
    assert.deepEqual(await once(server, 'exit'), [0, null]);
    const { status, stderr } = runNode([bundle('mcp'), '--rot', 'x']);
    assert.equal(status, 2);
    assert.match(stderr, /Usage: learnings mcp/);
    assert.equal(runNode([bundle('cli'), 'mcp', '--wrap']).status, 2);
  });

  it('is the same by way of the command line', () => {
    const hello = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    };
    const { stdout, status } = runNode([bundle('cli'), 'mcp'], { input: `${JSON.stringify(hello)}\n` });
    assert.match(stdout, /"serverInfo":\{"name":"project-learnings"/);
    assert.equal(status, 0);
  });

  describe('roots', () => {
    it('are those of the client, each repository once, and follow when they change', async () => {
      const first = api();
      const second = folderWith({
        [recordFile('L-0001')]: recordText('L-0001', 'Paint it blue.'),
        'src/a.ts': '',
      });
      let roots = [first, join(first, 'src')];
      const { client, call, read, news } = await connect({ cwd: temporaryFolder(), roots: () => roots });
      assert.deepEqual(idsOf((await call('find_learnings', { paths: ['src/other.ts'] })).text), ['L-0001']);

      roots = [first, second];
      await client.sendRootsListChanged();
      assert.equal(await news(), 'list');
      const both = await call('find_learnings', { paths: ['src/other.ts'], all: true });
      assert.deepEqual(idsOf(both.text), ['L-0001', 'L-0001']);
      const { resources } = await client.listResources();
      assert.ok(resources.some(({ uri }) => uri === `learnings://L-0001?repository=${basename(second)}`));
      assert.match(await read(`learnings://L-0001?repository=${basename(second)}`), /Paint it blue/);
      await assert.rejects(read('learnings://L-0001'), /Several repositories have L-0001/);
      assert.match(
        (await call('show_learning', { id: 'L-0001' })).text,
        /Which repository\? Pass repository/,
      );
      const named = await call('show_learning', { id: 'L-0001', repository: basename(second) });
      assert.match(named.text, /Paint it blue/);
    });

    it('are what --root says, whatever the client has open or the folder is', async () => {
      const [first, second] = [api(), api()];
      const { read } = await connect({
        cwd: temporaryFolder(),
        roots: () => [sample()],
        args: ['--root', first, '--root', join(second, 'src')],
      });
      const status = JSON.parse(await read('learnings://status')) as { stores: { root: string }[] };
      assert.deepEqual(
        status.stores.map(({ root }) => root),
        [first, second],
      );
    });
  });

  describe('resources', () => {
    it('are the learnings that hold, with templates for what has no list, and complete as they are written', async () => {
      const { client } = await connect({ cwd: sample() });
      const { resources } = await client.listResources();
      assert.equal(resources.length, 13);
      assert.deepEqual(
        resources.find(({ name }) => name === 'L-0013'),
        {
          uri: 'learnings://L-0013',
          name: 'L-0013',
          title:
            'The health check must not touch the database; a busy disk would get a working service restarted.',
          description: 'decision, src/http/health.ts, http, deployment',
          mimeType: 'text/markdown',
        },
      );
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['learnings://{id}', 'learnings://file/{+path}'],
      );
      const complete = async (uri: string, name: string, value: string): Promise<string[]> =>
        (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion
          .values;
      assert.deepEqual(await complete('learnings://{id}', 'id', 'l-001'), [
        'L-0010',
        'L-0011',
        'L-0012',
        'L-0013',
      ]);
      assert.deepEqual(await complete('learnings://file/{+path}', 'path', 'src/http/h'), [
        'src/http/health.ts',
      ]);
      const argument = { name: 'paths', value: 'src/log.ts, nodal' };
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'review_changes' },
        argument,
      });
      assert.deepEqual(completion.values, ['src/log.ts, src/predict/nodal.ts']);
    });

    it('show a learning, also in small letters, and say of history that it is history', async () => {
      const { read } = await connect({ cwd: sample() });
      const page = await read('learnings://L-0013');
      assert.match(page, /^\*\*The health check must not touch the database;/);
      assert.match(
        page,
        /\n\n- About: `src\/http\/health\.ts`, #http, #deployment\n[\s\S]+, Maren Holt, 2026-09-29\n$/,
      );
      assert.equal(await read('learnings://l-0013'), page);
      assert.match(
        await read('learnings://L-0003'),
        /^> Superseded by L-0009: history, not to be followed\.\n\n/,
      );
      await assert.rejects(read('learnings://L-0099'), /-32002.*No learning L-0099/);
      await assert.rejects(read('other://L-0001'), /no resource of this server/);
    });

    it('say what is known about a file, why, and what is kept back', async () => {
      const { read } = await connect({ cwd: api() });
      assert.equal(
        await read('learnings://file/src/store.ts'),
        '# What is recorded about `src/store.ts`\n\n2 learnings hold for it, best first:\n\n' +
          '- [L-0002](learnings://L-0002) Keep the lock while the index is saved. (here because of `src/store.ts`)\n' +
          '- [L-0001](learnings://L-0001) Compare the outputs before the times. (here because of `src/**`)\n',
      );
      assert.match(await read('learnings://file/README.md'), /Nothing that holds\./);
      const { read: readSample } = await connect({ cwd: sample() });
      assert.match(
        await readSample('learnings://file/src/predict/nodal.ts'),
        /- L-0003: superseded by L-0009/,
      );
    });

    it('tell the state of things: stores, counts, caps, problems, and what this session was given', async () => {
      const folder = api();
      mkdirSync(join(folder, '.learnings/L-0009'));
      writeFileSync(join(folder, recordFile('L-0009')), 'id: L-0009\nkind: [\n');
      const { call, read } = await connect({ cwd: folder });
      await call('find_learnings', { paths: ['src/other.ts'] });
      const status = JSON.parse(await read('learnings://status')) as { stores: Record<string, unknown>[] };
      const [store] = status.stores;
      assert.deepEqual(store?.['learnings'], { active: 2, superseded: 0, archived: 0, candidate: 0 });
      assert.deepEqual(store['given_in_this_session'], ['L-0001']);
      assert.deepEqual((store['caps'] as { per_call: number }).per_call, 5);
      const [problem] = store['problems'] as { file: string; line: number }[];
      assert.deepEqual([problem?.file, problem?.line], [recordFile('L-0009'), 3]);
    });

    it('are told of when they change on disk, whoever changed them', async () => {
      const folder = api();
      const { client, read, news, call } = await connect({ cwd: folder });
      // What is there at first is no news.
      await client.listResources();
      await client.subscribeResource({ uri: 'learnings://L-0001' });
      await client.subscribeResource({ uri: 'learnings://file/src/store.ts' });
      const text = recordText('L-0001', 'Compare the outputs before the times.');
      writeFileSync(join(folder, recordFile('L-0001')), `${text}rationale: The fast one was wrong.\n`);
      assert.deepEqual([await news(), await news()].toSorted(), [
        'learnings://L-0001',
        'learnings://file/src/store.ts',
      ]);
      assert.match(await read('learnings://L-0001'), /The fast one was wrong/);

      await client.unsubscribeResource({ uri: 'learnings://file/src/store.ts' });
      await call('add_learning', { summary: 'Ask before you delete a file.', paths: ['**'] });
      assert.equal(await news(), 'list');
      rmSync(join(folder, '.learnings/L-0001'), { recursive: true });
      assert.deepEqual([await news(), await news()].toSorted(), ['learnings://L-0001', 'list']);
      await assert.rejects(client.subscribeResource({ uri: 'other://x' }), /no resource of this server/);
    });

    it('are told of when a folder gets its first learnings', async () => {
      const folder = temporaryFolder();
      const { client, news } = await connect({ cwd: folder });
      assert.equal((await client.listResources()).resources.length, 1);
      mkdirSync(join(folder, '.learnings/L-0001'), { recursive: true });
      writeFileSync(join(folder, recordFile('L-0001')), recordText('L-0001', 'Begin somewhere.'));
      assert.equal(await news(), 'list');
      assert.equal((await client.listResources()).resources.length, 2);
    });
  });

  describe('prompts', () => {
    const textOf = ({ messages }: { messages: { content: object }[] }): string =>
      (messages[0]?.content as { text: string }).text;

    it('bring what is recorded about a file, and have something recorded', async () => {
      const { client } = await connect({ cwd: api() });
      const { prompts } = await client.listPrompts();
      assert.deepEqual(
        prompts.map(({ name, arguments: args }) => [name, ...(args ?? []).map((one) => one.name)]),
        [
          ['learnings_for_file', 'path'],
          ['review_changes', 'paths'],
          ['remember', 'what', 'paths'],
        ],
      );
      const file = await client.getPrompt({
        name: 'learnings_for_file',
        arguments: { path: 'src/store.ts' },
      });
      assert.match(textOf(file), /about src\/store\.ts\. Keep to it[\s\S]+\[L-0002\][\s\S]+\[L-0001\]/);
      const words = { what: 'Never sleep in a test.', paths: 'test/**' };
      const remember = textOf(await client.getPrompt({ name: 'remember', arguments: words }));
      assert.match(remember, /add_learning: “Never sleep in a test\.”[\s\S]+It is about test\/\*\*\./);
      await assert.rejects(client.getPrompt({ name: 'remember' }), /remember needs what/);
      await assert.rejects(client.getPrompt({ name: 'dance' }), /No prompt dance/);
    });

    it('review the files that git says have changed, new ones too', async () => {
      const folder = api();
      const git = (...args: string[]): unknown => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
      git('init');
      git('add', 'src/store.ts');
      git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-m', 'one');
      const { client } = await connect({ cwd: folder });
      rmSync(join(folder, 'src/other.ts'));
      const nothing = await client.getPrompt({ name: 'review_changes' });
      assert.match(textOf(nothing), /git sees no changed files/);
      writeFileSync(join(folder, 'src/store.ts'), 'changed');
      writeFileSync(join(folder, 'src/new.ts'), 'new');
      const review = textOf(await client.getPrompt({ name: 'review_changes' }));
      assert.match(review, /^Review the changes in src\/store\.ts, src\/new\.ts against/);
      assert.match(review, /\[L-0002\].+Keep the lock/);
    });
  });

  describe('sessions', () => {
    const find = { paths: ['src/other.ts'] };

    it('are those that VS Code names: what one was given it is not given again, another is', async () => {
      const { call } = await connect({ cwd: api() });
      const inChat = async (id: string): Promise<Found> =>
        JSON.parse((await call('find_learnings', find, { 'vscode.conversationId': id })).text) as Found;
      assert.equal((await inChat('one')).results.length, 1);
      const again = await inChat('one');
      assert.deepEqual([again.results.length, again.already_given], [0, ['L-0001']]);
      assert.equal((await inChat('two')).results.length, 1);
    });

    it('are the process of a client that names none', async () => {
      const folder = api();
      const [first, second] = [await connect({ cwd: folder }), await connect({ cwd: folder })];
      assert.equal(idsOf((await first.call('find_learnings', find)).text).length, 1);
      assert.equal(idsOf((await first.call('find_learnings', find)).text).length, 0);
      assert.equal(idsOf((await second.call('find_learnings', find)).text).length, 1);
    });

    it('are shared with the hooks of Claude Code, which tell what the call itself does not', async () => {
      const folder = api();
      const { call } = await connect({ cwd: folder, name: 'claude-code' });
      const hook = (tool: string, input: object, id: string): string =>
        runNode([bundle('hook')], {
          cwd: folder,
          input: JSON.stringify({
            hook_event_name: 'PreToolUse',
            session_id: 'session-1',
            cwd: folder,
            tool_name: tool,
            tool_input: input,
            tool_use_id: id,
          }),
        }).stdout;
      assert.match(hook('Read', { file_path: join(folder, 'src/other.ts') }, 'toolu_1'), /L-0001/);
      const server = 'mcp__plugin_project-learnings_learnings__';
      for (const { name } of allTools) assert.equal(hook(`${server}${name}`, find, `toolu_${name}`), '');
      const meta = { 'claudecode/toolUseId': 'toolu_find_learnings' };
      const found = JSON.parse((await call('find_learnings', find, meta)).text) as Found;
      assert.deepEqual([found.results.length, found.already_given], [0, ['L-0001']]);
      const sessions = join(folder, '.learnings/.cache/sessions');
      assert.ok(!existsSync(join(sessions, 'toolu_find_learnings.call')), 'the note was read');
      assert.ok(existsSync(join(sessions, 'toolu_show_learning.call')));
      const ended = { hook_event_name: 'SessionEnd', session_id: 'session-1', cwd: folder };
      const note = join(sessions, 'toolu_show_learning.call');
      utimesSync(note, new Date(), new Date(Date.now() - 2 * 3_600_000));
      runNode([bundle('hook')], { cwd: folder, input: JSON.stringify(ended) });
      assert.ok(!existsSync(note), 'nobody will read it any more');
      // And the other way round: what the tool gave, the hook does not.
      hook(`${server}find_learnings`, find, 'toolu_3');
      const more = await call(
        'find_learnings',
        { paths: ['src/store.ts'] },
        { 'claudecode/toolUseId': 'toolu_3' },
      );
      assert.deepEqual(idsOf(more.text), ['L-0002']);
      assert.equal(hook('Edit', { file_path: join(folder, 'src/store.ts') }, 'toolu_4'), '');
      const receipts = readFileSync(join(folder, '.learnings/.cache/receipts.jsonl'), 'utf8');
      assert.match(receipts, /"session":"session-1","agent":"claude-code","event":"find_learnings"/);
    });
  });

  it("serves the protocol's own inspector", () => {
    const inspector = join(checkout, 'node_modules/@modelcontextprotocol/inspector-cli/build/index.js');
    const inspect = (...args: string[]): Record<string, unknown> => {
      const { stdout, stderr, status } = runNode(
        [inspector, process.execPath, bundle('mcp'), '--method', ...args],
        { cwd: sample() },
      );
      assert.equal(status, 0, stderr);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    assert.equal((inspect('tools/list')['tools'] as unknown[]).length, allTools.length);
    const call = ['tools/call', '--tool-name', 'find_learnings', '--tool-arg', 'symbols=["findExtrema"]'];
    assert.match(JSON.stringify(inspect(...call)), /L-0007/);
    assert.match(JSON.stringify(inspect('resources/read', '--uri', 'learnings://L-0013')), /health check/);
    const prompt = ['prompts/get', '--prompt-name', 'learnings_for_file', '--prompt-args', 'path=src/log.ts'];
    assert.match(JSON.stringify(inspect(...prompt)), /L-0002/);
  });
});
