import * as vscode from 'vscode';

import {
  checkPattern,
  filesMatching,
  indexSummaries,
  normalisePattern,
  splitPatterns,
  type Held,
  type Learnings,
  type ScopeProposal,
} from '../../core/api';
import { plainLabel } from '../text';
import type { PickManyQuestion, PickOneQuestion, Row, TextQuestion } from './ask';

const MAX_SUMMARY = 2000;

/** What somebody wants instead of a new learning, or that they do want one. */
export type SummaryChoice = { readonly summary: string } | { readonly upvote: Held };

type Framed<Q> = Omit<Q, 'title' | 'step' | 'canGoBack'>;

/** Asks for the sentence, and shows which learnings say nearly the same. */
export function summaryQuestion(options: {
  readonly summary: string;
  readonly placeholder: string | undefined;
  readonly known: readonly Held[];
}): Framed<PickOneQuestion<SummaryChoice>> {
  const similar = indexSummaries(options.known);
  return {
    typed: options.summary,
    placeholder:
      options.placeholder ?? vscode.l10n.t('What should the next person know? One sentence, then Enter.'),
    rows(typed) {
      const summary = typed.trim();
      if (summary === '') return [];
      const problem = checkSummary(summary);
      if (problem !== undefined) return [{ label: `$(error) ${problem}` }];
      const alike = similar(summary);
      const next: Row<SummaryChoice> = {
        label: `$(arrow-right) ${vscode.l10n.t('Go on with this sentence')}`,
        value: { summary },
      };
      if (alike.length === 0) return [next];
      return [
        next,
        { label: vscode.l10n.t('said already?'), kind: vscode.QuickPickItemKind.Separator },
        ...alike.map(({ learning, overlap }): Row<SummaryChoice> => ({
          label: `$(thumbsup) ${vscode.l10n.t('Upvote {0} instead', learning.record.id)}`,
          description: vscode.l10n.t('{0} % alike', Math.round(overlap * 100)),
          detail: plainLabel(learning.record.summary),
          value: { upvote: learning },
        })),
      ];
    },
  };
}

/** What is wrong with a sentence. */
export function checkSummary(text: string): string | undefined {
  if (text.trim() === '') return vscode.l10n.t('A learning must say something.');
  return text.trim().length > MAX_SUMMARY
    ? vscode.l10n.t('At most {0} characters; the rest belongs into the text of the record.', MAX_SUMMARY)
    : undefined;
}

/** Asks which files it is about, with how many each pattern matches. */
export function scopeQuestion(options: {
  readonly files: Promise<readonly string[]>;
  /** For what somebody points at; asked again when the files are known. */
  readonly propose: (files: readonly string[]) => readonly ScopeProposal[];
  readonly chosen: readonly string[];
  readonly isGuess: boolean;
}): Framed<PickManyQuestion> {
  let files: readonly string[] | undefined;
  const counts = new Map<string, number>();
  const count = (patterns: readonly string[]): string => {
    if (!files) return '';
    const key = patterns.join('\n');
    const known = counts.get(key) ?? filesMatching(positive(patterns), files).length;
    counts.set(key, known);
    return fileCount(known);
  };
  return {
    placeholder: vscode.l10n.t(
      'Which files is it about? Tick, or type a pattern such as src/**/*.ts; then Enter.',
    ),
    // A learning is about other files, not about records.
    whenReady: options.files.then((list) => (files = list.filter((file) => !file.startsWith('.learnings/')))),
    chosen: options.chosen,
    isGuess: options.isGuess,
    rows(chosen) {
      const proposals = options.propose(files ?? []);
      const isProposed = (pattern: string): boolean => proposals.some((one) => one.pattern === pattern);
      const given = options.chosen.filter((pattern) => !isProposed(pattern));
      const added = chosen.filter((pattern) => !isProposed(pattern) && !given.includes(pattern));
      return [
        ...given.map((pattern) => ({ pattern, detail: vscode.l10n.t('As it is now') })),
        ...proposals.map((proposal) => ({ pattern: proposal.pattern, detail: meaningOf(proposal) })),
        ...added.map((pattern) => ({ pattern, detail: vscode.l10n.t('As you typed it') })),
      ].map(({ pattern, detail }) => ({
        label: plainLabel(pattern),
        description: count([pattern]),
        detail,
        alwaysShow: true,
        value: pattern,
      }));
    },
    read(typed) {
      const patterns = splitPatterns(typed).map(normalisePattern);
      const problems = splitPatterns(typed).map((pattern) => checkPattern(pattern, files));
      const error =
        problems.find((problem) => problem?.severity === 'error') ??
        (patterns.length === 0 ? checkPattern('') : undefined);
      if (error) return { row: { label: `$(error) ${plainLabel(error.message)}` }, values: [] };
      return {
        row: {
          label: `$(add) ${plainLabel(patterns.join(', '))}`,
          description: count(patterns),
          detail: vscode.l10n.t('Enter adds it'),
        },
        values: patterns,
      };
    },
    refuse: (chosen) =>
      chosen.length > 0 && chosen.every((pattern) => pattern.startsWith('!'))
        ? vscode.l10n.t('These only take files away: tick or type which files it is about.')
        : undefined,
  };
}

/** What a pattern takes away is told by how much it matches, too. */
const positive = (patterns: readonly string[]): readonly string[] =>
  patterns.length === 1 ? patterns.map((pattern) => pattern.replace(/^!/, '')) : patterns;

function fileCount(count: number): string {
  if (count === 0) return vscode.l10n.t('no file yet');
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

function meaningOf({ means, what }: ScopeProposal): string {
  const name = plainLabel(what);
  switch (means) {
    case 'file':
      return vscode.l10n.t('The file {0}', name);
    case 'folder':
      return vscode.l10n.t('Everything in {0}', name);
    case 'kindHere':
      return vscode.l10n.t('Every {0} in this folder', name);
    case 'kindEverywhere':
      return vscode.l10n.t('Every {0} in the repository', name);
    case 'everything':
      return vscode.l10n.t('The whole repository');
  }
}

/** Asks for topics: those that tags.yaml explains, those in use, or new ones. */
export function tagQuestion(options: {
  readonly store: Learnings | undefined;
  readonly chosen: readonly string[];
  readonly needsOne: boolean;
}): Framed<PickManyQuestion> {
  const { store, needsOne } = options;
  const meanings = store?.tags() ?? new Map<string, string>();
  const uses = new Map<string, number>();
  for (const { record } of store?.list('active') ?? [])
    for (const tag of record.scope.tags) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  const known = [...new Set([...meanings.keys(), ...uses.keys()])].sort(
    (a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || a.localeCompare(b),
  );
  /** The tag itself, or the only one that begins so: a tag that another begins with is seldom wanted. */
  const meant = (word: string): string => {
    const begun = known.filter((tag) => tag.startsWith(word));
    return !known.includes(word) && begun.length === 1 ? (begun[0] ?? word) : word;
  };
  const needed = vscode.l10n.t('It is about no files, so it needs a tag: tick one or type one.');
  return {
    placeholder: needsOne ? needed : vscode.l10n.t('Topics, if any: tick, or type new ones; then Enter.'),
    chosen: options.chosen,
    rows: (chosen) =>
      [...known, ...chosen.filter((tag) => !known.includes(tag))].map((tag) => {
        const meaning = meanings.get(tag);
        return {
          label: plainLabel(tag),
          description: useCount(uses.get(tag) ?? 0),
          ...(meaning !== undefined && { detail: plainLabel(meaning) }),
          value: tag,
        };
      }),
    read(typed) {
      const words = typed.split(',').map((word) => word.trim().replace(/^#/, ''));
      const tags = [...new Set(words.filter(Boolean).map((word) => meant(word)))];
      const row = {
        label: `$(add) ${plainLabel(tags.join(', '))}`,
        description: vscode.l10n.t('new tag'),
        detail: vscode.l10n.t('Enter adds it'),
      };
      return { row: tags.every((tag) => known.includes(tag)) ? undefined : row, values: tags };
    },
    refuse: (chosen) => (needsOne && chosen.length === 0 ? needed : undefined),
  };
}

function useCount(count: number): string {
  if (count === 0) return vscode.l10n.t('not used yet');
  return count === 1 ? vscode.l10n.t('1 learning') : vscode.l10n.t('{0} learnings', count);
}

/** Asks for the reason, which may be left out. */
export const whyQuestion = (rationale: string): Framed<TextQuestion> => ({
  prompt: vscode.l10n.t('Why? What went wrong without it? Leave it empty if it needs no reason.'),
  text: rationale,
});
