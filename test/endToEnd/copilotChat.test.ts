import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { builtVsix } from '../host/workbench';
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

  it('gets the learnings about a file that it reads, once, by the hooks of the plugin', async () => {
    const folder = copySample(desk());
    const read = (path: string): object => ({
      tool: 'read_file',
      input: { filePath: join(folder, path), startLine: 1, endLine: 20 },
    });
    const requests = await converse(folder, 'What does the health check do?', [
      read('src/http/health.ts'),
      read('src/http/health.ts'),
    ]);
    const learning = 'The health check must not touch the database';
    const counts = requests.map((request) => JSON.stringify(request).split(learning).length - 1);
    assert.deepEqual(counts, [0, 1, 1]);
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
