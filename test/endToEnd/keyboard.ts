import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Locator, Page } from 'playwright-core';

/** What a person who never touches the mouse does, each step only once the one before shows. */
export interface Keyboard {
  /** Runs a command from the palette, which may go on to ask something. */
  run(title: string): Promise<void>;
  /** What the palette offers for some words, as far as it fits on the screen, once one of them shows. */
  offers(words: string, one: string): Promise<string[]>;
  /** Opens a file by its path. */
  open(path: string): Promise<void>;
  /** Waits for a question by what is in its title, such as `2/5`. */
  question(title: string): Promise<Locator>;
  /** Answers the question that is asked: types, waits for the row that Enter will take, and takes it. */
  answer(question: string, how: { readonly type?: string; readonly takes?: string }): Promise<void>;
  /** Takes the first action of the notification that says this. */
  acceptNotification(text: string): Promise<void>;
  /** Presses keys again until something shows: VS Code passes over one that comes before it knows what it is for. */
  insist(keys: readonly string[], shows: Locator): Promise<void>;
  /** Until an input is closed. */
  noQuestion(): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const widget = page.locator('.quick-input-widget');
  const box = widget.locator('input.input');
  const focused = widget.locator('.monaco-list-row.focused');
  const select = async (text: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  const question = async (title: string): Promise<Locator> => {
    await widget.locator('.quick-input-title', { hasText: title }).waitFor();
    await page.waitForFunction(`document.activeElement?.closest('.quick-input-widget') !== null`);
    return widget;
  };
  /** Types into the box that a key opens, until the row that is meant is the one that Enter takes. */
  const summonBox = async (key: string, text: string, meant: (row: Locator) => Locator): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      await page.keyboard.press(key);
      await box.waitFor();
      await select(text);
      try {
        await meant(focused).waitFor({ timeout: PATIENCE_MS });
        break;
      } catch (error) {
        // Whoever knows it has not started, or a page that was slow to open took the focus and the box with it.
        if (attempt === 10) throw error;
        await page.keyboard.press('Escape');
      }
    }
  };
  const summon: typeof summonBox = async (...what) => {
    await summonBox(...what);
    await page.keyboard.press('Enter');
  };
  const run = async (title: string): Promise<void> => {
    await summon('F1', `>${title}`, (row) => row.filter({ hasText: title }));
    // What it asks, if anything, comes in the same widget.
    await page.waitForFunction(`(() => {
      const input = document.querySelector('.quick-input-widget input.input');
      return !input?.checkVisibility() || !input.value.startsWith('>');
    })()`);
  };
  return {
    question,
    run,
    async offers(words, one) {
      await summonBox('F1', `>${words}`, (row) => row.filter({ hasText: words.trim() }));
      // Before it has looked for the words, the palette shows all there is.
      await widget.locator('.monaco-list-row', { hasText: one }).waitFor();
      const titles = await widget.locator('.monaco-list-row').allTextContents();
      await page.keyboard.press('Escape');
      await widget.waitFor({ state: 'hidden' });
      return titles;
    },
    async open(path) {
      await summon('ControlOrMeta+P', path, (row) =>
        row.filter({ hasText: basename(path) }).filter({ hasText: dirname(path).replace(/^\.$/, '') }),
      );
      await widget.waitFor({ state: 'hidden' });
    },
    async answer(title, { type, takes }) {
      await question(title);
      if (type !== undefined) await select(type);
      if (takes !== undefined) await focused.filter({ hasText: takes }).waitFor();
      await page.keyboard.press('Enter');
      await widget.locator('.quick-input-title', { hasText: title }).waitFor({ state: 'hidden' });
    },
    async acceptNotification(text) {
      await page.locator('.notification-toast', { hasText: text }).waitFor();
      // It has a key of its own only for those who use a screen reader.
      await run('Accept Notification Primary Action');
      await page.locator('.notification-toast', { hasText: text }).waitFor({ state: 'hidden' });
    },
    async insist(keys, shows) {
      for (let attempt = 1; ; attempt++) {
        for (const key of keys) await page.keyboard.press(key);
        try {
          return await shows.waitFor({ timeout: PATIENCE_MS });
        } catch (error) {
          if (attempt === 10) throw error;
        }
      }
    },
    noQuestion: () => widget.waitFor({ state: 'hidden' }),
  };
}

/** How long a key is given to show an effect. */
const PATIENCE_MS = 2000;

/** What is on disk tells nobody that it has changed. */
export async function onDisk(what: string, isSo: () => boolean, limitMs = 20_000): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!isSo()) {
    assert.ok(Date.now() < deadline, `not on disk after ${limitMs / 1000} s: ${what}`);
    await pause(50);
  }
}
