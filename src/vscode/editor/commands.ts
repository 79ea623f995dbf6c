import * as vscode from 'vscode';

import type { Match } from '../../core/api';
import { commandIds, type CommandId } from '../ids';
import { hintKeys, hintSettings } from '../settings';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { refOf, type LearningRef } from '../workspace';
import { countOf } from './wording';

interface Row extends vscode.QuickPickItem {
  readonly target: LearningRef;
}

interface RowButton extends vscode.QuickInputButton {
  readonly command: CommandId;
}

/** The learnings about a file, or about symbols in it, best first, with what can be done with each. */
export async function showForFile(
  surface: Surface,
  uri: vscode.Uri | undefined,
  symbols: readonly string[] = [],
): Promise<void> {
  const file = uri ? vscode.Uri.from(uri) : surface.activeFile.uri;
  if (!file) return tell(vscode.l10n.t('No file is open whose learnings could be shown.'));
  const find = (): readonly Row[] | undefined => rowsFor(surface, file, symbols);
  const rows = find();
  const name = symbols.length > 0 ? symbols.join(', ') : (file.path.split('/').at(-1) ?? '');
  if (!rows) return tell(vscode.l10n.t('{0} is in no open folder that has learnings.', name));
  if (rows.length === 0) return offerToAdd(file, name);

  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('{0} about {1}', countOf(rows.length), name);
  pick.placeholder = vscode.l10n.t('Enter opens the learning');
  pick.matchOnDetail = true;
  pick.items = rows;
  const run = (command: CommandId, target: LearningRef): void =>
    void vscode.commands.executeCommand(command, target);
  const subscriptions = [
    surface.workspace.onDidChange(() => (pick.items = find() ?? [])),
    pick.onDidAccept(() => {
      const [row] = pick.selectedItems;
      pick.hide();
      if (row) run(commandIds.openRecord, row.target);
    }),
    pick.onDidTriggerItemButton(({ item, button }) => {
      const { command } = button as RowButton;
      // A vote changes what is listed here; anything else leads elsewhere.
      if (command !== commandIds.upvote) pick.hide();
      run(command, item.target);
    }),
    pick.onDidHide(() => {
      for (const subscription of subscriptions) subscription.dispose();
      pick.dispose();
    }),
  ];
  pick.show();
}

function rowsFor(
  { workspace }: Surface,
  uri: vscode.Uri,
  symbols: readonly string[],
): readonly Row[] | undefined {
  const store = workspace.storeFor(uri);
  const found = symbols.length > 0 ? store?.find({ symbols }) : workspace.findForFile(uri);
  return store && found?.matches.map((match) => toRow(store.root, match));
}

function toRow(root: string, match: Match): Row {
  const { record, matchedBy, origin } = match;
  const target = refOf(root, match);
  const place = origin.kind === 'repository' ? record.id : `${record.id} · ${origin.name}`;
  return {
    label: plainLabel(record.summary),
    // Not in the description, which a long summary would push out of sight.
    detail: plainLabel(vscode.l10n.t('{0} · matched by {1}', place, matchedBy.join(', '))),
    buttons: rowButtons(),
    target,
  };
}

function rowButtons(): readonly RowButton[] {
  const button = (command: CommandId, icon: string, tooltip: string): RowButton => ({
    command,
    tooltip,
    iconPath: new vscode.ThemeIcon(icon),
  });
  return [
    button(commandIds.openRecord, 'go-to-file', vscode.l10n.t('Open')),
    // Nothing is written in a workspace that nobody trusts.
    ...(vscode.workspace.isTrusted
      ? [
          button(commandIds.upvote, 'thumbsup', vscode.l10n.t('Upvote')),
          button(commandIds.supersede, 'replace', vscode.l10n.t('Supersede…')),
        ]
      : []),
  ];
}

async function tell(message: string): Promise<void> {
  await vscode.window.showInformationMessage(message);
}

async function offerToAdd(uri: vscode.Uri, name: string): Promise<void> {
  const add = vscode.l10n.t('Add Learning…');
  const message = vscode.l10n.t('No learning is about {0}.', name);
  const offers = vscode.workspace.isTrusted ? [add] : [];
  if ((await vscode.window.showInformationMessage(message, ...offers)) === add)
    await vscode.commands.executeCommand(commandIds.add, uri);
}

/** Where it is remembered what was on, and what the person had set, before hints were turned off. */
const BEFORE = 'learnings.hintsBefore';

type Before = Partial<Record<keyof typeof hintKeys, boolean | null>>;

/** Turns everything off that is shown in and around the editor, or on again as it was. */
export async function toggleHints({ ownMemory }: Surface): Promise<void> {
  const settings = hintSettings();
  const remembered = ownMemory.get<Before>(BEFORE, {});
  const on = settings.filter(({ isOn }) => isOn);
  if (on.length > 0) {
    const before: Before = {};
    for (const { hint, own } of on) before[hint] = own ?? null;
    // What a workspace kept on the last time was the same before.
    await ownMemory.update(BEFORE, { ...before, ...remembered });
    for (const setting of on) await setting.set(false);
  } else {
    const isRemembered = Object.keys(remembered).length > 0;
    for (const setting of settings)
      if (!isRemembered || setting.hint in remembered)
        await setting.set(remembered[setting.hint] ?? undefined);
    await ownMemory.update(BEFORE, undefined);
  }
  const isOn = hintSettings().some((setting) => setting.isOn);
  if (isOn && on.length > 0) return tell(vscode.l10n.t('The settings of this workspace keep some hints on.'));
  if (!isOn && on.length === 0)
    return tell(vscode.l10n.t('The settings of this workspace keep the hints off.'));
  const message = isOn ? vscode.l10n.t('Learnings hints are on') : vscode.l10n.t('Learnings hints are off');
  vscode.window.setStatusBarMessage(message, 4000);
}
