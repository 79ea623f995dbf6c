import * as vscode from 'vscode';

import { findSimilar } from '../../core/api';
import type { Surface } from '../surface';
import { resolveTarget, type Target } from '../target';
import { plainLabel } from '../text';
import { refOf, type Entry } from '../workspace';
import { addAt } from './add';
import { announce, write } from './after';
import { windowAsk, type Ask, type Row } from './ask';
import { writerOf } from './place';

type Successor = { readonly id: string } | 'new';

export async function supersedeLearning(
  surface: Surface,
  target: Target,
  ask: Ask = windowAsk,
): Promise<void> {
  const title = vscode.l10n.t('Supersede Learning');
  const entry = await resolveTarget(surface, target, { title, accept: ({ status }) => status === 'active' });
  if (!entry) return;
  const successor = await chooseSuccessor(entry, ask);
  if (successor === 'new') await writeSuccessor(surface, entry, ask);
  else if (successor) await supersedeBy(surface, entry, { by: successor.id, ask });
}

async function chooseSuccessor({ store, held }: Entry, ask: Ask): Promise<Successor | undefined> {
  const { record, origin } = held;
  // A successor must be in the same store; of others only the list of what is there is not at hand.
  const others = (origin.kind === 'repository' ? store.list('active') : []).filter(
    (other) => other.record.id !== record.id,
  );
  const alike = new Set(
    findSimilar(record.summary, others, { limit: 10, atLeast: 0.25 }).map(({ learning }) => learning),
  );
  const ordered = [...alike, ...others.filter((other) => !alike.has(other))];
  const answer = await ask.pickOne<Successor>({
    title: vscode.l10n.t('Supersede {0}', record.id),
    placeholder: plainLabel(record.summary, 120),
    rows: (typed) => {
      const matching = ordered.filter((other) =>
        `${other.record.id} ${other.record.summary}`.toLowerCase().includes(typed.trim().toLowerCase()),
      );
      const rows: Row<Successor>[] = matching.map((other) => ({
        label: plainLabel(other.record.summary, 72),
        description: other.record.id,
        value: { id: other.record.id },
      }));
      const write: Row<Successor> = {
        label: `$(add) ${vscode.l10n.t('Write its successor…')}`,
        detail: vscode.l10n.t('Starts from what {0} says; {0} is kept and never shown again.', record.id),
        value: 'new',
      };
      if (rows.length === 0) return [write];
      return [
        write,
        { label: vscode.l10n.t('or let another take its place'), kind: vscode.QuickPickItemKind.Separator },
        ...rows,
      ];
    },
  });
  return typeof answer === 'object' ? answer.value : undefined;
}

async function writeSuccessor(surface: Surface, entry: Entry, ask: Ask): Promise<void> {
  const { held } = entry;
  const { record, origin } = held;
  if (!(await writerOf(surface, entry, ask))) return;
  const { summary, scope, rationale } = record;
  const store = surface.workspace.all().find(({ root }) => root === origin.root);
  await addAt(
    surface,
    { root: origin.root, store: store ?? entry.store, path: undefined },
    {
      ask,
      seed: {
        title: vscode.l10n.t('Successor of {0}', record.id),
        draft: { summary, paths: scope.paths, tags: scope.tags, rationale: rationale ?? '' },
        supersedes: [record.id],
      },
    },
  );
}

async function supersedeBy(
  surface: Surface,
  entry: Entry,
  { by, ask }: { readonly by: string; readonly ask: Ask },
): Promise<void> {
  const store = await writerOf(surface, entry, ask);
  if (!store) return;
  const { id } = entry.held.record;
  await write(surface, () => store.supersede(id, by));
  announce(surface, ask, {
    message: vscode.l10n.t('{0} is superseded by {1}.', id, by),
    open: refOf(entry.store.root, { ...entry.held, record: { ...entry.held.record, id: by } }),
  });
}
