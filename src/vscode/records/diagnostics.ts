import * as vscode from 'vscode';

import {
  oneLine,
  indexSummaries,
  reviewedCodes,
  reviewFile,
  type Git,
  type Problem,
  type ReviewContext,
} from '../../core/api';
import { nodePorts } from '../../node/open';
import type { Surface } from '../surface';
import { pageOf, tagsFor, type Page } from './page';

const SOURCE = 'learnings';
/** So long after the last key that was pressed. */
const PAUSE_MS = 300;

/** What is worth knowing but stops nobody. */
const gentle = new Set<Problem['code']>(['similar', 'too-broad', 'unknown-tag', 'missing-commit']);

/** A problem, and how it is shown. */
export interface Shown {
  readonly problem: Problem;
  readonly diagnostic: vscode.Diagnostic;
}

/** What is wrong with the files of every store: of those in an editor as they stand there, of the others as on disk. */
export class Diagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection(SOURCE);
  private readonly subscriptions: readonly vscode.Disposable[];
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly shown = new Map<string, readonly Shown[]>();
  /** By store, and good until the stores change. */
  private similar = new Map<string, ReviewContext['similar']>();
  private commits = new Map<string, ReturnType<Git['missingCommits']>>();

  constructor(private readonly surface: Surface) {
    this.subscriptions = [
      this.collection,
      surface.workspace.onDidChange(() => this.refresh()),
      vscode.workspace.onDidOpenTextDocument((document) => this.reviewSoon(document, 0)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.reviewSoon(document, PAUSE_MS)),
      vscode.workspace.onDidCloseTextDocument(() => this.showClosed()),
    ];
    this.refresh();
  }

  /** What is shown of a document in a range. */
  at(document: vscode.TextDocument, range: vscode.Range): readonly Shown[] {
    const all = this.shown.get(document.uri.toString()) ?? [];
    return all.filter(({ diagnostic }) => diagnostic.range.intersection(range) !== undefined);
  }

  dispose(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private refresh(): void {
    this.similar = new Map();
    this.commits = new Map();
    this.showClosed();
    for (const document of vscode.workspace.textDocuments) this.reviewSoon(document, 0);
  }

  private show(uri: vscode.Uri, shown: readonly Shown[]): void {
    this.shown.set(uri.toString(), shown);
    this.collection.set(
      uri,
      shown.map(({ diagnostic }) => diagnostic),
    );
  }

  /** Shows what the stores say of files that are in no editor, and takes away what nobody says any more. */
  private showClosed(): void {
    const open = new Set(this.pages().map(({ document }) => document.uri.toString()));
    const found = this.stored();
    for (const key of [...this.shown.keys()]) {
      if (open.has(key) || found.has(key)) continue;
      this.shown.delete(key);
      this.collection.delete(vscode.Uri.parse(key));
    }
    for (const [key, { uri, problems }] of found)
      if (!open.has(key))
        this.show(
          uri,
          problems.map((problem) => ({ problem, diagnostic: toDiagnostic(problem) })),
        );
  }

  private pages(): Page[] {
    return vscode.workspace.textDocuments.flatMap((document) => this.pageOf(document) ?? []);
  }

  private pageOf(document: vscode.TextDocument): Page | undefined {
    return document.isClosed ? undefined : pageOf(this.surface.workspace, document);
  }

  /** The problems of all stores, by file. */
  private stored(): Map<string, { uri: vscode.Uri; problems: Problem[] }> {
    const found = new Map<string, { uri: vscode.Uri; problems: Problem[] }>();
    for (const store of this.surface.workspace.all()) {
      for (const problem of store.problems()) {
        const uri = uriOf(store.root, problem.file);
        if (!uri) continue;
        const entry = found.get(uri.toString()) ?? { uri, problems: [] };
        // Two repositories may extend the same store.
        if (!entry.problems.some((other) => isSame(other, problem))) entry.problems.push(problem);
        found.set(uri.toString(), entry);
      }
    }
    return found;
  }

  private reviewSoon(document: vscode.TextDocument, pauseMs: number): void {
    const page = this.pageOf(document);
    if (!page) return;
    // Which tags there are decides about every record.
    const others = page.kind === 'tags' && pauseMs > 0 ? this.pages() : [];
    for (const one of new Set([document, ...others.map((other) => other.document)])) {
      const key = one.uri.toString();
      clearTimeout(this.timers.get(key));
      this.timers.set(
        key,
        setTimeout(() => {
          this.timers.delete(key);
          this.review(one).catch((error: unknown) => this.surface.log.error(String(error)));
        }, pauseMs),
      );
    }
  }

  private async review(document: vscode.TextDocument): Promise<void> {
    const page = this.pageOf(document);
    if (!page) return;
    const { version } = document;
    // Deleted, and nobody holds on to it: there is nothing to say of it.
    const isGone = !document.isDirty && (await this.isGone(page));
    const found = isGone ? [] : await reviewFile(page.file, page.text, await this.contextOf(page));
    // Typed on meanwhile, or gone: another review is under way, or none is wanted.
    if (document.version !== version || document.isClosed) return;
    const stored = this.stored().get(document.uri.toString())?.problems ?? [];
    const further = stored.filter(({ code }) => !reviewedCodes.has(code));
    const problems = [...found, ...further];
    this.show(
      document.uri,
      problems.map((problem) => ({ problem, diagnostic: toDiagnostic(problem, document) })),
    );
  }

  private async isGone({ root, file }: Page): Promise<boolean> {
    const stat = await nodePorts(root.fsPath)
      .files.stat(file)
      .catch(() => null);
    return stat === undefined;
  }

  private async contextOf(page: Page): Promise<ReviewContext> {
    const { store } = page;
    const { files, git, secrets } = nodePorts(page.root.fsPath);
    if (!store)
      return { secrets, tags: new Map(), get: () => ({ summary: '', supersedes: [] }), similar: () => [] };
    const workingFiles = await this.surface.workspace.listFiles(store.root).catch(() => undefined);
    return {
      files,
      secrets,
      workingFiles,
      // To ask git is to run a program, which an untrusted workspace must not cause.
      git: vscode.workspace.isTrusted ? this.remembered(store.root, git) : undefined,
      tags: tagsFor(page),
      get: (id) => store.get(id)?.record,
      similar: this.similarIn(store),
    };
  }

  private remembered(root: string, git: Git): Pick<Git, 'missingCommits'> {
    return {
      missingCommits: (commits) => {
        const key = [root, ...commits].join('\n');
        const known = this.commits.get(key) ?? git.missingCommits(commits);
        this.commits.set(key, known);
        return known;
      },
    };
  }

  private similarIn(store: NonNullable<Page['store']>): ReviewContext['similar'] {
    const known = this.similar.get(store.root);
    if (known) return known;
    const find = indexSummaries(store.list('active'));
    const similar: ReviewContext['similar'] = (summary) =>
      find(summary, { atLeast: ALIKE }).map(({ learning, overlap }) => ({ id: learning.record.id, overlap }));
    this.similar.set(store.root, similar);
    return similar;
  }
}

/** From here on two summaries are likely to say the same. */
const ALIKE = 0.8;

/** The file of a problem; undefined of what is in no file, such as an environment variable. */
function uriOf(root: string, file: string): vscode.Uri | undefined {
  if (!/[/\\]/.test(file)) return undefined;
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(file);
  return isAbsolute ? vscode.Uri.file(file) : vscode.Uri.joinPath(vscode.Uri.file(root), file);
}

const isSame = (a: Problem, b: Problem): boolean =>
  a.code === b.code && a.line === b.line && a.column === b.column && a.message === b.message;

function toDiagnostic(problem: Problem, document?: vscode.TextDocument): vscode.Diagnostic {
  const { code, message, hint, severity } = problem;
  const text = `${oneLine(message, 500).replace(/\.$/, '')}. ${oneLine(hint, 500)}`;
  const diagnostic = new vscode.Diagnostic(rangeOf(problem, document), text, severityOf(code, severity));
  diagnostic.source = SOURCE;
  diagnostic.code = code;
  return diagnostic;
}

function severityOf(code: Problem['code'], severity: Problem['severity']): vscode.DiagnosticSeverity {
  if (gentle.has(code)) return vscode.DiagnosticSeverity.Information;
  return severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
}

/** What is said to be wrong, or the rest of its line where nobody said how far it goes. */
function rangeOf({ line, column, end }: Problem, document: vscode.TextDocument | undefined): vscode.Range {
  const start = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  if (end) return new vscode.Range(start, new vscode.Position(end.line - 1, end.column - 1));
  if (!document || start.line >= document.lineCount) return new vscode.Range(start, start.translate(0, 1));
  const { text, range } = document.lineAt(start.line);
  const last = range.start.translate(0, Math.max(text.trimEnd().length, start.character + 1));
  return new vscode.Range(start, last);
}
