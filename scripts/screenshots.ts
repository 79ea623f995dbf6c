import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { openDesk, type Desk } from '../test/host/workbench';
import { buildProduct, checkout } from './product';

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;
const pictures = join(checkout, 'media', 'screenshots');

/** `npm run screenshots`: the README's pictures, made by the real workbench with the built extension. */
async function main(desk: Desk): Promise<void> {
  const { vsix } = await buildProduct(desk.lifeline);
  mkdirSync(pictures, { recursive: true });
  for (const [name, theme] of Object.entries(themes)) {
    const folder = join(desk.lifeline.makeFolder(name), 'tide-table');
    cpSync(join(checkout, 'samples'), folder, { recursive: true });
    const workbench = await desk.open({
      folder,
      extensions: [vsix],
      size: { width: 1200, height: 700 },
      settings: {
        'workbench.colorTheme': theme,
        'chat.disableAIFeatures': true,
        'editor.minimap.enabled': false,
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      },
    });
    const { page } = workbench;
    await workbench.openFile('harmonics.ts');
    await workbench.runCommand('Learnings: Focus on This File View');
    await page.locator('.pane .monaco-list-row', { hasText: 'L-0009' }).first().waitFor();
    await settle(page);
    await page.screenshot({ path: join(pictures, `this-file-${name}.png`) });

    await workbench.runCommand('Learnings: Open Dashboard');
    const dashboard = page.frameLocator('iframe.webview').frameLocator('iframe');
    await dashboard.getByText('12 active, 1 superseded').waitFor();
    await settle(page);
    await page.screenshot({ path: join(pictures, `dashboard-${name}.png`) });
    await workbench.close();
  }
  console.log(`Pictures in ${pictures}`);
}

/** Waits until the status bar no longer says that something is under way. */
async function settle(page: Page): Promise<void> {
  await page.locator('.statusbar-item', { hasText: 'Activating' }).waitFor({ state: 'hidden' });
  await page.mouse.move(600, 690);
}

async function run(): Promise<void> {
  const desk = openDesk();
  try {
    await main(desk);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  await desk.close();
}

void run();
