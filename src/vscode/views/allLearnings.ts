import * as vscode from 'vscode';

import { oneLine, type Held, type Learnings } from '../../core/api';
import { learningCard } from '../card';
import type { Deliveries } from '../deliveries';
import { escapeMarkdown } from '../text';
import type { Workspace } from '../workspace';
import { groupFace } from './faces';
import { groupings, OutlineMemory, outlineOf, type Group, type Grouping, type Outline } from './outline';
import { learningItem, nameOf, type LearningRow } from './row';
import { Tree, type Heading } from './tree';

/** The learnings of one repository. */
interface RootRow {
  readonly type: 'root';
  readonly id: string;
  readonly store: Learnings;
  readonly outline: Outline<Held>;
}

interface GroupRow {
  readonly type: 'group';
  readonly id: string;
  readonly root: RootRow;
  readonly group: Group<Held>;
}

interface ListedRow extends LearningRow {
  readonly root: RootRow;
  /** Of the row it is below, which may be one of several that show the same learning. */
  readonly parentId: string;
}

interface ProblemsRow {
  readonly type: 'problems';
  readonly id: string;
  readonly count: number;
}

type Row = RootRow | GroupRow | ListedRow | ProblemsRow;

/** How the learnings are shown; remembered for the workspace. */
interface Look {
  readonly grouping: Grouping;
  readonly filter: string;
}

/** The row of a store, and what it was made of. */
interface Made {
  readonly row: RootRow;
  readonly lists: readonly (readonly Held[])[];
  readonly look: Look;
}

const LOOK = 'views.all';
/** With more than these, closed groups give the better view. */
const MANY = 60;

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Every learning of the workspace's own stores, in groups. */
export class AllLearnings extends Tree<Row> {
  private roots: readonly RootRow[] | undefined;
  /** What it showed before, which is shown again where nothing of it has changed. */
  private before: readonly Made[] = [];
  private readonly outlines = new OutlineMemory();
  private shown: Look;

  constructor(
    private readonly workspace: Pick<Workspace, 'all' | 'onDidChange'>,
    private readonly memory: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly deliveries?: Pick<Deliveries, 'of' | 'onDidChange'>,
  ) {
    // VS Code keeps a tooltip as long as it keeps the row.
    super([workspace.onDidChange, ...(deliveries ? [deliveries.onDidChange] : [])]);
    this.shown = recall(memory);
  }

  get look(): Look {
    return this.shown;
  }

  /** Shows them otherwise, for now. */
  show(change: Partial<Look>): void {
    this.shown = { ...this.shown, ...change };
    this.refresh();
  }

  /** Keeps the present look for the next time. */
  async remember(): Promise<void> {
    await this.memory.update(LOOK, this.shown);
  }

  protected forget(): void {
    this.roots = undefined;
  }

  get heading(): Heading {
    const filter = oneLine(this.shown.filter);
    if (filter === '') return {};
    const count = (of: (outline: Outline<Held>) => number): number =>
      this.load().reduce((sum, { outline }) => sum + of(outline), 0);
    const [found, total] = [count((outline) => outline.found), count((outline) => outline.total)];
    return { description: vscode.l10n.t('“{0}”: {1} of {2}', filter, found, total) };
  }

  getChildren(parent?: Row): Row[] {
    switch (parent?.type) {
      case undefined:
        return this.top();
      case 'root':
        return this.below(parent);
      case 'group':
        return parent.group.members.map((held) => listed(parent.root, parent.id, held));
      case 'learning': {
        const { root, parentId, held } = parent;
        return root.outline.before(held).map((older) => listed(root, parentId, older));
      }
      case 'problems':
        return [];
    }
  }

  getTreeItem(row: Row): vscode.TreeItem {
    switch (row.type) {
      case 'root':
        return rootItem(row);
      case 'group':
        return this.groupItem(row);
      case 'learning':
        return this.listedItem(row);
      case 'problems':
        return problemsItem(row);
    }
  }

  resolveTreeItem(item: vscode.TreeItem, row: Row): vscode.TreeItem {
    if (row.type === 'learning') item.tooltip = learningCard(row, { deliveries: this.deliveries?.of(row) });
    const { grouping } = this.shown;
    const meaning =
      row.type === 'group' && grouping === 'tag' && row.root.store.tags().get(row.group.name ?? '');
    if (meaning) item.tooltip = new vscode.MarkdownString(escapeMarkdown(meaning));
    return item;
  }

  private get isFiltered(): boolean {
    return this.shown.filter.trim() !== '';
  }

  private load(): readonly RootRow[] {
    const { grouping } = this.shown;
    // Rows that a filter opens must not stay open without it, so they are others.
    const purpose = this.isFiltered ? 'found' : 'all';
    if (!this.roots) {
      const { shown, outlines: memory } = this;
      this.before = this.workspace.all().map((store): Made => {
        const lists = [store.list(), ...(grouping === 'status' ? [store.list('archived')] : [])];
        const known = this.before.find((made) => made.row.store === store && made.look === shown);
        // A store gives the same lists until one of its records has changed.
        if (known?.lists.every((list, index) => list === lists[index])) return known;
        const outline = outlineOf(lists.flat(), { ...shown, memory });
        return { lists, look: shown, row: { type: 'root', id: `${purpose}\n${store.root}`, store, outline } };
      });
      this.roots = this.before.map(({ row }) => row);
    }
    return this.roots;
  }

  /** Each folder that has learnings to show; a single one needs no row of its own. */
  private top(): Row[] {
    const roots = this.load();
    const filled = roots.filter(({ outline }) => outline.groups.length > 0);
    // Without any row VS Code shows the welcome, which says why.
    if (filled.length === 0) return [];
    if (roots.length === 1) return filled.flatMap((root) => this.below(root));
    return this.isFiltered ? filled : [...roots];
  }

  private below(root: RootRow): Row[] {
    const { outline, store } = root;
    const rows: Row[] =
      this.shown.grouping === 'none'
        ? outline.groups.flatMap(({ members }) => members.map((held) => listed(root, root.id, held)))
        : outline.groups.map((group) => ({ type: 'group', id: idOf(root, group, this.shown), root, group }));
    const count = this.isFiltered ? 0 : store.problems().length;
    if (count > 0) rows.push({ type: 'problems', id: `${root.id}\nproblems`, count });
    return rows;
  }

  private groupItem({ id, root, group }: GroupRow): vscode.TreeItem {
    const { title, icon } = groupFace(group.name, this.shown.grouping);
    const isOpen = this.isFiltered || root.outline.total <= MANY;
    const item = new vscode.TreeItem(title, isOpen ? Expanded : Collapsed);
    const count = group.members.length;
    item.id = id;
    item.iconPath = icon;
    item.description = String(count);
    item.accessibilityInformation = { label: `${title}, ${countOf(count)}` };
    return item;
  }

  private listedItem(row: ListedRow): vscode.TreeItem {
    const isOpen = this.isFiltered ? Expanded : Collapsed;
    const collapsibleState = row.root.outline.before(row.held).length > 0 ? isOpen : None;
    return learningItem(row, { details: [row.held.record.id], collapsibleState });
  }
}

function recall(memory: Pick<vscode.Memento, 'get'>): Look {
  const { grouping, filter } = memory.get<Partial<Look>>(LOOK, {});
  return {
    grouping: groupings.find((known) => known === grouping) ?? 'folder',
    filter: typeof filter === 'string' ? filter : '',
  };
}

const listed = (root: RootRow, parentId: string, held: Held): ListedRow => ({
  type: 'learning',
  id: `${parentId}\n${held.file}`,
  store: root.store,
  held,
  root,
  parentId,
});

/** The group of a folder named like that of those in none is still another. */
const idOf = (root: RootRow, { name }: Group<Held>, { grouping }: Look): string =>
  `${root.id}\n${grouping}${name === undefined ? '' : `:${name}`}`;

const countOf = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 learning') : vscode.l10n.t('{0} learnings', count);

function rootItem({ id, store, outline }: RootRow): vscode.TreeItem {
  const item = new vscode.TreeItem(nameOf(store), Expanded);
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('root-folder');
  item.description = String(outline.found);
  item.tooltip = store.root;
  item.accessibilityInformation = { label: `${nameOf(store)}, ${countOf(outline.found)}` };
  return item;
}

function problemsItem({ id, count }: ProblemsRow): vscode.TreeItem {
  const item = new vscode.TreeItem(
    count === 1 ? vscode.l10n.t('1 problem…') : vscode.l10n.t('{0} problems…', count),
  );
  item.id = id;
  item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  item.tooltip = vscode.l10n.t('What is wrong in .learnings, file by file');
  item.command = { command: 'workbench.actions.view.problems', title: vscode.l10n.t('Show Problems') };
  return item;
}
