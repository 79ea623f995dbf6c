import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { builtVsix } from '../host/workbench';
import { productFolder } from '../process/product';
import { copySample, fixture, useDesk } from './desk';

interface Part {
  readonly text?: string;
  readonly call?: string;
  readonly result?: readonly Part[];
}
interface ModelRequest {
  readonly tools: readonly string[];
  readonly messages: readonly { readonly content: readonly Part[] }[];
}

describe('Copilot Chat, with only the .vsix installed', () => {
  const desk = useDesk();

  /** Lets a scripted model answer a prompt, and gives what it was sent for each of its turns. */
  async function converse(
    folder: string,
    prompt: string,
    turns: readonly object[],
  ): Promise<readonly ModelRequest[]> {
    const files = desk().lifeline.makeFolder('model');
    const script = join(files, 'script.json');
    const log = join(files, 'requests.jsonl');
    const bye = 'I have done it.';
    writeFileSync(script, JSON.stringify([...turns, { text: bye }]));
    const workbench = await desk().open({
      folder,
      extensions: [builtVsix(), fixture('scriptedModel')],
      developmentExtension: 'copilot',
      env: { LEARNINGS_MODEL_SCRIPT: script, LEARNINGS_MODEL_LOG: log },
      settings: { 'chat.tools.global.autoApprove': true },
    });

    const { page } = workbench;
    const chat = page.locator('.interactive-input-part');
    await chat.getByText('Scripted Model').first().waitFor({ timeout: 45_000 });
    // Copilot's own remark about models of other vendors is the sign that it will use ours without a sign-in.
    await chat.getByText('Set BYOK utility models').waitFor();
    await chat.locator('.monaco-editor').first().click();
    await page.keyboard.type(prompt);
    await page.keyboard.press('Enter');
    await page.getByText(bye).first().waitFor({ timeout: 30_000 });
    const requests = await readRequests(log, turns.length + 1);
    await workbench.close();
    return requests.filter(({ tools }) => tools.length > 0);
  }

  it('calls find_learnings and the model gets what the repository knows', async () => {
    const [first, second] = await converse(copySample(desk()), 'Make the harmonics faster.', [
      { tool: 'find_learnings', input: { paths: ['src/predict/harmonics.ts'], limit: 3 } },
    ]);
    assert.ok(first?.tools.includes('find_learnings'), 'the model was not offered the tool');

    const results =
      second?.messages.flatMap(({ content }) => content.flatMap(({ result }) => result ?? [])) ?? [];
    const answers = results.flatMap(({ text }) => (text?.startsWith('{"results"') ? [text] : []));
    assert.equal(answers.length, 1, 'the tool result should reach the model once');
    const answer = JSON.parse(answers[0] ?? '') as {
      results: { id: string; summary: string }[];
      omitted: number;
    };
    assert.deepEqual(
      answer.results.map(({ id }) => id),
      ['L-0001', 'L-0009', 'L-0010'],
    );
    // One more is left out; what is about the whole repository was given when the session began.
    assert.equal(answer.omitted, 1);
    assert.match(JSON.stringify(first), /Add no npm dependencies/);
    assert.match(answer.results[1]?.summary ?? '', /^Take nodal corrections at the middle/);

    // The plugin that the extension contributes tells the model of the skill without any set-up.
    assert.match(JSON.stringify(first), /project-learnings/);
  });

  it('gets each learning once in a session of ten tools, when it reads, edits and creates, by hook and by tool', async () => {
    const folder = copySample(desk());
    const at = (path: string): string => join(folder, path);
    const read = (path: string): object => ({
      tool: 'read_file',
      input: { filePath: at(path), startLine: 1, endLine: 20 },
    });
    writeFileSync(at('notes.txt'), 'one\n');
    const requests = await converse(folder, 'What does the health check do?', [
      read('notes.txt'),
      read('src/http/health.ts'),
      read('src/http/health.ts'),
      { tool: 'find_learnings', input: { paths: ['src/http/health.ts', 'src/predict/nodal.ts'], limit: 1 } },
      { tool: 'create_file', input: { filePath: at('src/http/health2.ts'), content: 'export {};\n' } },
      {
        tool: 'replace_string_in_file',
        input: { filePath: at('notes.txt'), oldString: 'one', newString: 'two' },
      },
      read('src/predict/nodal.ts'),
      { tool: 'find_learnings', input: { paths: ['src/predict/nodal.ts', 'src/http/server.ts'], limit: 20 } },
      read('src/http/server.ts'),
      { tool: 'show_learning', input: { id: 'L-0013' } },
    ]);
    assert.equal(readFileSync(at('notes.txt'), 'utf8'), 'two\n', 'the edit went through');
    assert.ok(existsSync(at('src/http/health2.ts')), 'the file was made');
    const last = JSON.stringify(requests.at(-1));
    // What a learning says whole is asked for by the last call, and is the one that may be there twice.
    const rows = [...last.matchAll(/- \[(L-\d+)\] |\{\\+"id\\+":\\+"(L-\d+)\\+",\\+"summary/g)].map(
      ([, hook, tool]) => hook ?? tool,
    );
    assert.deepEqual(rows.length, new Set(rows).size, `given twice: ${rows.join()}`);
    for (const id of ['L-0002', 'L-0009', 'L-0013']) assert.ok(rows.includes(id), `${id} did not arrive`);
    const counts = requests.map(
      (request) => JSON.stringify(request).split('The health check must not touch').length - 1,
    );
    assert.deepEqual(counts, [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
  });

  it('is told of no learning that was superseded, and keeps what is to be remembered', async () => {
    const folder = copySample(desk());
    const cli = join(productFolder(), 'dist', 'cli.js');
    execFileSync(process.execPath, [cli, 'supersede', 'L-0013', '--with', 'L-0002'], { cwd: folder });
    const requests = await converse(folder, 'remember: station names are not unique', [
      {
        tool: 'read_file',
        input: { filePath: join(folder, 'src/http/health.ts'), startLine: 1, endLine: 20 },
      },
    ]);
    const last = JSON.stringify(requests.at(-1));
    assert.doesNotMatch(last, /The health check must not touch/);
    assert.match(last, /Add no npm dependencies/);
    const [, id = ''] = /kept as the candidate (C-[0-9a-f]{8})/.exec(last) ?? [];
    const kept = readFileSync(join(folder, '.learnings', 'candidates', id, 'learning.yaml'), 'utf8');
    assert.match(kept, /summary: station names are not unique/);
    assert.match(kept, /quote: station names are not unique/);
  });
});

async function readRequests(log: string, atLeast: number): Promise<ModelRequest[]> {
  for (;;) {
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    const requests = lines.filter(Boolean).map((line) => JSON.parse(line) as ModelRequest);
    if (requests.filter(({ tools }) => tools.length > 0).length >= atLeast) return requests;
    await wait(100);
  }
}
