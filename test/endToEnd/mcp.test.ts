import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { tools } from '../../src/core/api';
import { builtVsix } from '../host/workbench';
import { copySample, fixture, useDesk } from './desk';

describe('the MCP server that the extension contributes', () => {
  const desk = useDesk();

  it('offers its prompts in Copilot Chat, and the model has each tool once', async () => {
    const files = desk().lifeline.makeFolder('model');
    const script = join(files, 'script.json');
    const log = join(files, 'requests.jsonl');
    writeFileSync(script, JSON.stringify([{ text: 'Here I am.' }]));
    const workbench = await desk().open({
      folder: copySample(desk()),
      extensions: [builtVsix(), fixture('scriptedModel')],
      developmentExtension: 'copilot',
      env: { LEARNINGS_MODEL_SCRIPT: script, LEARNINGS_MODEL_LOG: log },
    });
    const { page } = workbench;
    const chat = page.locator('.interactive-input-part');
    await chat.getByText('Scripted Model').first().waitFor({ timeout: 45_000 });
    await chat.getByText('Set BYOK utility models').waitFor();
    const offered = (): string[][] =>
      (existsSync(log) ? readFileSync(log, 'utf8') : '')
        .split('\n')
        .flatMap((one) => (one === '' ? [] : [(JSON.parse(one) as { tools: string[] }).tools]))
        .filter((names) => names.length > 0);
    // The first request starts the server; by the second, its tools would be there.
    for (const [index, words] of ['Are you there?', 'Still there?'].entries()) {
      await chat.locator('.monaco-editor').first().click();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
      while (offered().length <= index) await wait(100);
      await page.getByText('Here I am.').nth(index).waitFor({ timeout: 30_000 });
    }
    await chat.locator('.monaco-editor').first().click();
    await page.keyboard.type('/mcp.learnings');
    const menu = page.locator('.suggest-widget');
    await menu.getByText('/mcp.learnings.review_changes').first().waitFor({ timeout: 30_000 });
    assert.equal(await menu.getByText('/mcp.learnings.remember').count(), 1);

    for (const names of offered()) {
      for (const { name } of tools)
        assert.deepEqual(
          names.filter((one) => one.endsWith(name)),
          [name],
        );
    }
    await workbench.close();
  });
});
