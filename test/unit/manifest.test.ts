import assert from 'node:assert/strict';

import manifest from '../../package.json';
import strings from '../../package.nls.json';
import { definitions, settingKeys } from '../../src/core/api';

/** `caps.per_call` of config.yaml is `learnings.caps.perCall` of the editor. */
const editorKeyOf = (key: string): string =>
  `learnings.${key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;

describe('package.json', () => {
  it('takes every text that people read from package.nls.json, which has no others', () => {
    const named = [...JSON.stringify(manifest).matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(named)].toSorted(), Object.keys(strings).toSorted());
  });

  it('names only its own commands, views and settings', () => {
    const { contributes } = manifest;
    const commands = new Set(contributes.commands.map(({ command }) => command));
    const views = new Set(contributes.views.learnings.map(({ id }) => id));
    const text = JSON.stringify([contributes.menus, contributes.viewsWelcome, strings]);
    for (const [, command = ''] of text.matchAll(/(?:"command":"|command:)(learnings\.\w+(?:\.focus)?)/g))
      assert.ok(commands.has(command) || views.has(command.replace('.focus', '')), command);
    for (const [, view = ''] of text.matchAll(/view == (learnings\.\w+)/g)) assert.ok(views.has(view), view);
  });

  it('has a setting for each of config.yaml that is in effect, with the same default', () => {
    const properties: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;
    const caps: Record<string, unknown> =
      manifest.contributes.configuration.properties['learnings.caps'].default;
    const waiting = /^promote_after_days$/;
    for (const key of settingKeys) {
      const name = editorKeyOf(key);
      const isCap = key.startsWith('caps.');
      const cap = caps[name.replace('learnings.caps.', '')];
      const setting = isCap ? { default: cap } : properties[name];
      if (waiting.test(key)) assert.equal(setting, undefined, `${key} does nothing yet`);
      else assert.deepEqual(setting?.default, definitions[key].default, key);
    }
    assert.ok(Object.keys(properties).length <= 20);
  });
});
