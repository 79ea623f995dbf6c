import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';

import { builtVsix, type Desk } from '../host/workbench';
import { useDesk } from './desk';

const SUMMARY = 'Never retry a POST.';

/** A repository with two files and not a single learning. */
function emptyRepository(desk: Desk): { folder: string; git: (...args: string[]) => void } {
  const folder = desk.lifeline.makeFolder('harbour');
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src', 'client.ts'), 'export function send(): void {}\n');
  writeFileSync(join(folder, 'src', 'other.ts'), 'export const other = 1;\n');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'Begin');
  return { folder, git };
}

describe('a person at the keyboard, with the .vsix installed', () => {
  const desk = useDesk();

  it('writes the first learning, sees it everywhere, keeps it true and loses nothing', async function () {
    this.timeout(240_000);
    const { folder, git } = emptyRepository(desk());
    const workbench = await desk().open({
      folder,
      extensions: [builtVsix()],
      settings: { 'chat.disableAIFeatures': true, 'typescript.updateImportsOnFileMove.enabled': 'never' },
    });
    const { page } = workbench;
    const recordOf = (id: string): string => join(folder, '.learnings', id, 'learning.yaml');
    const textOf = (id: string): string =>
      existsSync(recordOf(id)) ? readFileSync(recordOf(id), 'utf8') : '';

    // The first learning, by keyboard alone: four questions, four times Enter.
    await workbench.openFile('client.ts');
    await start(page, 'Learnings: Add Learning…');
    await answer(page, SUMMARY);
    await answer(page);
    await answer(page);
    await answer(page, 'It was paid twice.');
    await until(() => textOf('L-0001').includes(SUMMARY));
    assert.match(textOf('L-0001'), /src\/client\.ts/);
    assert.match(textOf('L-0001'), /rationale: It was paid twice\./);
    assert.match(textOf('L-0001'), /created_by: Ada/);

    // It is above the first line, in the status bar, in a hover and in the sidebar.
    await page.locator('.codelens-decoration', { hasText: SUMMARY }).waitFor();
    await page
      .locator('.statusbar-item', { hasText: '1' })
      .filter({ has: page.locator('.codicon-lightbulb') })
      .waitFor();
    await page
      .locator('.view-line')
      .first()
      .hover({ position: { x: 5, y: 5 } });
    await page.locator('.monaco-hover', { hasText: 'It was paid twice.' }).waitFor();
    await page.keyboard.press('Escape');
    await workbench.runCommand('Learnings: Focus on This File View');
    const thisFile = rows(page, 'This File');
    await thisFile.filter({ hasText: SUMMARY }).waitFor();

    // One command upvotes it.
    await start(page, 'Learnings: Upvote Learning');
    await answer(page);
    await until(() => existsSync(join(folder, '.learnings/L-0001/votes.jsonl')));
    assert.match(
      readFileSync(join(folder, '.learnings/L-0001/votes.jsonl'), 'utf8'),
      /"voter_model":"Ada".*"task_id":"main"/,
    );

    // Its successor takes its place.
    await start(page, 'Learnings: Supersede Learning…');
    await answer(page);
    await answer(page);
    await answer(page, 'Never retry a POST that has no idempotency key.');
    await answer(page);
    await answer(page);
    await answer(page);
    await until(() => textOf('L-0001').includes('superseded_by: L-0002'));
    await page.locator('.codelens-decoration', { hasText: 'idempotency key' }).waitFor();
    await thisFile.filter({ hasText: 'idempotency key' }).waitFor();
    git('add', '-A');
    git('commit', '--quiet', '-m', 'Learn');

    // Somebody breaks it by hand; a quick fix mends it.
    const good = textOf('L-0002');
    writeFileSync(recordOf('L-0002'), good.replace('kind: rule', 'kind: ruel'));
    await thisFile.filter({ hasText: 'idempotency key' }).waitFor({ state: 'detached' });
    await workbench.openFile('L-0002/learning.yaml');
    await page.locator('.squiggly-error').first().waitFor();
    await page.locator('.view-line', { hasText: 'ruel' }).first().click();
    await page.keyboard.press('ControlOrMeta+.');
    await page.locator('.action-widget', { hasText: 'rule' }).waitFor();
    await page.keyboard.press('Enter');
    await page
      .locator('.view-line', { hasText: /kind:\s*rule/ })
      .first()
      .waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await until(() => textOf('L-0002') === good);

    // A branch that changes it is checked out behind the editor's back.
    git('checkout', '--quiet', '-b', 'other');
    writeFileSync(recordOf('L-0002'), good.replace('that has no idempotency key', 'without asking'));
    git('commit', '--quiet', '-am', 'Say it otherwise');
    await workbench.openFile('client.ts');
    await page.locator('.codelens-decoration', { hasText: 'without asking' }).waitFor();
    git('checkout', '--quiet', 'main');
    await page.locator('.codelens-decoration', { hasText: 'idempotency key' }).waitFor();

    // The file is renamed in the Explorer, and the pattern follows.
    await workbench.runCommand('View: Show Explorer');
    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'client.ts' }).click();
    await page.keyboard.press('F2');
    const name = page.locator('.explorer-folders-view .monaco-inputbox input');
    await name.fill('wire.ts');
    await name.press('Enter');
    const toast = page.locator('.notification-toast', { hasText: 'moved' });
    await toast.getByRole('button', { name: 'Update' }).click();
    await until(() => textOf('L-0002').includes('src/wire.ts'));
    assert.doesNotMatch(textOf('L-0002'), /src\/client\.ts/);
    await workbench.openFile('wire.ts');
    await page.locator('.codelens-decoration', { hasText: 'idempotency key' }).waitFor();
    await workbench.close();
  });
});

const rows = (page: Page, view: string): Locator =>
  page.locator('.pane', { hasText: view }).locator('.monaco-list-row');

/** Starts a command that asks something. */
async function start(page: Page, title: string): Promise<void> {
  const box = page.locator('.quick-input-widget input.input');
  await page.keyboard.press('F1');
  await box.waitFor();
  await box.fill(`>${title}`);
  await page
    .locator('.quick-input-list .monaco-list-row', { hasText: title.split(': ').at(-1) ?? title })
    .first()
    .waitFor();
  await box.press('Enter');
  await wait(500);
}

/** Answers the question that is on the screen, with what is typed or what is proposed. */
async function answer(page: Page, text?: string): Promise<void> {
  const box = page.locator('.quick-input-widget input.input');
  await box.waitFor();
  if (text !== undefined) await box.fill(text);
  await wait(700);
  await page.keyboard.press('Enter');
  await wait(700);
}

async function until(isTrue: () => boolean, limitMs = 20_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!isTrue()) {
    assert.ok(Date.now() < deadline, `still not so: ${isTrue.toString()}`);
    await wait(100);
  }
}
