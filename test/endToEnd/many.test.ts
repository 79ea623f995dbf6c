import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { writeMadeUpStore } from '../../scripts/madeUpStore';
import { builtVsix } from '../host/workbench';
import { copySample, useDesk } from './desk';
import { keyboardOf } from './keyboard';

const COUNT = 5000;

describe('5,000 learnings, with the .vsix installed', () => {
  const desk = useDesk();

  it('scroll as smoothly as a window that stands still', async () => {
    const folder = copySample(desk());
    rmSync(join(folder, '.learnings'), { recursive: true });
    writeMadeUpStore(folder, COUNT);
    const workbench = await desk().open({
      folder,
      extensions: [builtVsix()],
      settings: { 'chat.disableAIFeatures': true },
    });
    const { page } = workbench;
    const keyboard = keyboardOf(page);
    await keyboard.run('Learnings: Focus on All Learnings View');
    const rows = page.locator('.pane', { hasText: 'All Learnings' }).locator('.monaco-list-row');
    await rows.first().waitFor();
    await keyboard.run('Learnings: Group By…');
    await keyboard.answer('Group Learnings By', { type: 'No Groups', takes: 'No Groups' });
    await page.locator(`.monaco-list-row[aria-setsize="${COUNT}"]`).first().waitFor();
    await keyboard.run('Learnings: Focus on All Learnings View');

    const still = await framesDuring(page, () => page.waitForTimeout(1500));
    const place = await rows.first().boundingBox();
    assert.ok(place);
    await page.mouse.move(place.x + 40, place.y + 10);
    const scrolling = await framesDuring(page, async () => {
      for (let turn = 0; turn < 100; turn++) await page.mouse.wheel(0, 400);
    });
    // Half of the frames, so that a stall of the machine is not taken for ours.
    assert.ok(scrolling <= still * 2, `${scrolling} ms a frame, ${still} ms without scrolling`);
    const drawn = await rows.count();
    assert.ok(drawn < 60, `${drawn} rows are drawn`);
    await page.keyboard.press('End');
    await page.locator(`.monaco-list-row[aria-posinset="${COUNT}"]`).waitFor();
    await workbench.close();
  });
});

/** How long the page takes for a frame, at the median, while something happens. */
async function framesDuring(page: Page, happen: () => Promise<void>): Promise<number> {
  await page.evaluate(`(() => {
    const frames = (window.framesOfTest = []);
    let last = performance.now();
    const tick = (now) => {
      frames.push(now - last);
      last = now;
      if (window.framesOfTest === frames) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  })()`);
  await happen();
  const frames: number[] = await page.evaluate(
    '(() => { const all = window.framesOfTest; window.framesOfTest = undefined; return all; })()',
  );
  return frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)] ?? NaN;
}
