import * as vscode from 'vscode';

import { kinds, proposeTopFolders, type Change, type Held } from '../../core/api';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { resolveTarget, type Target } from '../target';
import { plainLabel } from '../text';
import { refOf, type Entry } from '../workspace';
import { announce, textOf, write } from './after';
import { back, windowAsk, type Answer, type Ask, type Row } from './ask';
import { writerOf } from './place';
import { checkSummary, scopeQuestion, tagQuestion, whyQuestion } from './questions';

/** One thing that can be changed: what it is called, what it is now, and how its new value is asked for. */
interface Field {
  readonly label: string;
  readonly icon: string;
  readonly key: Change[0];
  /** As it stands in the record; undefined if it is not there. */
  value(record: Held['record']): string | number | readonly string[] | undefined;
  ask(entry: Entry, question: FieldQuestion): Promise<Answer<unknown>>;
}

interface FieldQuestion {
  readonly frame: { readonly title: string; readonly canGoBack: true };
  readonly surface: Surface;
  readonly ask: Ask;
}

export async function editLearning(surface: Surface, target: Target, ask: Ask = windowAsk): Promise<void> {
  const entry = await resolveTarget(surface, target, {
    title: vscode.l10n.t('Edit Learning'),
    accept: ({ status }) => status !== 'archived',
  });
  if (!entry) return;
  for (;;) {
    const field = await chooseField(entry, ask);
    if (field === undefined) return;
    const ref = refOf(entry.store.root, entry.held);
    if (field === 'yaml') {
      await vscode.commands.executeCommand(commandIds.openRecord, ref);
      return;
    }
    const title = `${entry.held.record.id}: ${field.label}`;
    // Read before the question: what somebody else changes while it is answered is not overwritten.
    const store = surface.workspace.writer(entry.held.origin.root);
    const expected = await textOf(store, entry.held.file);
    const answer = await field.ask(entry, { frame: { title, canGoBack: true }, surface, ask });
    if (answer === undefined) return;
    if (answer === back) continue;
    await change(surface, entry, { field, value: answer.value, expected, ask });
    return;
  }
}

async function chooseField(entry: Entry, ask: Ask): Promise<Field | 'yaml' | undefined> {
  const { record } = entry.held;
  const rows: Row<Field | 'yaml'>[] = fields().map((field) => ({
    label: `$(${field.icon}) ${field.label}`,
    description: plainLabel(describe(field.value(record)), 100),
    value: field,
  }));
  const answer = await ask.pickOne<Field | 'yaml'>({
    title: vscode.l10n.t('Edit {0}', record.id),
    placeholder: plainLabel(record.summary, 120),
    rows: (typed) =>
      [
        ...rows,
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { label: `$(go-to-file) ${vscode.l10n.t('Open as YAML')}`, value: 'yaml' as const },
      ].filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase())),
  });
  return typeof answer === 'object' ? answer.value : undefined;
}

function describe(value: ReturnType<Field['value']>): string {
  if (value === undefined) return vscode.l10n.t('none');
  return typeof value === 'object' ? value.join(', ') : String(value);
}

async function change(
  surface: Surface,
  entry: Entry,
  { field, value, expected, ask }: { field: Field; value: unknown; expected: string; ask: Ask },
): Promise<void> {
  const { held } = entry;
  const { id } = held.record;
  const before = field.value(held.record);
  if (JSON.stringify(value) === JSON.stringify(before)) return;
  const store = await writerOf(surface, entry, ask);
  if (!store) return;
  await write(surface, () => store.update(id, [[field.key, value]], { expected }));
  const after = await textOf(store, held.file);
  announce(surface, ask, {
    message: vscode.l10n.t('Changed {0}: {1}.', id, field.label.toLowerCase()),
    open: refOf(entry.store.root, held),
    undo: () => store.update(id, [[field.key, before]], { expected: after }),
  });
}

const noneIfEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

/** A function, since their names are in the language of the editor. */
const fields = (): readonly Field[] => [
  {
    label: vscode.l10n.t('Summary'),
    icon: 'quote',
    key: ['summary'],
    value: ({ summary }) => summary,
    ask: ({ held }, { ask, frame }) =>
      ask.write({
        ...frame,
        prompt: vscode.l10n.t('One sentence: what the next person should know.'),
        text: held.record.summary,
        check: checkSummary,
      }),
  },
  {
    label: vscode.l10n.t('Scope'),
    icon: 'files',
    key: ['scope', 'paths'],
    value: ({ scope }) => noneIfEmpty(scope.paths),
    async ask({ held }, { ask, surface, frame }) {
      const question = scopeQuestion({
        files: surface.workspace.listFiles(held.origin.root),
        propose: proposeTopFolders,
        chosen: held.record.scope.paths,
        isGuess: false,
      });
      const { tags, symbols } = held.record.scope;
      const needsOne = tags.length + symbols.length === 0;
      const refuse = (chosen: readonly string[]): string | undefined =>
        needsOne && chosen.length === 0
          ? vscode.l10n.t('It has no tags, so it must be about some files.')
          : question.refuse?.(chosen);
      return listAnswer(await ask.pickMany({ ...frame, ...question, refuse }));
    },
  },
  {
    label: vscode.l10n.t('Tags'),
    icon: 'tag',
    key: ['scope', 'tags'],
    value: ({ scope }) => noneIfEmpty(scope.tags),
    async ask({ store, held }, { ask, frame }) {
      const { tags, paths, symbols } = held.record.scope;
      const question = tagQuestion({ store, chosen: tags, needsOne: paths.length + symbols.length === 0 });
      return listAnswer(await ask.pickMany({ ...frame, ...question }));
    },
  },
  {
    label: vscode.l10n.t('Why'),
    icon: 'comment',
    key: ['rationale'],
    value: ({ rationale }) => rationale,
    async ask({ held }, { ask, frame }) {
      const answer = await ask.write({ ...frame, ...whyQuestion(held.record.rationale ?? '') });
      return typeof answer === 'object' ? { value: answer.value === '' ? undefined : answer.value } : answer;
    },
  },
  choiceField(vscode.l10n.t('Kind'), { key: 'kind', icon: 'symbol-enum', choices: kinds }),
  {
    label: vscode.l10n.t('Priority'),
    icon: 'arrow-up',
    key: ['priority'],
    value: ({ priority }) => priority,
    async ask({ held }, { ask, frame }) {
      const answer = await ask.write({
        ...frame,
        prompt: vscode.l10n.t('A whole number; higher comes first, 0 is usual.'),
        text: String(held.record.priority),
        check: (text) =>
          /^-?\d{1,9}$/.test(text.trim()) ? undefined : vscode.l10n.t('A whole number, such as 10.'),
      });
      return typeof answer === 'object' ? { value: Number(answer.value) } : answer;
    },
  },
  choiceField(vscode.l10n.t('Confidence'), {
    key: 'confidence',
    icon: 'verified',
    choices: ['high', 'medium'] as const,
  }),
];

function choiceField(
  label: string,
  { key, icon, choices }: { key: 'kind' | 'confidence'; icon: string; choices: readonly string[] },
): Field {
  return {
    label,
    icon,
    key: [key],
    value: (record) => record[key],
    ask: ({ held }, { ask, frame }) =>
      ask.pickOne({
        ...frame,
        placeholder: vscode.l10n.t('It is {0} now.', held.record[key]),
        rows: (typed) =>
          choices
            .filter((choice) => choice.includes(typed.trim().toLowerCase()))
            .map((choice) => ({ label: choice, value: choice })),
      }),
  };
}

const listAnswer = (answer: Answer<readonly string[]>): Answer<unknown> =>
  typeof answer === 'object' ? { value: noneIfEmpty(answer.value) } : answer;
