import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import type { Locator, Page } from 'playwright-core';

import { builtVsix } from '../host/workbench';
import { fixture, useDesk } from './desk';
import { keyboardOf, onDisk } from './keyboard';

const settings = { 'chat.disableAIFeatures': true };

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const record = (id: string, summary: string, path: string): Record<string, string> => ({
  [`.learnings/${id}/learning.yaml`]: JSON.stringify({
    id,
    schemaVersion: 1,
    summary,
    scope: { paths: [path] },
  }),
});

function makeRepository(folder: string): void {
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
}

const lens = (page: Page, text: string): Locator => page.locator('.codelens-decoration', { hasText: text });
const rows = (page: Page, view: string): Locator =>
  page.locator('.pane', { hasText: view }).locator('.monaco-list-row');

/** Every file below a folder, with its text and when it was last written. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => `${file} ${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`);
}

describe('what is open, with the .vsix installed', () => {
  const desk = useDesk();

  it('keeps apart the stores of the folders of a workspace', async () => {
    const outer = desk().lifeline.makeFolder('folders');
    const [first, second] = [join(outer, 'alpha'), join(outer, 'beta')];
    write(first, { 'src/one.ts': 'one();\n', ...record('L-0001', 'Alpha knows.', 'src/**') });
    write(second, { 'src/two.ts': 'two();\n', ...record('L-0001', 'Beta knows.', 'src/**') });
    makeRepository(first);
    makeRepository(second);
    const before = everything(join(first, '.learnings', 'L-0001'));
    const workspace = join(outer, 'both.code-workspace');
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }));
    const workbench = await desk().open({ folder: workspace, extensions: [builtVsix()], settings });
    const { page } = workbench;
    const keyboard = keyboardOf(page);

    await page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'beta' }).waitFor();

    // A learning of one folder says nothing about the files of the other, whatever its pattern.
    await keyboard.open('src/one.ts');
    await lens(page, '1 learning: Alpha knows.').waitFor();
    await keyboard.open('src/two.ts');
    await lens(page, '1 learning: Beta knows.').waitFor();
    await page.locator('.statusbar-item[aria-label="1 learning about this file"]').waitFor();
    await keyboard.run('Learnings: Focus on This File View');
    await rows(page, 'This File').filter({ hasText: 'Beta knows.' }).waitFor();
    await keyboard.run('Learnings: Focus on All Learnings View');
    for (const label of ['alpha, 1 learning', 'beta, 1 learning'])
      await page.locator(`.monaco-list-row[aria-label^="${label}"]`).waitFor();

    // What is written goes where the file in front is.
    await keyboard.run('Learnings: Add Learning…');
    await keyboard.answer('1/4', { type: 'Beta learns.', takes: 'Go on with this sentence' });
    for (const step of ['2/4', '3/4', '4/4']) await keyboard.answer(step, {});
    await onDisk('the new learning', () => existsSync(join(second, '.learnings', 'L-0002', 'learning.yaml')));
    await lens(page, '2 learnings').waitFor();
    assert.equal(existsSync(join(first, '.learnings', 'L-0002')), false);
    assert.deepEqual(everything(join(first, '.learnings', 'L-0001')), before);
    await workbench.close();
  });

  it('sees in a folder below the root what the root has, and writes there', async () => {
    const root = join(desk().lifeline.makeFolder('nested'), 'harbour');
    write(root, {
      'packages/web/page.ts': 'page();\n',
      'other.ts': 'other();\n',
      ...record('L-0001', 'Pages are cached.', 'packages/web/**'),
    });
    makeRepository(root);
    const folder = join(root, 'packages', 'web');
    const workbench = await desk().open({ folder, extensions: [builtVsix()], settings });
    const { page } = workbench;
    const keyboard = keyboardOf(page);
    await keyboard.open('page.ts');
    await lens(page, '1 learning: Pages are cached.').waitFor();
    await keyboard.run('Learnings: Add Learning…');
    await keyboard.answer('1/4', { type: 'Pages have a title.', takes: 'Go on with this sentence' });
    for (const step of ['2/4', '3/4', '4/4']) await keyboard.answer(step, {});
    const added = join(root, '.learnings', 'L-0002', 'learning.yaml');
    await onDisk('the new learning', () => existsSync(added));
    assert.match(readFileSync(added, 'utf8'), /packages\/web\/page\.ts/);
    assert.equal(existsSync(join(folder, '.learnings')), false);
    // The watcher looks above the folder that is open.
    await lens(page, '2 learnings').waitFor();
    write(root, record('L-0003', 'Written elsewhere.', 'packages/web/*.ts'));
    await lens(page, '3 learnings').waitFor();
    await workbench.close();
  });

  it('shows learnings in a workspace that nobody trusts; writes, runs and gives out nothing', async () => {
    const outer = desk().lifeline.makeFolder('untrusted');
    const folder = join(outer, 'harbour');
    write(folder, { 'src/one.ts': 'one();\n', ...record('L-0001', 'Not trusted yet.', 'src/**') });
    makeRepository(folder);
    // Whoever runs git, here or in VS Code, leaves a line.
    const [log, bin] = [join(outer, 'git.log'), join(outer, 'bin')];
    write(bin, { git: `#!/bin/sh\necho "$@" >> '${log}'\nexit 1\n` });
    chmodSync(join(bin, 'git'), 0o755);
    const before = everything(folder);
    const workbench = await desk().open({
      folder,
      extensions: [builtVsix(), fixture('toolCaller')],
      untrusted: true,
      env: { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
    });
    const { page } = workbench;
    const keyboard = keyboardOf(page);
    const told = (text: string): Locator => page.locator('.notification-toast', { hasText: text });
    await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();

    await keyboard.open('src/one.ts');
    await lens(page, '1 learning: Not trusted yet.').waitFor();
    await keyboard.run('Learnings: Focus on This File View');
    await rows(page, 'This File').filter({ hasText: 'Not trusted yet.' }).waitFor();
    await keyboard.run('Learnings: Explain Learnings for This File');
    await page.locator('.tab.active', { hasText: 'Learnings for one.ts' }).waitFor();
    // The page is about the file, so the view goes on showing what is known about it.
    await rows(page, 'This File').filter({ hasText: 'Not trusted yet.' }).waitFor();

    // The palette offers what reads, and nothing that writes or runs git.
    const offered = await keyboard.offers('Learnings: ', 'Search Learnings');
    const barred =
      /\b(?:Add|Edit|Supersede|Upvote|Archive|Restore|Promote|Reject|Sync|Staleness|Repair|Start Keeping)\b/;
    assert.deepEqual(
      offered.filter((title) => title.startsWith('Learnings: ') && barred.test(title)),
      [],
    );
    await keyboard.run('Call find_learnings');
    await told('refused: The user has not trusted this workspace').waitFor();

    assert.deepEqual(everything(folder), before);
    assert.equal(existsSync(log) ? readFileSync(log, 'utf8') : '', '');
    await workbench.close();
  });
});
