import * as vscode from 'vscode';

import {
  editYaml,
  findGone,
  foldMoves,
  planRewrites,
  traceMoves,
  type Held,
  type Learnings,
  type Move,
  type Rewrite,
} from '../../core/api';
import { nodePorts } from '../../node/open';
import { offersRenames } from '../settings';
import type { Surface } from '../surface';
import { recordUri } from '../workspace';

const SCHEME = 'learnings-moved';
const ASKED = 'learnings.askedMoves';
const MAX_ASKED = 500;
/** A checkout or pull takes a while; what it does is looked at once it is through. */
const QUIET_MS = 1500;

/** Offers to rewrite the patterns that meant files which have moved, by the editor or by git. */
export class Renames implements vscode.Disposable {
  private readonly subscriptions: readonly vscode.Disposable[];
  /** What was not there when git was last asked, by root. */
  private readonly traced = new Map<string, string>();
  /** How records would read, for the comparison. */
  private readonly proposals = new Map<string, string>();
  private timer: NodeJS.Timeout | undefined;
  private looking = false;

  constructor(private readonly surface: Surface) {
    const vanished = vscode.workspace.createFileSystemWatcher('**/*', true, true, false);
    this.subscriptions = [
      vanished,
      vanished.onDidDelete(({ path }) => {
        if (/\/(?:\.git|\.learnings|node_modules)\//.test(path)) return;
        surface.workspace.forgetFiles();
        this.lookSoon();
      }),
      surface.workspace.onDidChange(() => this.lookSoon()),
      vscode.workspace.onDidRenameFiles(({ files }) => void this.guard(() => this.onRename(files))),
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: ({ query }) => this.proposals.get(query) ?? '',
      }),
    ];
  }

  private async guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.surface.log.error(error instanceof Error ? error : String(error));
    }
  }

  /** One gesture in the editor, however many files it moved. */
  private async onRename(files: readonly { oldUri: vscode.Uri; newUri: vscode.Uri }[]): Promise<void> {
    const { workspace } = this.surface;
    const byStore = new Map<Learnings, Move[]>();
    for (const { oldUri, newUri } of files) {
      const store = workspace.storeFor(newUri);
      if (!store || store !== workspace.storeFor(oldUri) || !mayOffer(store)) continue;
      const [from, to] = [relative(store, oldUri), relative(store, newUri)];
      if (isOurs(from) || isOurs(to)) continue;
      const { type } = await vscode.workspace.fs.stat(newUri);
      const kind = type & vscode.FileType.Directory ? 'folder' : 'file';
      byStore.set(store, [...(byStore.get(store) ?? []), { from, to, kind }]);
    }
    for (const [store, moves] of byStore) {
      const present = await workspace.listFiles(store.root);
      await this.offer(store, foldMoves(moves, present), present);
    }
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.guard(() => this.lookForMoves()), QUIET_MS);
  }

  /** Asks git where files went that patterns name and that are not there any more. */
  private async lookForMoves(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    try {
      for (const store of this.surface.workspace.all().filter(mayOffer)) {
        const files = await this.surface.workspace.listFiles(store.root);
        const gone = findGone(inUse(store), files);
        const question = gone.join('\0');
        if (question === (this.traced.get(store.root) ?? '')) continue;
        this.traced.set(store.root, question);
        const moves = await traceMoves(nodePorts(store.root).git, gone, files);
        const asked = new Set(this.surface.memory.get<readonly string[]>(ASKED, []));
        const fresh = moves.filter((move) => !asked.has(nameOf(store, move)));
        await this.offer(store, fresh, files);
      }
    } finally {
      this.looking = false;
    }
  }

  private async offer(store: Learnings, moves: readonly Move[], files: readonly string[]): Promise<void> {
    const rewrites = planRewrites(inUse(store), moves, files);
    const [first] = rewrites;
    if (!first) return;
    // Asked once, whatever the answer.
    await this.remember(moves.map((move) => nameOf(store, move)));
    const question =
      rewrites.length === 1
        ? vscode.l10n.t('{0} means files that moved. Update its patterns?', first.learning.record.id)
        : vscode.l10n.t('{0} learnings mean files that moved. Update their patterns?', rewrites.length);
    const [update, show, later] = [
      vscode.l10n.t('Update'),
      vscode.l10n.t('Show Changes'),
      vscode.l10n.t('Not Now'),
    ];
    const now = new Date();
    let answer = await vscode.window.showInformationMessage(question, update, show, later);
    if (answer === show) {
      const close = await this.showChanges(rewrites, now);
      answer = await vscode.window.showInformationMessage(question, update, later);
      await close();
    }
    if (answer === update) await this.apply(rewrites, now);
  }

  private async remember(names: readonly string[]): Promise<void> {
    const { memory } = this.surface;
    const known = memory.get<readonly string[]>(ASKED, []);
    await memory.update(ASKED, [...new Set([...known, ...names])].slice(-MAX_ASKED));
  }

  /** Shows what would change, and gives what takes that away again. */
  private async showChanges(rewrites: readonly Rewrite<Held>[], now: Date): Promise<() => Promise<void>> {
    const resources: [vscode.Uri, vscode.Uri, vscode.Uri][] = [];
    for (const rewrite of rewrites) {
      const uri = recordUri({ held: rewrite.learning });
      const document = await vscode.workspace.openTextDocument(uri);
      const query = uri.toString();
      this.proposals.set(query, rewritten(document.getText(), rewrite.after, now));
      resources.push([uri, uri, uri.with({ scheme: SCHEME, query })]);
    }
    const title = vscode.l10n.t('Learnings That Follow Moved Files');
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    return async () => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      await vscode.window.tabGroups.close(tabs.filter(({ label }) => label.startsWith(title)));
    };
  }

  /** One edit of all records, so that one Undo takes all of it back; saved, since nobody asked for open editors. */
  private async apply(rewrites: readonly Rewrite<Held>[], now: Date): Promise<void> {
    const changes: Change[] = [];
    const unsaved: string[] = [];
    for (const { learning, after } of rewrites) {
      const document = await vscode.workspace.openTextDocument(recordUri({ held: learning }));
      // Somebody is writing in it: that is not to be saved for them.
      if (document.isDirty) unsaved.push(learning.record.id);
      else {
        const before = document.getText();
        changes.push({ uri: document.uri, before, after: rewritten(before, after, now) });
      }
    }
    const done = await replaceTexts(changes);
    await this.surface.workspace.refresh();
    if (unsaved.length > 0) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          '{0} has unsaved changes and was left alone. Save it, then correct its paths.',
          unsaved.join(', '),
        ),
      );
    }
    if (done.length === 0) return;
    const undo = vscode.l10n.t('Undo');
    const message =
      done.length === 1
        ? vscode.l10n.t('The patterns of 1 learning follow the files that moved.')
        : vscode.l10n.t('The patterns of {0} learnings follow the files that moved.', done.length);
    void vscode.window.showInformationMessage(message, undo).then((answer) =>
      answer === undo
        ? this.guard(async () => {
            await replaceTexts(done.map(({ uri, before, after }) => ({ uri, before: after, after: before })));
            await this.surface.workspace.refresh();
          })
        : undefined,
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

interface Change {
  readonly uri: vscode.Uri;
  readonly before: string;
  readonly after: string;
}

/** Replaces texts in one edit and saves them. A file that has another text meanwhile is left alone. */
async function replaceTexts(changes: readonly Change[]): Promise<readonly Change[]> {
  const edit = new vscode.WorkspaceEdit();
  const done: { change: Change; document: vscode.TextDocument }[] = [];
  for (const change of changes) {
    const document = await vscode.workspace.openTextDocument(change.uri);
    if (document.getText() !== change.before) continue;
    const { start, end, text } = difference(change.before, change.after);
    edit.replace(change.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    done.push({ change, document });
  }
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) return [];
  for (const { document } of done) if (document.isDirty) await document.save();
  return done.map(({ change }) => change);
}

/** The one stretch in which two texts differ. */
function difference(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

function rewritten(text: string, paths: readonly string[], now: Date): string {
  return editYaml(text, [
    [['scope', 'paths'], paths],
    [['updated_at'], now.toISOString().replace(/\.\d+Z$/, 'Z')],
  ]);
}

const mayOffer = ({ root }: Learnings): boolean =>
  vscode.workspace.isTrusted && offersRenames(vscode.Uri.file(root));
const inUse = (store: Learnings): readonly Held[] => [...store.list('active'), ...store.list('candidate')];
const isOurs = (path: string): boolean => path === '.learnings' || path.startsWith('.learnings/');
const nameOf = ({ root }: Learnings, { from, to }: Move): string => `${root}\n${from}\n${to}`;
const relative = ({ root }: Learnings, uri: vscode.Uri): string =>
  uri.path.slice(vscode.Uri.file(root).path.length + 1);
