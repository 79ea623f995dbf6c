import * as vscode from 'vscode';

import { contextKeys, viewIds } from '../ids';
import type { Surface } from '../surface';
import { AllLearnings } from './allLearnings';
import { Candidates } from './candidates';
import { groupings, type Grouping } from './outline';
import { dimming } from './row';
import { ThisFile } from './thisFile';
import type { Tree } from './tree';

/** Between two keys of a quick typist nothing need be shown. */
const TYPING_MS = 120;

const groupingNames: Readonly<Record<Grouping, () => string>> = {
  folder: () => vscode.l10n.t('Folder'),
  tag: () => vscode.l10n.t('Tag'),
  kind: () => vscode.l10n.t('Kind'),
  status: () => vscode.l10n.t('Status, with Archived Ones'),
  none: () => vscode.l10n.t('No Groups'),
};

/** The views of the sidebar. */
export class Views implements vscode.Disposable {
  private readonly subscriptions: readonly vscode.Disposable[];
  readonly thisFile: Shown<ThisFile>;
  readonly all: Shown<AllLearnings>;
  readonly candidates: Shown<Candidates>;

  constructor({ workspace, activeFile, memory, deliveries }: Surface) {
    this.thisFile = show(viewIds.thisFile, new ThisFile(workspace, activeFile, deliveries));
    this.all = show(viewIds.all, new AllLearnings(workspace, memory, deliveries));
    this.candidates = show(viewIds.candidates, new Candidates(workspace));
    this.subscriptions = [
      ...[this.thisFile, this.all, this.candidates].flatMap(({ view, tree }) => [view, tree]),
      vscode.window.registerFileDecorationProvider(dimming),
      this.all.tree.onDidChangeTreeData(() => this.publishFilter()),
    ];
    this.publishFilter();
  }

  async chooseGrouping(): Promise<void> {
    const { tree } = this.all;
    const items = groupings.map((grouping) => ({ grouping, label: groupingNames[grouping]() }));
    const pick = vscode.window.createQuickPick<(typeof items)[number]>();
    pick.title = vscode.l10n.t('Group Learnings By');
    pick.items = items;
    pick.activeItems = items.filter(({ grouping }) => grouping === tree.look.grouping);
    const picked = await new Promise<Grouping | undefined>((resolve) => {
      pick.onDidAccept(() => resolve(pick.selectedItems[0]?.grouping));
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
    pick.dispose();
    if (!picked) return;
    tree.show({ grouping: picked });
    await tree.remember();
  }

  /** Filters while one types; Escape brings back what was before. */
  async chooseFilter(): Promise<void> {
    const { tree } = this.all;
    const { filter: before } = tree.look;
    const box = vscode.window.createInputBox();
    box.title = vscode.l10n.t('Filter Learnings');
    box.prompt = vscode.l10n.t('Words that must be in the summary, the id or a tag');
    box.value = before;
    let typing: NodeJS.Timeout | undefined;
    const accepted = await new Promise<boolean>((resolve) => {
      box.onDidChangeValue((filter) => {
        clearTimeout(typing);
        typing = setTimeout(() => tree.show({ filter }), TYPING_MS);
      });
      box.onDidAccept(() => resolve(true));
      box.onDidHide(() => resolve(false));
      box.show();
    });
    clearTimeout(typing);
    const filter = accepted ? box.value.trim() : before;
    box.dispose();
    tree.show({ filter });
    await tree.remember();
  }

  async clearFilter(): Promise<void> {
    const { tree } = this.all;
    tree.show({ filter: '' });
    await tree.remember();
  }

  private publishFilter(): void {
    const isFiltered = this.all.tree.look.filter.trim() !== '';
    void vscode.commands.executeCommand('setContext', contextKeys.isFiltered, isFiltered);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

interface Shown<T> {
  readonly tree: T;
  readonly view: vscode.TreeView<unknown>;
}

/** Shows a tree in a view, and keeps what is said beside the title true. */
function show<Row, T extends Tree<Row>>(id: string, tree: T & Tree<Row>): Shown<T> {
  const view = vscode.window.createTreeView<Row>(id, {
    treeDataProvider: tree,
    showCollapseAll: id === viewIds.all,
  });
  const title = (): void => {
    const { badge, description = '', message = '' } = tree.heading;
    view.badge = badge;
    view.description = description;
    view.message = message;
  };
  title();
  tree.onDidChangeTreeData(title);
  return { tree, view };
}
