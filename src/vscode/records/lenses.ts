import * as vscode from 'vscode';

import { filesMatching, isAt, oneLine, placeAt, wordAt, type Held, type Learnings } from '../../core/api';
import { deliveryText } from '../deliveries';
import { commandIds } from '../ids';
import type { Surface } from '../surface';
import { plainLabel } from '../text';
import { refOf, type Entry } from '../workspace';
import { filesText } from './hover';
import { folderName, pageOf, rangeOf, type Page } from './page';

/** What stands above a record: its votes, what has become of it, and how many files it is about. */
export class RecordLenses implements vscode.CodeLensProvider {
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(private readonly surface: Surface) {
    this.onDidChangeCodeLenses = (listener, self, disposables) => {
      const { workspace, deliveries } = surface;
      const both = [workspace, deliveries].map(({ onDidChange }) => onDidChange(listener, self));
      const joined = vscode.Disposable.from(...both);
      disposables?.push(joined);
      return joined;
    };
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const page = pageOf(this.surface.workspace, document);
    const held = page?.store?.get(folderName(page));
    if (page?.kind !== 'record' || !page.store) return [];
    const own = held?.file === page.file ? standing(page.store, held) : [];
    const given = held?.status === 'active' && this.givenTo({ store: page.store, held });
    if (given) own.push(given);
    const top = new vscode.Range(0, 0, 0, 0);
    const count = await this.fileCount(page, page.store);
    return [...own.map((command) => new vscode.CodeLens(top, command)), ...(count ? [count] : [])];
  }

  /** What agents were given of it. */
  private givenTo(entry: Entry): vscode.Command | undefined {
    const text = deliveryText(this.surface.deliveries.of(entry));
    return text === undefined
      ? undefined
      : { title: text.replace(/^./, (first) => first.toUpperCase()), command: '' };
  }

  /** Above its patterns, as they stand in the editor. */
  private async fileCount(page: Page, store: Learnings): Promise<vscode.CodeLens | undefined> {
    const key = placeAt(page.places, ['scope', 'paths'])?.key;
    const patterns = page.places.flatMap((place) =>
      isAt({ path: place.path.slice(0, -1) }, ['scope', 'paths']) ? (wordAt(page.text, place) ?? []) : [],
    );
    if (!key || patterns.length === 0) return undefined;
    const files = await this.surface.workspace.listFiles(store.root);
    const title = filesText(filesMatching(patterns, files).length);
    return new vscode.CodeLens(rangeOf(page, key), { title, command: '' });
  }
}

/** Its votes and what can be done with it. */
function standing(store: Learnings, held: Held): vscode.Command[] {
  const ref = refOf(store.root, held);
  const { status, record } = held;
  const act = (title: string, command: string, target = ref): vscode.Command => ({
    title,
    command: vscode.workspace.isTrusted ? command : '',
    arguments: [target],
  });
  switch (status) {
    case 'active':
      return [act(`$(thumbsup) ${votesText(held)}`, commandIds.upvote)];
    case 'superseded': {
      const by = record.supersededBy ?? '?';
      // One that cannot be read has nothing to say for itself.
      const summary = store.get(by)?.record.summary;
      const title =
        summary === undefined
          ? vscode.l10n.t('Superseded by {0}', by)
          : vscode.l10n.t('Superseded by {0}: {1}', by, plainLabel(summary, 80));
      return [{ ...act(title, commandIds.openRecord, { ...ref, id: by }), command: commandIds.openRecord }];
    }
    case 'candidate':
      return [
        act(vscode.l10n.t('Promote'), commandIds.promote),
        act(vscode.l10n.t('Reject…'), commandIds.reject),
      ];
    case 'archived':
      return [act(vscode.l10n.t('Restore'), commandIds.restore)];
  }
}

function votesText({ votes }: Held): string {
  const last = votes
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
  if (last === undefined) return vscode.l10n.t('No votes yet');
  const day = oneLine(last).slice(0, 10);
  return votes.length === 1
    ? vscode.l10n.t('1 vote, {0}', day)
    : vscode.l10n.t('{0} votes, the last {1}', votes.length, day);
}
