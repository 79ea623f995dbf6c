import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { builtVsix } from '../host/workbench';
import { copySample, fixture, useDesk } from './desk';

describe('the workbench, with the .vsix installed', () => {
  const desk = useDesk();

  it('shows the learnings about the open file, and a new one as soon as it is on disk', async () => {
    const folder = copySample(desk());
    const workbench = await desk().open({ folder, extensions: [builtVsix()] });
    const { page } = workbench;
    await workbench.openFile('harmonics.ts');
    await workbench.runCommand('Learnings: Focus on This File View');
    const thisFile = page.locator('.pane', { hasText: 'This File' }).locator('.monaco-list-row');
    await thisFile.filter({ hasText: 'L-0009' }).waitFor();
    const described = await thisFile.locator('.label-description').allTextContents();
    assert.deepEqual(described.map((text) => text.split(' · ')[0]).toSorted(), [
      'L-0001',
      'L-0002',
      'L-0004',
      'L-0009',
      'L-0010',
    ]);

    const record = join(folder, '.learnings', 'L-0100');
    mkdirSync(record);
    writeFileSync(
      join(record, 'learning.yaml'),
      'id: L-0100\nschemaVersion: 1\npriority: 50\nscope: {paths: ["**/harmonics.ts"]}\nsummary: Written while you look.\n',
    );
    await thisFile.filter({ hasText: 'Written while you look.' }).waitFor();
    await workbench.close();
  });

  it('says why it could not start, and opens the log on request', async () => {
    const extensions = [fixture('commandSquatter'), builtVsix()];
    const workbench = await desk().open({ folder: copySample(desk()), extensions });
    const { page } = workbench;
    const toast = page.locator('.notification-toast', { hasText: 'Project Learnings could not start' });
    await toast.waitFor({ timeout: 30_000 });
    assert.match((await toast.textContent()) ?? '', /learnings\.refresh/);
    await toast.getByRole('button', { name: 'Open Log' }).click();
    // This build has no native logger, so the channel's text stays empty here; that it is ours is what can be seen.
    await page.waitForFunction(
      `[...document.querySelectorAll('.part.panel select')].some(({ value }) => value === 'Project Learnings')`,
    );
    await workbench.close();
  });
});
