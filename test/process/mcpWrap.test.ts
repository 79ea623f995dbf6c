import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

import { checkout } from '../../scripts/product';
import { isRunning } from '../host/lifeline';
import { closeAll, connect, folderWith, recordFile, recordText } from './mcpClient';
import { bundle, runNode, temporaryFolder } from './product';

const child = join(checkout, 'test/fixtures/mcpChild.js');

const repository = (): string =>
  folderWith({
    [recordFile('L-0001')]: recordText('L-0001', 'Compare the outputs before the times.'),
    [recordFile('L-0002')]: recordText('L-0002', 'Keep the lock while the index is saved.', 'src/store.ts'),
    'src/store.ts': 'one\ntwo\n',
    'src/other.ts': 'See src/store.ts\n',
    'README.md': 'Nothing here.\n',
  });

type Proxy = ChildProcessByStdio<Writable, Readable, Readable>;

const wrapped = (cwd: string, ...command: string[]): Proxy =>
  spawn(process.execPath, [bundle('mcp'), '--wrap', '--', ...command], { cwd, stdio: 'pipe' });

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const call = (id: unknown, path: string, tool = 'read'): string =>
  line({ id, method: 'tools/call', params: { name: tool, arguments: { path } } });

/** What comes back for these requests, where the server answers each with the next of these lines. */
async function exchange(
  requests: readonly string[],
  answers: readonly string[],
  cwd = repository(),
): Promise<string[]> {
  const file = join(temporaryFolder(), 'answers');
  writeFileSync(file, answers.join('\n'));
  const proxy = wrapped(cwd, process.execPath, child, 'lines', file);
  const heard: string[] = [];
  const lines = createInterface({ input: proxy.stdout })[Symbol.asyncIterator]();
  for (const request of requests) {
    proxy.stdin.write(request);
    heard.push(((await lines.next()) as { value: string }).value);
  }
  proxy.stdin.end();
  await once(proxy, 'exit');
  return heard;
}

interface Sidecar {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly resource?: { text: string };
  }[];
  readonly structuredContent?: { readonly learnings?: readonly { readonly id: string }[] };
}

const resultOf = (text: string | undefined): Sidecar =>
  (JSON.parse(text ?? '') as { result: Sidecar }).result;

describe('the MCP proxy', () => {
  afterEach(closeAll);

  describe('around a real file-system server', () => {
    const server = join(checkout, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
    const around = (folder: string) =>
      connect({ cwd: folder, args: ['--wrap', '--', process.execPath, server, folder] });

    it('adds what is known about a file that is read, once, and the client accepts it', async () => {
      const folder = repository();
      const { client } = await around(folder);
      // From here on the client checks structured content against the schema of each tool.
      await client.listTools();
      const read = async (path: string): Promise<CallToolResult> =>
        (await client.callTool({
          name: 'read_text_file',
          arguments: { path: join(folder, path) },
        })) as CallToolResult;
      const first = await read('src/store.ts');
      assert.deepEqual(first.structuredContent, { content: 'one\ntwo\n' });
      assert.deepEqual(first.content, [
        { type: 'text', text: 'one\ntwo\n' },
        {
          type: 'resource',
          resource: {
            uri: 'learnings://file/src/store.ts',
            mimeType: 'text/markdown',
            text:
              '<project-learnings>\n' +
              "Recorded by this repository's team about src/store.ts (full text: .learnings/<id>/learning.yaml):\n" +
              '- [L-0002] Keep the lock while the index is saved.\n' +
              '- [L-0001] Compare the outputs before the times.\n' +
              '</project-learnings>',
          },
        },
      ]);
      assert.equal((await read('src/store.ts')).content.length, 1);
      assert.equal((await read('src/other.ts')).content.length, 1, 'all of it was given before');
      assert.equal((await read('README.md')).content.length, 1, 'nothing is known');
      const receipts = readFileSync(join(folder, '.learnings/.cache/receipts.jsonl'), 'utf8')
        .trim()
        .split('\n');
      assert.equal(receipts.length, 1);
      assert.match(receipts[0] ?? '', /"agent":"test","event":"read_text_file","path":"src\/store\.ts"/);
    });

    it('adds it to a file that is made, and not to a listing or an error', async () => {
      const folder = repository();
      const { client } = await around(folder);
      await client.listTools();
      const run = async (name: string, input: object): Promise<CallToolResult> =>
        (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
      assert.equal((await run('list_directory', { path: join(folder, 'src') })).content.length, 1);
      const missing = await run('read_text_file', { path: join(folder, 'src/none.ts') });
      assert.deepEqual([missing.isError, missing.content.length], [true, 1]);
      const made = await run('write_file', { path: join(folder, 'src/new.ts'), content: 'x' });
      assert.match(JSON.stringify(made.content), /L-0001/);
    });
  });

  describe('changes nothing else:', () => {
    it('every byte of both directions is as it was', async () => {
      const odd = Buffer.concat([
        Buffer.from(
          '{"jsonrpc":"2.0","id":12345678901234567890,"result":{"n":1.0,"e":1E5,"s":"\\u00e9\\/"}}\r\n',
        ),
        Buffer.from(
          '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":"x","result":{}}]\n\n   \nnot json\n',
        ),
        Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a]),
        Buffer.from(`{"big":"${'ab\\n'.repeat(400_000)}"}\n`),
        Buffer.from('{"jsonrpc":"2.0","method":"unknown/method","params":{"_meta":{"a":[1,2]}}}\n'),
        Buffer.from('the last line does not end'),
      ]);
      const folder = temporaryFolder();
      const [said, heard] = [join(folder, 'said'), join(folder, 'heard')];
      writeFileSync(said, odd);
      const proxy = wrapped(repository(), process.execPath, child, 'bytes', said, heard);
      const output = buffer(proxy.stdout);
      proxy.stdin.end(Buffer.concat([Buffer.from(call(1, 'src/store.ts')), odd]));
      assert.deepEqual(await once(proxy, 'exit'), [0, null]);
      assert.ok((await output).equals(odd));
      assert.ok(readFileSync(heard).equals(Buffer.concat([Buffer.from(call(1, 'src/store.ts')), odd])));
    });

    it('a result that gets more keeps all it had, spelled as it was', async () => {
      const before =
        '{ "result" : {"x":1.0,"content":[ {"type":"text","text":"\\u00e9\\/ ]"} ] ,"id":[]}, "id":1e0,"jsonrpc":"2.0"}';
      const [after = ''] = await exchange([call(1, 'src/other.ts')], [before]);
      const added =
        /,\{"type":"text","text":"<project-learnings>.*?<\/project-learnings>"\}/.exec(after)?.[0] ?? '';
      assert.match(added, /L-0001/);
      assert.equal(after.replace(added, ''), before);
    });

    it('an empty list of content gets its first', async () => {
      const [after] = await exchange(
        [call('a', 'src/other.ts')],
        [line({ id: 'a', result: { content: [] } }).trim()],
      );
      assert.equal(resultOf(after).content.length, 1);
    });

    it('answers that are no results of tools get nothing', async () => {
      const answers = [
        { id: 1, error: { code: -1, message: 'src/store.ts' } },
        { id: 1, result: { content: [{ type: 'text', text: 'twice' }] } },
        { id: 3, result: { contents: [{ uri: 'file:///a', text: 'src/store.ts' }] } },
        { id: 4, result: { task: { taskId: '1' } } },
        { id: 5, result: { content: 'src/store.ts' } },
      ].map((one) => line(one).trim());
      const heard = await exchange(
        [
          call(1, 'src/store.ts'),
          call(2, 'src/store.ts'),
          line({ id: 3, method: 'resources/read', params: { uri: 'src/store.ts' } }),
          call(4, 'src/store.ts'),
          call(5, 'src/store.ts'),
        ],
        answers,
      );
      assert.deepEqual(heard, answers);
    });

    it('a call that was cancelled uses up nothing', async () => {
      const result = (id: number): string => line({ id, result: { content: [] } }).trim();
      const cancel = line({ method: 'notifications/cancelled', params: { requestId: 1 } });
      const heard = await exchange(
        [call(1, 'src/other.ts'), cancel, call(2, 'src/other.ts')],
        ['{"jsonrpc":"2.0","method":"a"}', result(1), result(2)],
      );
      assert.deepEqual(heard.slice(0, 2), ['{"jsonrpc":"2.0","method":"a"}', result(1)]);
      assert.match(heard[2] ?? '', /L-0001/);
    });
  });

  describe('where it goes', () => {
    const structured = (id: number): string =>
      line({ id, result: { content: [{ type: 'text', text: '{}' }], structuredContent: { a: 1 } } }).trim();
    const list = line({ id: 'l', method: 'tools/list' });
    const listing = (outputSchema?: object): string =>
      line({
        id: 'l',
        result: { tools: [{ name: 'read', inputSchema: {}, ...(outputSchema && { outputSchema }) }] },
      }).trim();
    const typesIn = (text: string | undefined): string[] => resultOf(text).content.map(({ type }) => type);

    it('is the structured content of a tool that promised nothing about it, and a text beside it', async () => {
      for (const schema of [
        undefined,
        { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      ]) {
        const [, after] = await exchange([list, call(1, 'src/store.ts')], [listing(schema), structured(1)]);
        assert.deepEqual(typesIn(after), ['text', 'text']);
        const rows = resultOf(after).structuredContent?.learnings;
        assert.deepEqual(
          rows?.map(({ id }) => id),
          ['L-0002', 'L-0001'],
        );
        assert.deepEqual(rows[0], {
          id: 'L-0002',
          summary: 'Keep the lock while the index is saved.',
          matched_by: ['path:src/store.ts ~ src/store.ts'],
        });
      }
    });

    it('is a resource beside structured content whose schema has no room, or is not known', async () => {
      const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
      const refers = { $ref: '#/$defs/x', $defs: { x: {} } };
      for (const schema of [closed, refers]) {
        const [, after] = await exchange([list, call(1, 'src/store.ts')], [listing(schema), structured(1)]);
        assert.deepEqual(typesIn(after), ['text', 'resource']);
        assert.deepEqual(resultOf(after).structuredContent, { a: 1 });
      }
      const [after] = await exchange([call(1, 'src/store.ts')], [structured(1)]);
      assert.deepEqual(typesIn(after), ['text', 'resource']);
    });

    it('is told by what the result names, where the call names no file', async () => {
      const search = line({
        id: 1,
        method: 'tools/call',
        params: { name: 'search', arguments: { query: 'lock' } },
      });
      const text = 'src/store.ts:12: lock()\nhttps://example.com/src/other.ts';
      const result = line({ id: 1, result: { content: [{ type: 'text', text }] } }).trim();
      const [after] = await exchange([search], [result]);
      assert.match(after ?? '', /about src\/store\.ts \(/);
    });
  });

  it('keeps 1,000 interleaved messages apart and in order, and gives each learning once', async () => {
    const files = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`src/f${n}.ts`, '']));
    const records = Object.fromEntries(
      Array.from({ length: 15 }, (_, n) => {
        const id = `L-00${n + 10}`;
        return [recordFile(id), recordText(id, `About file ${n} alone.`, `src/f${n}.ts`)];
      }),
    );
    const proxy = wrapped(folderWith({ ...files, ...records }), process.execPath, child, 'crowd');
    for (let id = 0; id < 1000; id++) proxy.stdin.write(call(id, `src/f${id % 15}.ts`));
    const order: string[] = [];
    const given: string[] = [];
    for await (const text of createInterface({ input: proxy.stdout })) {
      const { id, method, params, result } = JSON.parse(text) as {
        id?: number;
        method?: string;
        params?: { progressToken: number };
        result?: Sidecar;
      };
      order.push(
        method === 'notifications/progress'
          ? `p${params?.progressToken ?? ''}`
          : `${method ?? 'r'}${id ?? ''}`,
      );
      const [own, more] = result?.content ?? [];
      if (own) assert.equal(own.text, `src/f${(id ?? 0) % 15}.ts`);
      given.push(...(more?.text?.match(/L-\d+(?=\])/g) ?? []));
      if (order.length === 3000) break;
    }
    proxy.stdin.end();
    await once(proxy, 'exit');
    assert.equal(new Set(order).size, 3000);
    for (let id = 0; id < 1000; id++) {
      const [progress, result, sampling] = [`p${id}`, `r${id}`, `sampling/createMessage${id}`].map((one) =>
        order.indexOf(one),
      );
      assert.ok(Number(progress) < Number(result) && sampling === Number(result) + 1, String(id));
    }
    assert.deepEqual(
      given.toSorted(),
      Object.keys(records)
        .map((file) => file.slice(11, 17))
        .toSorted(),
    );
  });

  describe('ends', () => {
    it('as the server ended, with all that it said and its own errors', () => {
      const { stdout, stderr, status } = runNode(
        [bundle('mcp'), '--wrap', '--', process.execPath, child, 'crash'],
        {
          input: '',
        },
      );
      assert.deepEqual([stdout, stderr, status], ['{"jsonrpc":"2.0","half', 'about to fall\n', 3]);
      const absent = runNode([bundle('cli'), 'mcp', '--wrap', '--', 'no-such-program'], { input: '' });
      assert.equal(absent.status, 127);
      assert.match(absent.stderr, /could not start no-such-program/);
    });

    it('by the signal that ended the server, and passes signals on', async () => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        const proxy = wrapped(repository(), process.execPath, child, 'wait');
        await once(proxy.stdout, 'data');
        proxy.kill(signal);
        assert.deepEqual(await once(proxy, 'exit'), [null, signal]);
      }
    });

    it('with its client, and makes a server end that would not', async () => {
      const proxy = wrapped(repository(), process.execPath, child, 'deaf');
      const [pid] = (await once(proxy.stdout, 'data')) as [Buffer];
      proxy.stdin.end();
      assert.deepEqual(await once(proxy, 'exit'), [null, 'SIGKILL']);
      assert.ok(!isRunning(Number(pid)));
    });

    it('when nobody reads any more', async () => {
      const proxy = wrapped(
        repository(),
        process.execPath,
        child,
        'bytes',
        child,
        join(temporaryFolder(), 'x'),
      );
      proxy.stdout.destroy();
      proxy.stdin.on('error', () => undefined);
      proxy.stdin.write(call(1, 'src/store.ts'));
      assert.deepEqual(await once(proxy, 'exit'), [null, 'SIGTERM']);
    });
  });
});
