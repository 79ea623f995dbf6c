import * as vscode from 'vscode';

import { type Choices, type Finding, type Healed, type Problem } from '../../core/api';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { storesToCareFor, withProgress } from './stores';

interface Diagnosis {
  readonly root: string;
  readonly findings: readonly Finding[];
}

interface Row extends vscode.QuickPickItem {
  /** Opens its file. */
  readonly at?: { readonly root: string; readonly file: string; readonly line: number };
  readonly repairs?: true;
}

/** Shows what is wrong and what repairing would do; does it when told to, and says what is left. */
export async function showRepairs(surface: Surface): Promise<void> {
  const stores = storesToCareFor(surface);
  const title = vscode.l10n.t('Looking for problems in the learnings');
  const found = await withProgress(title, stores, async ({ root }): Promise<Diagnosis> => ({
    root,
    findings: await surface.workspace.writer(root).diagnose(),
  }));
  if (!found) return;
  if (found.every(({ findings }) => findings.length === 0)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('All is well: there is nothing to repair.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(rowsOf(found), {
    title: vscode.l10n.t('Repair Learnings'),
    placeHolder: vscode.l10n.t('Nothing is changed until you choose to repair. A problem opens its file.'),
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (picked?.at) await openAt(picked.at);
  if (picked?.repairs)
    await repair(
      surface,
      found.filter(({ findings }) => findings.some(canRepair)),
    );
}

const canRepair = ({ remedy, asks }: Finding): boolean => remedy !== undefined || asks !== undefined;

function rowsOf(found: readonly Diagnosis[]): Row[] {
  const all = found.flatMap(({ root, findings }) => findings.map((finding) => ({ root, ...finding })));
  const mendable = all.filter(canRepair);
  const rest = all.filter((finding) => !canRepair(finding));
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const rows: Row[] = [];
  if (mendable.length > 0) {
    const label =
      mendable.length === 1
        ? vscode.l10n.t('Repair 1 problem')
        : vscode.l10n.t('Repair {0} problems', mendable.length);
    rows.push(
      {
        label: `$(tools) ${label}`,
        detail: vscode.l10n.t('Nothing is lost by it, and git shows what has changed.'),
        alwaysShow: true,
        repairs: true,
      },
      separator(vscode.l10n.t('what repairing will do')),
      ...mendable.map(({ root, problem, remedy, asks }) => {
        const plan = remedy ?? '';
        const detail =
          asks === undefined ? plan : [plan, vscode.l10n.t('asks you first')].filter(Boolean).join('; ');
        return toRow(root, problem, `$(arrow-right) ${plainLabel(detail, 400)}`);
      }),
    );
  }
  if (rest.length > 0) {
    rows.push(
      separator(vscode.l10n.t('left to you')),
      ...rest.map(({ root, problem }) => toRow(root, problem, plainLabel(problem.hint, 400))),
    );
  }
  return rows;
}

function toRow(root: string, { message, file, line, severity }: Problem, detail: string): Row {
  return {
    label: `$(${severity}) ${plainLabel(shortName(file))}`,
    description: plainLabel(message),
    detail,
    at: { root, file, line },
  };
}

/** The id where there is one: every record has the same file name. */
const shortName = (file: string): string =>
  /(?:^|\/)([LPC]-[0-9a-f]+)(?:\/|$)/.exec(file)?.[1] ?? file.slice(file.lastIndexOf('/') + 1);

async function repair(surface: Surface, found: readonly Diagnosis[]): Promise<void> {
  const chosen: { root: string; choices: readonly Choices[] }[] = [];
  for (const { root, findings } of found) {
    const choices = await askChoices(surface, root, findings);
    if (!choices) return;
    chosen.push({ root, choices });
  }
  const title = vscode.l10n.t('Repairing the learnings');
  const options = { location: vscode.ProgressLocation.Notification, title };
  const healed = await vscode.window.withProgress(options, async () => {
    const outcomes: (Healed & { root: string })[] = [];
    for (const { root, choices } of chosen) {
      const store = surface.workspace.writer(root);
      for (const one of choices) outcomes.push({ root, ...(await store.heal(one)) });
    }
    return outcomes;
  });
  await surface.workspace.refresh();
  await report(surface, healed);
}

/** What only a person can decide; undefined if they would rather not. One round of healing for each circle. */
async function askChoices(
  { workspace }: Surface,
  root: string,
  findings: readonly Finding[],
): Promise<readonly Choices[] | undefined> {
  const contested = findings.filter(({ asks }) => asks === 'keep').map(({ problem }) => problem.file);
  let keep: Choices['keep'];
  if (contested.length > 0) {
    const sides: readonly (vscode.QuickPickItem & Pick<Choices, 'keep'>)[] = [
      {
        label: vscode.l10n.t('The newer side'),
        description: vscode.l10n.t('by its last change'),
        keep: undefined,
      },
      { label: vscode.l10n.t('Ours'), description: vscode.l10n.t('the branch you are on'), keep: 'ours' },
      {
        label: vscode.l10n.t('Theirs'),
        description: vscode.l10n.t('the branch that comes in'),
        keep: 'theirs',
      },
    ];
    const picked = await vscode.window.showQuickPick(sides, {
      title: vscode.l10n.t('Both Sides of a Merge Changed the Same Text'),
      placeHolder: vscode.l10n.t('Whose text holds in {0}?', contested.join(', ')),
      ignoreFocusOut: true,
    });
    if (!picked) return undefined;
    keep = picked.keep;
  }
  const choices: Choices[] = [];
  for (const { asks } of findings) {
    if (asks === undefined || asks === 'keep') continue;
    const items = asks.inUse.map((id) => ({
      label: id,
      detail: plainLabel(workspace.get({ root, id })?.held.record.summary ?? ''),
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('These Supersede Each Other'),
      placeHolder: vscode.l10n.t('Which one holds?'),
      ignoreFocusOut: true,
    });
    if (!picked) return undefined;
    choices.push({ keep, inUse: picked.label });
  }
  return choices.length > 0 ? choices : [{ keep }];
}

type Outcomes = readonly (Healed & { readonly root: string })[];

async function report({ log }: Surface, outcomes: Outcomes): Promise<void> {
  const done = outcomes.flatMap((one) => one.done.map((entry) => ({ root: one.root, ...entry })));
  const failed = outcomes.flatMap((one) => one.failed.map((entry) => ({ root: one.root, ...entry })));
  // Each round tells of everything that is left, so the last one of a root is right.
  const last = new Map(outcomes.map((one) => [one.root, one.left]));
  const left = [...last].flatMap(([root, problems]) => problems.map((problem) => ({ root, problem })));
  for (const { file, did } of done) log.info(`${file}: ${did}`);
  for (const { file, why } of failed) log.warn(`${file}: ${why}`);

  const repaired =
    done.length === 1 ? vscode.l10n.t('1 repair done.') : vscode.l10n.t('{0} repairs done.', done.length);
  const open =
    left.length === 0 ? vscode.l10n.t('Nothing is left.') : vscode.l10n.t('Left to you: {0}.', left.length);
  const details = vscode.l10n.t('Show Details');
  const show = left.length === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  if ((await show(`${repaired} ${open}`, details)) !== details) return;
  const separator = (label: string): Row => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const rows: Row[] = [
    ...done.map(({ root, file, did }) => ({
      label: `$(check) ${plainLabel(shortName(file))}`,
      description: plainLabel(did),
      at: { root, file, line: 1 },
    })),
    ...(failed.length > 0 ? [separator(vscode.l10n.t('not repaired'))] : []),
    ...failed.map(({ root, file, why }) => ({
      label: `$(error) ${plainLabel(shortName(file))}`,
      description: plainLabel(why),
      at: { root, file, line: 1 },
    })),
    ...(left.length > 0 ? [separator(vscode.l10n.t('left to you'))] : []),
    ...left.map(({ root, problem }) => toRow(root, problem, plainLabel(problem.hint, 400))),
  ];
  const picked = await vscode.window.showQuickPick(rows, { title: `${repaired} ${open}` });
  if (picked?.at) await openAt(picked.at);
}

async function openAt({ root, file, line }: NonNullable<Row['at']>): Promise<void> {
  const uri = vscode.Uri.joinPath(vscode.Uri.file(root), file);
  const start = new vscode.Position(Math.max(0, line - 1), 0);
  try {
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(start, start) });
  } catch {
    // A folder, or a file that is missing: then its place in the Explorer says most.
    await vscode.commands.executeCommand('revealInExplorer', uri);
  }
}
