import { basename } from 'node:path';

import * as vscode from 'vscode';

import {
  LearningsError,
  proposeScopes,
  proposeScopesOfFiles,
  proposeTopFolders,
  renderExcerpt,
  type Evidence,
  type Held,
  type ScopeProposal,
} from '../../core/api';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { announce, textOf, write } from './after';
import { back, windowAsk, type Ask } from './ask';
import { chooseCommit } from './commit';
import { choosePlace, type Place } from './place';
import { scopeQuestion, summaryQuestion, tagQuestion, whyQuestion } from './questions';
import { upvote } from './upvote';
import { walk, type Step } from './wizard';

interface Draft {
  readonly summary: string;
  readonly paths: readonly string[];
  readonly tags: readonly string[];
  readonly rationale: string;
  /** The learning that says it already. */
  readonly upvote?: Held;
}

/** What a new learning starts from. */
export interface Seed {
  readonly title: string;
  readonly draft?: Partial<Draft>;
  readonly summaryHint?: string;
  /** Files that suggest scopes, besides what the place points at. */
  readonly files?: readonly string[];
  readonly body?: string;
  readonly evidence?: readonly Evidence[];
  readonly supersedes?: readonly string[];
}

export async function addLearning(
  surface: Surface,
  uri: vscode.Uri | undefined,
  ask: Ask = windowAsk,
): Promise<void> {
  const place = await choosePlace(surface, uri instanceof vscode.Uri ? uri : undefined, ask);
  if (place) await addAt(surface, place, { seed: { title: vscode.l10n.t('Add Learning') }, ask });
}

export async function addFromSelection(surface: Surface, ask: Ask = windowAsk): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty)
    throw new LearningsError('input-invalid', vscode.l10n.t('Select some code first.'));
  const { document, selection } = editor;
  const place = await choosePlace(surface, document.uri, ask);
  if (!place) return;
  // A selection that ends before the first character of a line does not mean that line.
  const isWholeLines = selection.end.character === 0 && selection.end.line > selection.start.line;
  const lines = [selection.start.line + 1, selection.end.line + (isWholeLines ? 0 : 1)];
  const seed: Seed = { title: vscode.l10n.t('Add Learning from Selection') };
  const file = place.path?.relative;
  const ref = `${file ?? ''}:${[...new Set(lines)].join('-')}`;
  const body = renderExcerpt(document.getText(selection), { ref, language: document.languageId });
  await addAt(surface, place, {
    seed: file === undefined ? seed : { ...seed, body, evidence: [{ kind: 'file', ref }] },
    ask,
  });
}

export async function addFromCommit(
  surface: Surface,
  from: { readonly item?: unknown; readonly uri?: unknown },
  ask: Ask = windowAsk,
): Promise<void> {
  const uri = from.uri instanceof vscode.Uri ? from.uri : undefined;
  const place = await choosePlace(surface, uri, ask);
  if (!place) return;
  // To ask git is to run a program, which an untrusted workspace must not cause.
  surface.workspace.writer(place.root);
  const commit = await chooseCommit(place.root, from.item, ask);
  if (!commit) return;
  const seed: Seed = {
    title: vscode.l10n.t('Add Learning from Commit {0}', commit.id.slice(0, 8)),
    summaryHint: vscode.l10n.t(
      'What did “{0}” teach? One sentence, then Enter.',
      plainLabel(commit.subject, 60),
    ),
    files: commit.files,
    evidence: [{ kind: 'commit', ref: commit.id.slice(0, 12) }],
  };
  await addAt(surface, place, { seed, ask });
}

export async function initStore(surface: Surface, ask: Ask = windowAsk): Promise<void> {
  const place = await choosePlace(surface, undefined, ask);
  if (!place) return;
  const name = basename(place.root);
  if (place.store) {
    void ask.tell(vscode.l10n.t('{0} keeps learnings already.', name));
    return;
  }
  await write(surface, () => surface.workspace.writer(place.root).init());
  const add = vscode.l10n.t('Add Learning…');
  const message = vscode.l10n.t('{0} keeps learnings now, in .learnings. Commit that folder.', name);
  void ask.tell(message, add).then(async (chosen) => {
    if (chosen === add) await vscode.commands.executeCommand(commandIds.add);
  });
}

/** Asks for a learning and writes it. Until every question is answered nothing is written. */
export async function addAt(
  surface: Surface,
  place: Place,
  { seed, ask }: { readonly seed: Seed; readonly ask: Ask },
): Promise<void> {
  // Refuses here, before somebody has typed for nothing.
  surface.workspace.writer(place.root);
  const steps = stepsFor(surface, place, { seed, ask });
  let draft: Draft | undefined = { summary: '', paths: [], tags: [], rationale: '', ...seed.draft };
  for (;;) {
    draft = await walk<Draft>(draft, steps);
    if (!draft) return;
    if (draft.upvote && place.store) {
      await upvote(surface, { store: place.store, held: draft.upvote }, ask);
      return;
    }
    try {
      await save(surface, place, { seed, draft, ask });
      return;
    } catch (error) {
      // A secret, an invisible character: what was typed is not lost for it.
      if (!(error instanceof LearningsError) || (error.code !== 'refused' && error.code !== 'record-invalid'))
        throw error;
      ask.fail(error);
    }
  }
}

function stepsFor(
  { workspace }: Surface,
  { root, store, path }: Place,
  { seed, ask }: { readonly seed: Seed; readonly ask: Ask },
): Step<Draft>[] {
  const { title } = seed;
  const files = workspace.listFiles(root);
  const near: readonly ScopeProposal[] = [
    ...proposeScopesOfFiles(seed.files ?? []),
    ...(path && !seed.files?.length ? proposeScopes(path.relative, path) : []),
  ];
  const propose = (all: readonly string[]): readonly ScopeProposal[] =>
    near.length > 0 ? near : proposeTopFolders(all);
  const guess = near.slice(0, 1).map(({ pattern }) => pattern);
  const steps: Step<Draft>[] = [
    async (draft, frame) => {
      const known = store?.list('active').filter(({ record }) => !seed.supersedes?.includes(record.id)) ?? [];
      const question = summaryQuestion({ summary: draft.summary, placeholder: seed.summaryHint, known });
      const answer = await ask.pickOne({ title, ...frame, ...question });
      if (answer === undefined || answer === back) return answer;
      const { value } = answer;
      return 'upvote' in value
        ? { done: { ...draft, upvote: value.upvote } }
        : { value: { ...draft, summary: value.summary } };
    },
    async (draft, frame) => {
      const isGuess = draft.paths.length === 0;
      const chosen = isGuess ? guess : draft.paths;
      const answer = await ask.pickMany({
        title,
        ...frame,
        ...scopeQuestion({ files, propose, chosen, isGuess }),
      });
      return withAnswer(answer, (paths) => ({ ...draft, paths }));
    },
    async (draft, frame) => {
      const question = tagQuestion({ store, chosen: draft.tags, needsOne: draft.paths.length === 0 });
      const answer = await ask.pickMany({ title, ...frame, ...question });
      return withAnswer(answer, (tags) => ({ ...draft, tags }));
    },
    async (draft, frame) => {
      const answer = await ask.write({ title, ...frame, ...whyQuestion(draft.rationale) });
      return withAnswer(answer, (rationale) => ({ ...draft, rationale }));
    },
  ];
  return store ? steps : [askForStore(root, title, ask), ...steps];
}

/** Where there is no store yet: it is made with the first learning, and only if that is written. */
const askForStore =
  (root: string, title: string, ask: Ask): Step<Draft> =>
  async (draft, frame) => {
    const answer = await ask.pickOne({
      title,
      ...frame,
      placeholder: vscode.l10n.t('{0} keeps no learnings yet.', basename(root)),
      rows: () => [
        {
          label: `$(new-folder) ${vscode.l10n.t('Keep learnings in {0}', `${basename(root)}/.learnings`)}`,
          detail: vscode.l10n.t(
            'A folder in git, made together with this learning. Esc leaves everything as it is.',
          ),
          value: true,
        },
      ],
    });
    return withAnswer(answer, () => draft);
  };

function withAnswer<T>(
  answer: { readonly value: T } | typeof back | undefined,
  use: (value: T) => Draft,
): { readonly value: Draft } | typeof back | undefined {
  return typeof answer === 'object' ? { value: use(answer.value) } : answer;
}

async function save(
  surface: Surface,
  { root, store: known }: Place,
  { seed, draft, ask }: { readonly seed: Seed; readonly draft: Draft; readonly ask: Ask },
): Promise<void> {
  const store = surface.workspace.writer(root);
  const { summary, paths, tags, rationale } = draft;
  const { body, evidence, supersedes } = seed;
  const id = await write(surface, async () => {
    if (!known) await store.init();
    const createdBy = await store.ports.git.userName();
    return store.add({
      summary,
      scope: { paths, tags },
      ...(rationale && { rationale }),
      ...(body !== undefined && { body }),
      ...(evidence && { evidence }),
      ...(supersedes && { supersedes }),
      ...(createdBy && { createdBy }),
    });
  });
  const text = await textOf(store, `.learnings/${id}/learning.yaml`);
  const message = supersedes?.length
    ? vscode.l10n.t('Added {0}, which supersedes {1}.', id, supersedes.join(', '))
    : vscode.l10n.t('Added {0}.', id);
  // What is kept beside the repositories that are open has no name among theirs.
  const isHere = surface.workspace.get({ root, id }) !== undefined;
  announce(surface, ask, {
    message,
    ...(isHere && { open: { root, id } }),
    undo: () => store.withdraw(id, text),
  });
}
