import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  it('calls find_learnings and the model gets what the repository knows', async () => {
    const folder = copySample(desk());
    const files = desk().lifeline.makeFolder('model');
    const script = join(files, 'script.json');
    const log = join(files, 'requests.jsonl');
    writeFileSync(
      script,
      JSON.stringify([
        { tool: 'find_learnings', input: { paths: ['src/predict/harmonics.ts'], limit: 3 } },
        { text: 'I have read the learnings.' },
      ]),
    );
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
    await page.keyboard.type('Make the harmonics faster.');
    await page.keyboard.press('Enter');
    await page.getByText('I have read the learnings.').first().waitFor({ timeout: 30_000 });

    const requests = await readRequests(log, 2);
    const [first, second] = requests.filter(({ tools }) => tools.length > 0);
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
    assert.equal(answer.omitted, 2);
    assert.match(answer.results[1]?.summary ?? '', /^Take nodal corrections at the middle/);

    // The plugin that the extension contributes tells the model of the skill without any set-up.
    assert.match(JSON.stringify(first), /project-learnings/);
    await workbench.close();
  });

  it('answers @learnings /why and keeps what /remember says', async () => {
    const folder = copySample(desk());
    const files = desk().lifeline.makeFolder('model');
    const script = join(files, 'script.json');
    writeFileSync(script, JSON.stringify([{ text: 'The model was asked.' }]));
    const workbench = await desk().open({
      folder,
      extensions: [builtVsix(), fixture('scriptedModel')],
      developmentExtension: 'copilot',
      env: { LEARNINGS_MODEL_SCRIPT: script, LEARNINGS_MODEL_LOG: join(files, 'requests.jsonl') },
    });
    const { page } = workbench;
    const chat = page.locator('.interactive-input-part');
    await chat.getByText('Scripted Model').first().waitFor({ timeout: 45_000 });
    await chat.getByText('Set BYOK utility models').waitFor();
    const say = async (text: string): Promise<void> => {
      await chat.locator('.monaco-editor').first().click();
      await page.keyboard.type(text);
      // A list of completions takes the first Enter.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Enter');
    };
    await say('@learnings /why src/predict/harmonics.ts ');
    const answer = page.locator('.interactive-response').last();
    await answer.getByText('5 learnings are about').waitFor({ timeout: 30_000 });
    await answer.getByRole('link', { name: 'L-0009' }).first().waitFor();
    await answer.getByRole('button', { name: 'What Agents Get' }).waitFor();

    await say('@learnings /remember Never smooth a storm surge. ');
    await page.getByText('Agents are given it once you promote it.').first().waitFor({ timeout: 30_000 });
    const candidates = join(folder, '.learnings', 'candidates');
    const texts = readdirSync(candidates).map((id) =>
      readFileSync(join(candidates, id, 'learning.yaml'), 'utf8'),
    );
    assert.equal(texts.filter((text) => text.includes('quote: Never smooth a storm surge.')).length, 1);
    await workbench.close();
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
