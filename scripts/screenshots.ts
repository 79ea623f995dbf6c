import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { FrameLocator, Page } from 'playwright-core';

import { keyboardOf } from '../test/endToEnd/keyboard';
import { openDesk, type Desk } from '../test/host/workbench';
import { writeMadeUpStore } from './madeUpStore';
import { buildProduct, checkout } from './product';

/**
 * `npm run screenshots`: the pictures of the README and the walkthrough, made by the real workbench with the built
 * extension. With words, only those whose names have one of them: `npm run screenshots -- walkthrough dark`. A picture
 * that fails is told of and does not keep back the others.
 */
const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  contrast: 'Default High Contrast',
} as const;
type Theme = keyof typeof themes;

/** What the project holds: its own learnings, none, or five hundred. */
type Filling = 'sample' | 'empty' | '500';

type Workbench = Awaited<ReturnType<Desk['open']>>;

interface Stage {
  readonly page: Page;
  readonly folder: string;
  readonly workbench: Workbench;
  /** Starts a command by its title and leaves open whatever it shows. */
  readonly start: (title: string) => Promise<void>;
}

interface Clip {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Picture {
  /** Below `media`, without the theme and `.png`. */
  readonly name: string;
  readonly filling: Filling;
  readonly themes: readonly Theme[];
  /** The whole window unless said. */
  readonly clip?: Clip;
  /** Brings the window to what the picture shows. */
  readonly arrange: (stage: Stage) => Promise<void>;
  /** Takes back what the next picture must not show. */
  readonly tidy?: (stage: Stage) => void;
}

const everyTheme: readonly Theme[] = ['light', 'dark', 'contrast'];
const size = { width: 1200, height: 700 };
/** Walkthroughs show pictures at about this size. */
const step: Clip = { x: 0, y: 36, width: 800, height: 480 };

const row = (page: Page, text: string) => page.locator('.pane .monaco-list-row', { hasText: text }).first();
const webview = (page: Page): FrameLocator =>
  page.locator('iframe.webview:visible').last().contentFrame().frameLocator('iframe');

const thisFile = async ({ workbench, page, folder }: Stage): Promise<void> => {
  await workbench.openFile('harmonics.ts');
  await workbench.runCommand('Learnings: Focus on This File View');
  await page.locator('.pane-header', { hasText: 'This File' }).waitFor();
  if (existsSync(join(folder, '.learnings'))) await page.locator('.codelens-decoration').first().waitFor();
};
const explain = async ({ workbench, start, page }: Stage): Promise<void> => {
  await workbench.openFile('harmonics.ts');
  await start('Learnings: Explain Learnings for This File');
  await webview(page).getByText('about this file').first().waitFor();
};
const dashboard = async ({ start, page }: Stage): Promise<void> => {
  await start('Learnings: Open Dashboard');
  await webview(page).locator('#dashboard *').first().waitFor();
};
const add = async ({ workbench, start, page }: Stage): Promise<void> => {
  await workbench.openFile('harmonics.ts');
  await start('Learnings: Add Learning…');
  const box = page.locator('.quick-input-widget input.input');
  await page.locator('.quick-input-titlebar', { hasText: 'Learning' }).waitFor();
  await box.fill('Take nodal corrections once per window, not once per sample');
};

/** A record with mistakes in it. */
const spoilt = (folder: string): string => join(folder, '.learnings', 'L-0014');

/** The README's: each surface, as a team has it, as it is in the beginning, and after years. */
const surfaces: readonly Omit<Picture, 'themes'>[] = [
  {
    name: 'screenshots/this-file',
    filling: 'sample',
    async arrange(stage) {
      await thisFile(stage);
      await row(stage.page, 'L-0009').waitFor();
    },
  },
  {
    name: 'screenshots/all-learnings',
    filling: 'sample',
    async arrange({ workbench, page }) {
      await workbench.openFile('routes.ts');
      await workbench.runCommand('Learnings: Focus on All Learnings View');
      await page.locator('.pane', { hasText: 'All Learnings' }).locator('.monaco-list-row').first().waitFor();
    },
  },
  {
    name: 'screenshots/candidates',
    filling: 'sample',
    async arrange({ workbench, page }) {
      await workbench.runCommand('Learnings: Focus on Candidates View');
      await page.locator('.pane', { hasText: 'Candidates' }).locator('.monaco-list-row').first().waitFor();
    },
  },
  {
    name: 'screenshots/hover',
    filling: 'sample',
    async arrange({ workbench, page }) {
      await workbench.openFile('harmonics.ts');
      await page.locator('.codelens-decoration').first().waitFor();
      await page.locator('.view-line span span').first().hover();
      await page.locator('.monaco-hover:visible', { hasText: 'L-0' }).first().waitFor();
    },
  },
  { name: 'screenshots/add', filling: 'sample', arrange: add },
  {
    name: 'screenshots/record',
    filling: 'sample',
    async arrange({ page, folder }) {
      const record = spoilt(folder);
      mkdirSync(record, { recursive: true });
      writeFileSync(
        join(record, 'learning.yaml'),
        'id: L-0014\nschemaVersion: 1\nkind: rul\nscope:\n  paths: ["src/harbour/**"]\n  tags: [datum]\nsummary: Ask the harbour office before a station moves.\nsupersedes: L-0099\n',
      );
      await keyboardOf(page).open('.learnings/L-0014/learning.yaml');
      await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    },
    tidy: ({ folder }) => rmSync(spoilt(folder), { recursive: true }),
  },
  { name: 'screenshots/explain', filling: 'sample', arrange: explain },
  { name: 'screenshots/dashboard', filling: 'sample', arrange: dashboard },
  { name: 'screenshots/this-file-empty', filling: 'empty', arrange: thisFile },
  { name: 'screenshots/dashboard-empty', filling: 'empty', arrange: dashboard },
  {
    name: 'screenshots/this-file-500',
    filling: '500',
    async arrange(stage) {
      await thisFile(stage);
      await row(stage.page, 'L-0').waitFor();
    },
  },
  {
    name: 'screenshots/all-learnings-500',
    filling: '500',
    async arrange({ workbench, page }) {
      await workbench.openFile('routes.ts');
      await workbench.runCommand('Learnings: Focus on All Learnings View');
      await page.locator('.pane', { hasText: 'All Learnings' }).locator('.monaco-list-row').first().waitFor();
    },
  },
  { name: 'screenshots/explain-500', filling: '500', arrange: explain },
  { name: 'screenshots/dashboard-500', filling: '500', arrange: dashboard },
];

const walkthrough: readonly Omit<Picture, 'themes'>[] = [
  {
    name: 'walkthrough/open',
    filling: 'sample',
    clip: step,
    async arrange(stage) {
      await thisFile(stage);
      await row(stage.page, 'L-0009').waitFor();
    },
  },
  { name: 'walkthrough/add', filling: 'sample', clip: { ...step, x: 200, y: 0 }, arrange: add },
  {
    name: 'walkthrough/keep',
    filling: 'sample',
    clip: { ...step, height: 360 },
    async arrange(stage) {
      await thisFile(stage);
      await row(stage.page, 'L-0009').hover();
      await stage.page.waitForTimeout(500);
    },
  },
  { name: 'walkthrough/find', filling: 'sample', clip: { ...step, x: 350 }, arrange: explain },
];

const pictures: readonly Picture[] = [
  ...surfaces.map((picture) => ({ ...picture, themes: everyTheme })),
  ...walkthrough.map((picture) => ({ ...picture, themes: ['light'] as const })),
];

const fileOf = ({ name }: Pick<Picture, 'name'>, theme: Theme): string =>
  name.startsWith('walkthrough/') ? `${name}.png` : `${name}-${theme}.png`;

async function main(desk: Desk, words: readonly string[]): Promise<readonly string[]> {
  const { vsix } = await buildProduct(desk.lifeline);
  const wanted = (file: string): boolean => words.length === 0 || words.some((word) => file.includes(word));
  const failed: string[] = [];
  const attempt = async (file: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      console.log(file);
    } catch (error) {
      failed.push(file);
      console.error(
        `Failed: ${file}: ${error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : ''}`,
      );
    }
  };
  for (const theme of everyTheme) {
    for (const filling of ['sample', 'empty', '500'] as const) {
      const here = pictures.filter(
        (picture) =>
          picture.filling === filling && picture.themes.includes(theme) && wanted(fileOf(picture, theme)),
      );
      if (here.length === 0) continue;
      const stage = await openStage(desk, { vsix, theme, filling });
      for (const picture of here) {
        const file = fileOf(picture, theme);
        await attempt(file, () => take(stage, picture, file));
      }
      await stage.workbench.close();
    }
  }
  if (wanted('walkthrough/agents.png'))
    await attempt('walkthrough/agents.png', () => takeAgents(desk, vsix, 'walkthrough/agents.png'));
  return failed;
}

async function openStage(
  desk: Desk,
  { vsix, theme, filling }: { vsix: string; theme: Theme; filling: Filling },
): Promise<Stage> {
  const folder = join(desk.lifeline.makeFolder(`${theme}-${filling}`), 'tide-table');
  cpSync(join(checkout, 'samples'), folder, { recursive: true });
  if (filling !== 'sample') rmSync(join(folder, '.learnings'), { recursive: true });
  if (filling === '500') writeMadeUpStore(folder, 500);
  const workbench = await desk.open({
    folder,
    extensions: [vsix],
    size,
    settings: {
      'workbench.colorTheme': themes[theme],
      'chat.disableAIFeatures': true,
      'editor.minimap.enabled': false,
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
    },
  });
  const { page } = workbench;
  page.setDefaultTimeout(15_000);
  return { page, folder, workbench, start: (title) => start(page, title) };
}

async function start(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  const box = page.locator('.quick-input-widget input.input');
  await box.waitFor();
  await box.fill(`>${title}`);
  const wanted = title.split(': ').at(-1) ?? title;
  await page.locator('.quick-input-list .monaco-list-row', { hasText: wanted }).first().waitFor();
  await box.press('Enter');
}

async function take(stage: Stage, { arrange, clip, tidy }: Picture, file: string): Promise<void> {
  const { page, workbench } = stage;
  // Whatever the picture before left open.
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
  await workbench.runCommand('View: Close All Editors');
  try {
    await arrange(stage);
    if (!file.includes('hover') && !file.includes('keep')) await page.mouse.move(600, size.height - 4);
    await page.locator('.statusbar-item', { hasText: 'Activating' }).waitFor({ state: 'hidden' });
    await page.waitForTimeout(500);
    await page.screenshot({ path: pathOf(file), ...(clip && { clip }) });
  } finally {
    tidy?.(stage);
  }
}

function pathOf(file: string): string {
  const path = join(checkout, 'media', file);
  mkdirSync(join(path, '..'), { recursive: true });
  return path;
}

/** Real Copilot Chat, with a scripted model in place of one that would need an account. */
async function takeAgents(desk: Desk, vsix: string, file: string): Promise<void> {
  const folder = join(desk.lifeline.makeFolder('agents'), 'tide-table');
  cpSync(join(checkout, 'samples'), folder, { recursive: true });
  const files = desk.lifeline.makeFolder('model');
  const script = join(files, 'script.json');
  const answer =
    'Before I change `harmonics.ts`: your team keeps every height above chart datum until the response (L-0001) and takes nodal corrections at the middle of the window (L-0009). I will keep to both.';
  writeFileSync(
    script,
    JSON.stringify([
      { tool: 'find_learnings', input: { paths: ['src/predict/harmonics.ts'], limit: 3 } },
      { text: answer },
    ]),
  );
  const workbench = await desk.open({
    folder,
    extensions: [vsix, join(checkout, 'test', 'fixtures', 'scriptedModel')],
    developmentExtension: 'copilot',
    size,
    env: { LEARNINGS_MODEL_SCRIPT: script, LEARNINGS_MODEL_LOG: join(files, 'requests.jsonl') },
    settings: {
      'workbench.colorTheme': themes.light,
      'chat.tools.global.autoApprove': true,
      'editor.minimap.enabled': false,
    },
  });
  const { page } = workbench;
  const chat = page.locator('.interactive-input-part');
  await chat.getByText('Scripted Model').first().waitFor({ timeout: 45_000 });
  await chat.getByText('Set BYOK utility models').waitFor();
  await workbench.openFile('harmonics.ts');
  await chat.locator('.monaco-editor').first().click();
  await page.keyboard.type('Make the harmonics faster.');
  await page.keyboard.press('Enter');
  await page.getByText('I will keep to both').first().waitFor({ timeout: 30_000 });
  await page.waitForTimeout(1000);
  await page.screenshot({ path: pathOf(file), clip: { ...step, x: size.width - step.width } });
  await workbench.close();
}

async function run(): Promise<void> {
  const desk = openDesk();
  try {
    const failed = await main(desk, process.argv.slice(2));
    if (failed.length > 0) {
      console.error(`${failed.length} pictures failed: ${failed.join(', ')}`);
      process.exitCode = 1;
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  await desk.close();
}

void run();
