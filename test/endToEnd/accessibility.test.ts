import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import axe, { type AxeResults } from 'axe-core';

import { builtVsix } from '../host/workbench';
import { copySample, useDesk } from './desk';

/** By name, each with the class that VS Code gives the page. */
const themes = {
  'Default Dark Modern': 'vscode-dark',
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
};

describe('our pages', () => {
  const desk = useDesk();

  it('pass the checks of axe in every kind of theme', async () => {
    const folder = copySample(desk());
    const workbench = await desk().open({ folder, extensions: [builtVsix()] });
    await workbench.runCommand('Learnings: Open Dashboard');
    const outer = workbench.page.frameLocator('iframe.webview');
    await outer.frameLocator('iframe').getByText('12 active, 1 superseded').waitFor();
    const frame = await (await outer.locator('iframe').elementHandle()).contentFrame();
    assert.ok(frame, 'the page has no frame');
    await frame.evaluate(axe.source);
    for (const [theme, kind] of Object.entries(themes)) {
      mkdirSync(join(folder, '.vscode'), { recursive: true });
      const settings = { 'workbench.colorTheme': theme };
      writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
      await frame.waitForSelector(`body.${kind}`);
      const results: AxeResults = await frame.evaluate('axe.run()');
      const { violations, passes } = results;
      assert.ok(passes.length > 5, 'axe looked at next to nothing');
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${theme}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        [],
      );
    }
    await workbench.close();
  });
});
