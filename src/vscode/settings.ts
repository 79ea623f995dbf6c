import * as vscode from 'vscode';

import { checkSetting, settingKeys, type SettingKey, type Settings } from '../core/api';

const SECTION = 'learnings';

/** What is shown in the editor, each switched on its own. */
export const hintKeys = {
  codeLens: 'editor.codeLens',
  symbolLens: 'editor.symbolLens',
  hover: 'editor.hover',
  statusBar: 'editor.statusBar',
  explorerBadge: 'explorer.badge',
} as const;
type Hint = keyof typeof hintKeys;

/** Whether the globs of learnings are offered a rewrite when files are renamed. */
const OFFER_RENAMES = 'offerRenames';

/** `max_age_days` of config.yaml is `learnings.maxAgeDays` of the editor. */
const editorKeyOf = (key: SettingKey): string =>
  key.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Of `caps.perCall` the object `caps` and its property: the caps are one setting, so as not to fill a page with them. */
const partsOf = (key: string): [setting: string, property?: string] =>
  key.startsWith('caps.') ? ['caps', key.slice('caps.'.length)] : [key];

export function isHintOn(hint: Hint, scope?: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration(SECTION, scope).get(hintKeys[hint], false);
}

interface HintSetting {
  readonly hint: Hint;
  readonly isOn: boolean;
  /** What the person set for every workspace; undefined if nothing. */
  readonly own: boolean | undefined;
  /** Sets it for every workspace; undefined takes it back. */
  set(value: boolean | undefined): Thenable<void>;
}

/** Each hint as it is now, whatever folder. */
export function hintSettings(): HintSetting[] {
  const configuration = vscode.workspace.getConfiguration(SECTION);
  return (Object.keys(hintKeys) as Hint[]).map((hint) => ({
    hint,
    isOn: isHintOn(hint),
    own: configuration.inspect<boolean>(hintKeys[hint])?.globalValue,
    set: (value) => configuration.update(hintKeys[hint], value, vscode.ConfigurationTarget.Global),
  }));
}

export function offersRenames(scope: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration(SECTION, scope).get(OFFER_RENAMES, true);
}

/** The policy that somebody set in the editor; what nobody touched is left to config.yaml. */
export function editorSettings(root: string): Partial<Settings> {
  const configuration = vscode.workspace.getConfiguration(SECTION, vscode.Uri.file(root));
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const key of settingKeys) {
    const [setting, property] = partsOf(editorKeyOf(key));
    const found = configuration.inspect<unknown>(setting);
    const [value] = [found?.workspaceFolderValue, found?.workspaceValue, found?.globalValue]
      .map((one) => (property === undefined ? one : (one as Record<string, unknown> | undefined)?.[property]))
      .filter((one) => one !== undefined);
    const checked = value === undefined ? undefined : checkSetting(key, value);
    if (checked && 'value' in checked) values[key] = checked.value;
  }
  return values as Partial<Settings>;
}

/** Tells when one of ours changed. */
export function onDidChangeSettings(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SECTION)) listener();
  });
}
