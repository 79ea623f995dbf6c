import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { checkSetting, isSettingKey, type Settings } from '../core/api';
import { replaceDerived } from './indexFile';
import { cacheOf, makeCache } from './journal';
import { editorSettingsFile } from './signs';

/**
 * Writes what somebody set in the editor to where the programs find it that cannot ask the editor; where nothing is
 * set there is no file. True if that is another than before.
 */
export function leaveEditorSettings(root: string, settings: Partial<Settings>): boolean {
  if (!existsSync(join(root, '.learnings'))) return false;
  const file = editorSettingsFile(root);
  const text = Object.keys(settings).length === 0 ? '' : `${JSON.stringify(settings, null, 2)}\n`;
  if (text === readText(file)) return false;
  if (text === '') rmSync(file, { force: true });
  else {
    makeCache(root);
    replaceDerived(cacheOf(root), file, new TextEncoder().encode(text));
  }
  return true;
}

/** What was set in the editor when it last said so. What is no setting, or cannot be one's value, is passed over. */
export function readEditorSettings(root: string): Partial<Settings> {
  const text = readText(editorSettingsFile(root));
  if (text === '') return {};
  try {
    const values = Object.entries(JSON.parse(text) as object).filter(
      ([key, value]) => isSettingKey(key) && 'value' in checkSetting(key, value),
    );
    return Object.fromEntries(values);
  } catch {
    return {};
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
