import type { Browser, Page } from 'playwright-core';

import { startBrowser } from './browser';
import { openLifeline, type Lifeline } from './lifeline';
import { startVsCode, type ServerOptions, type VsCodeServer } from './vscodeServer';

/** The .vsix that the run was started with. */
export function builtVsix(): string {
  const vsix = process.env['LEARNINGS_VSIX'];
  if (!vsix) throw new Error('No .vsix: run this through its npm script, which builds one first.');
  return vsix;
}

/** A real workbench in a real browser, as a user sees it. */
interface Workbench {
  readonly page: Page;
  readonly server: VsCodeServer;
  /** Runs a command by its title in the command palette. */
  runCommand(title: string): Promise<void>;
  /** Opens a file of the folder by its name. */
  openFile(name: string): Promise<void>;
  close(): Promise<void>;
}

interface WorkbenchOptions extends ServerOptions {
  readonly folder: string;
  /** A built-in extension to switch on in development mode, such as Copilot Chat. */
  readonly developmentExtension?: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** What all workbenches of one process share: a browser and the lifeline that ends everything. */
export interface Desk {
  readonly lifeline: Lifeline;
  open(options: WorkbenchOptions): Promise<Workbench>;
  /** Pictures of everything that is open now. */
  screenshot(path: string): Promise<void>;
  close(): Promise<void>;
}

export function openDesk(): Desk {
  const lifeline = openLifeline();
  let browser: Promise<Browser> | undefined;
  return {
    lifeline,
    async open({ folder, developmentExtension, size, ...serverOptions }) {
      const server = await startVsCode(lifeline, {
        testDriver: developmentExtension !== undefined,
        ...serverOptions,
      });
      browser ??= startBrowser(lifeline);
      const context = await (await browser).newContext({ viewport: size ?? { width: 1280, height: 800 } });
      const page = await context.newPage();
      const payload = developmentExtension
        ? { extensionDevelopmentPath: server.uri(server.builtIn(developmentExtension)) }
        : {};
      await page.goto(server.address(folder, payload));
      await page.locator('.monaco-workbench').waitFor();
      return {
        page,
        server,
        runCommand: (title) => pick(page, `>${title}`),
        openFile: (name) => pick(page, name),
        async close() {
          await context.close();
          await server.stop();
        },
      };
    },
    async screenshot(path) {
      const contexts = (await browser)?.contexts() ?? [];
      const pages = contexts.flatMap((context) => context.pages());
      for (const [index, page] of pages.entries()) await page.screenshot({ path: `${path}-${index}.png` });
    },
    async close() {
      try {
        await (await browser)?.close();
      } finally {
        await lifeline.close();
      }
    },
  };
}

/** How long one list of the quick-open box is looked at before it is asked again: it does not grow by itself. */
const PATIENCE_MS = 2000;

/** Types into the quick-open box and takes the first row that answers, once whoever knows it has started. */
async function pick(page: Page, text: string): Promise<void> {
  const box = page.locator('.quick-input-widget input.input');
  const wanted = text.replace(/^>/, '').split(': ').at(-1) ?? text;
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: wanted }).first();
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press(text.startsWith('>') ? 'F1' : 'ControlOrMeta+P');
    await box.waitFor();
    await box.fill(text);
    try {
      await row.waitFor({ timeout: PATIENCE_MS });
      break;
    } catch (error) {
      if (attempt === 10) throw error;
      await page.keyboard.press('Escape');
    }
  }
  await box.press('Enter');
  await box.waitFor({ state: 'hidden' });
}
