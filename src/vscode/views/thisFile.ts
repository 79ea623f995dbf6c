import * as vscode from 'vscode';

import type { ActiveFile } from '../activeFile';
import { learningCard } from '../card';
import type { Deliveries } from '../deliveries';
import { refOf, type FoundForFile, type Workspace } from '../workspace';
import { learningItem, type LearningRow } from './row';
import { Tree, type Heading } from './tree';

interface MatchRow extends LearningRow {
  /** Why it is here, such as `path:src/a.ts ~ src/**`. */
  readonly matchedBy: readonly string[];
  /** The file, as the store's patterns see it. */
  readonly path: string;
}

/** What is known about the file in the active editor, best first. */
export class ThisFile extends Tree<MatchRow> {
  private file: vscode.Uri | undefined;
  private found: { readonly forFile: FoundForFile | undefined } | undefined;

  constructor(
    private readonly workspace: Pick<Workspace, 'findForFile' | 'get' | 'onDidChange'>,
    private readonly activeFile: Pick<ActiveFile, 'uri' | 'onDidChange'>,
    private readonly deliveries?: Pick<Deliveries, 'of' | 'onDidChange'>,
  ) {
    super([workspace.onDidChange, activeFile.onDidChange, ...(deliveries ? [deliveries.onDidChange] : [])]);
  }

  protected forget(): void {
    this.found = undefined;
  }

  private find(): FoundForFile | undefined {
    if (!this.found) {
      const { uri } = this.activeFile;
      // Whoever opens a learning from this list goes on reading the list.
      if (!uri?.path.includes('/.learnings/')) this.file = uri;
      this.found = { forFile: this.file && this.workspace.findForFile(this.file) };
    }
    return this.found.forFile;
  }

  get heading(): Heading {
    const found = this.find();
    if (!found) return {};
    const { path, total, store } = found;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!store.settings().settings.enabled) {
      const message = vscode.l10n.t('Learnings are switched off here, by learnings.enabled or config.yaml.');
      return { description: name, message };
    }
    if (total === 0) return { description: name };
    const tooltip =
      total === 1
        ? vscode.l10n.t('1 learning is about {0}', name)
        : vscode.l10n.t('{0} learnings are about {1}', total, name);
    return { description: name, badge: { value: total, tooltip } };
  }

  getChildren(parent?: MatchRow): MatchRow[] {
    const found = parent ? undefined : this.find();
    if (!found) return [];
    const { store, path, matches } = found;
    return matches.flatMap(({ record, origin, matchedBy }): MatchRow[] => {
      const ref = refOf(store.root, { record, origin });
      const entry = this.workspace.get(ref);
      return entry ? [{ ...entry, type: 'learning', id: `${ref.root}\n${ref.id}`, matchedBy, path }] : [];
    });
  }

  getTreeItem(row: MatchRow): vscode.TreeItem {
    const { record, origin } = row.held;
    const store = origin.kind === 'repository' ? [] : [origin.name];
    return learningItem(row, { details: [record.id, ...store, ...patternsOf(row)] });
  }

  resolveTreeItem(item: vscode.TreeItem, row: MatchRow): vscode.TreeItem {
    item.tooltip = learningCard(row, { matchedBy: row.matchedBy, deliveries: this.deliveries?.of(row) });
    return item;
  }
}

/** Of `path:src/a.ts ~ src/**` the pattern: the file is the same in every row. */
function patternsOf({ matchedBy, path }: MatchRow): string[] {
  const beginning = `path:${path} ~ `;
  return matchedBy.map((reason) => (reason.startsWith(beginning) ? reason.slice(beginning.length) : reason));
}
