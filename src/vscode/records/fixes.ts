import * as vscode from 'vscode';

import {
  differenceOf,
  editYaml,
  innerOf,
  isAt,
  mendYaml,
  nearest,
  placeAt,
  withoutHostile,
  withoutItem,
  wordAt,
  type Change,
  type Span,
} from '../../core/api';
import { commandIds, type CommandId } from '../ids';
import type { Surface } from '../surface';
import type { LearningRef } from '../workspace';
import type { Diagnostics, Shown } from './diagnostics';
import { folderName, pageOf, rangeOf, tagsUri, type Page } from './page';
import { asYaml } from './writing';

/** More would be a list to read, not a choice. */
const MAX_CHOICES = 6;

/** Quick fixes for what the diagnostics say. Each leaves the rest of the file as it is. */
export class Fixes implements vscode.CodeActionProvider {
  constructor(
    private readonly surface: Surface,
    private readonly diagnostics: Diagnostics,
  ) {}

  async provideCodeActions(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    const page = pageOf(this.surface.workspace, document);
    if (!page || !vscode.workspace.isTrusted) return [];
    const actions = await Promise.all(
      this.diagnostics.at(document, range).map((shown) => new Fix(page, shown).actions()),
    );
    return actions.flat();
  }
}

/** What can be done about one problem. */
class Fix {
  private readonly path: readonly PropertyKey[];
  private readonly instead: readonly string[];

  constructor(
    private readonly page: Page,
    private readonly shown: Shown,
  ) {
    this.path = shown.problem.path ?? [];
    this.instead = shown.problem.instead ?? [];
  }

  async actions(): Promise<vscode.CodeAction[]> {
    const found = await this.proposals();
    const made = found.filter((action) => action !== undefined);
    const [first] = made;
    // Only where there is nothing to choose between.
    if (first && made.length === 1) first.isPreferred = true;
    return made;
  }

  private async proposals(): Promise<(vscode.CodeAction | undefined)[]> {
    switch (this.shown.problem.code) {
      case 'yaml':
        return [this.mend()];
      case 'schema':
        return this.schemaFixes();
      case 'unknown-key':
        return this.renameKey();
      case 'id-mismatch':
        return [this.setId()];
      case 'dead-glob':
        return [...this.replaceValue(), this.removeItem()];
      case 'too-broad':
        return [...this.replaceValue(), this.removeIfOthers(), this.meanEverything()];
      case 'missing-commit':
        return [this.removeItem(this.path.slice(0, 2))];
      case 'unknown-tag':
        return [...this.replaceValue(), await this.addTag()];
      case 'unknown-id':
        return [this.removeSuperseded()];
      case 'lost-successor':
        return [this.activate()];
      case 'similar':
        return [this.upvoteOther(), this.supersedeOther()];
      case 'secret':
        return [this.maskSecret(), this.removeLine()];
      case 'hostile-text':
        return [
          this.edited(vscode.l10n.t('Remove invisible characters'), () => withoutHostile(this.page.text)),
        ];
      case 'conflict-markers':
      case 'duplicate-id':
      case 'supersede':
      case 'vote':
        return [this.run(vscode.l10n.t('Repair learnings…'), commandIds.repair)];
      default:
        return [];
    }
  }

  private mend(): vscode.CodeAction | undefined {
    const { document, text } = this.page;
    const offset = document.offsetAt(this.shown.diagnostic.range.start);
    return this.edited(vscode.l10n.t('Mend the YAML'), () => mendYaml(text, offset) ?? text);
  }

  private schemaFixes(): (vscode.CodeAction | undefined)[] {
    const { message } = this.shown.problem;
    if (this.path.length === 0) return [this.fillIn()];
    if (message.endsWith('is missing')) return [this.addKey()];
    if (message.endsWith('is not a setting')) return [...this.renameKey(), this.removeKey()];
    if (this.path.length === 1 && this.path[0] === 'id') return [this.setId()];
    return this.replaceValue();
  }

  /** An empty file becomes a record that only needs its sentence. */
  private fillIn(): vscode.CodeAction | undefined {
    const { places, kind, text } = this.page;
    if (kind !== 'record' || places.length > 0) return undefined;
    const record = `id: ${folderName(this.page)}\nschemaVersion: 1\nscope:\n  paths: ["**"]\nsummary: ${this.placeholder()}\n`;
    return this.edited(vscode.l10n.t('Fill in a new record'), () => text + record);
  }

  private placeholder(): string {
    return vscode.l10n.t('What everybody should know, in one sentence.');
  }

  private addKey(): vscode.CodeAction | undefined {
    const name = String(this.path.at(-1));
    const title = vscode.l10n.t('Add {0}', name);
    if (this.path.length > 1) return this.addKeyToItem(name, title);
    const values: Readonly<Record<string, unknown>> = {
      id: folderName(this.page),
      schemaVersion: 1,
      scope: { paths: ['**'] },
      summary: this.placeholder(),
    };
    return name in values ? this.changed(title, [[[name], values[name]]]) : undefined;
  }

  private addKeyToItem(name: string, title: string): vscode.CodeAction | undefined {
    const item = placeAt(this.page.places, this.path.slice(0, -1));
    if (item?.shape !== 'map') return undefined;
    const value = name === 'kind' ? 'task' : '"?"';
    const isFlow = this.page.text[item.value.start] === '{';
    const start = item.value.start + (isFlow ? 1 : 0);
    const indent = ' '.repeat(this.page.document.positionAt(item.value.start).character);
    const added = isFlow ? `${name}: ${value}, ` : `${name}: ${value}\n${indent}`;
    return this.replaced(title, { start, end: start }, added);
  }

  private renameKey(): (vscode.CodeAction | undefined)[] {
    const key = placeAt(this.page.places, this.path)?.key;
    return this.instead.map((name) => key && this.replaced(vscode.l10n.t('Change to {0}', name), key, name));
  }

  private removeKey(): vscode.CodeAction | undefined {
    const path = this.path.map(String) as [string, ...string[]];
    return this.changed(vscode.l10n.t('Remove {0}', path.at(-1) ?? ''), [[path, undefined]]);
  }

  private setId(): vscode.CodeAction | undefined {
    const folder = folderName(this.page);
    return this.changed(vscode.l10n.t('Set id to {0}, as the folder says', folder), [[['id'], folder]]);
  }

  /** The likely values first; where none is likely, all. */
  private replaceValue(): (vscode.CodeAction | undefined)[] {
    const { text, places } = this.page;
    const place = placeAt(places, this.path);
    const word = place && wordAt(text, place);
    if (!place || word === undefined) return [];
    const isEnum = this.shown.problem.code === 'schema';
    const near = isEnum ? nearest(word, this.instead) : [];
    const choices = near.length > 0 ? near : this.instead;
    return choices.slice(0, MAX_CHOICES).map((value) => {
      const span = innerOf(text, place.value);
      const isQuoted = span.start > place.value.start;
      return this.replaced(
        vscode.l10n.t('Change to {0}', value),
        span,
        isQuoted ? value : asYaml(value, isEnum),
      );
    });
  }

  private removeItem(path = this.path): vscode.CodeAction | undefined {
    const [first, ...rest] = path;
    if (typeof first !== 'string') return undefined;
    const steps: [string, ...(string | number)[]] = [first, ...(rest as (string | number)[])];
    const place = placeAt(this.page.places, this.path);
    const name = (place && wordAt(this.page.text, place)) ?? '';
    return this.edited(vscode.l10n.t('Remove {0}', name), () => withoutItem(this.page.text, steps));
  }

  private removeIfOthers(): vscode.CodeAction | undefined {
    const others = this.page.places.filter(
      ({ path }) => path.length === this.path.length && isAt({ path: path.slice(0, -1) }, ['scope', 'paths']),
    );
    return others.length > 1 ? this.removeItem() : undefined;
  }

  private meanEverything(): vscode.CodeAction | undefined {
    const title = vscode.l10n.t('Mean the whole repository: "**" alone');
    return this.changed(title, [[['scope', 'paths'], ['**']]]);
  }

  private async addTag(): Promise<vscode.CodeAction | undefined> {
    const place = placeAt(this.page.places, this.path);
    const tag = place && wordAt(this.page.text, place);
    if (tag === undefined) return undefined;
    const action = this.action(vscode.l10n.t('Add {0} to tags.yaml', tag));
    try {
      const document = await vscode.workspace.openTextDocument(tagsUri(this.page));
      const text = document.getText();
      const meaning = vscode.l10n.t('What {0} means.', tag);
      const difference = differenceOf(text, editYaml(text, [[[tag], meaning]]));
      if (!difference) return undefined;
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, rangeOf({ document }, difference), difference.text);
      return action;
    } catch {
      // Not there any more, or not a map: it has a diagnostic of its own.
      return undefined;
    }
  }

  private removeSuperseded(): vscode.CodeAction | undefined {
    const title = vscode.l10n.t('Remove it from supersedes');
    return this.path.length === 1 ? this.changed(title, [[['supersedes'], null]]) : this.removeItem();
  }

  private activate(): vscode.CodeAction | undefined {
    return this.changed(vscode.l10n.t('Set it active again'), [
      [['status'], 'active'],
      [['superseded_by'], null],
    ]);
  }

  private upvoteOther(): vscode.CodeAction | undefined {
    const [id] = this.instead;
    const { store } = this.page;
    if (id === undefined || !store) return undefined;
    const ref: LearningRef = { root: store.root, id };
    return this.run(vscode.l10n.t('Upvote {0} instead', id), commandIds.upvote, ref);
  }

  private supersedeOther(): vscode.CodeAction | undefined {
    const [id] = this.instead;
    const { text, places } = this.page;
    if (id === undefined) return undefined;
    const named = places.flatMap((place) =>
      place.path[0] === 'supersedes' ? (wordAt(text, place) ?? []) : [],
    );
    const all = [...named.filter((one) => one !== 'null' && one !== '~'), id];
    const value = all.length === 1 ? id : all;
    return this.changed(vscode.l10n.t('Supersede {0} with this', id), [[['supersedes'], value]]);
  }

  private maskSecret(): vscode.CodeAction {
    const action = this.action(vscode.l10n.t('Replace it with “(removed)”'));
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(this.page.document.uri, this.shown.diagnostic.range, '(removed)');
    return action;
  }

  /** Only inside of longer texts, where a line is no key. */
  private removeLine(): vscode.CodeAction | undefined {
    const { document, places } = this.page;
    if (placeAt(places, this.path)?.shape !== 'text') return undefined;
    const action = this.action(vscode.l10n.t('Remove the line'));
    action.edit = new vscode.WorkspaceEdit();
    const { line } = this.shown.diagnostic.range.start;
    action.edit.delete(document.uri, document.lineAt(line).rangeIncludingLineBreak);
    return action;
  }

  private changed(title: string, changes: readonly Change[]): vscode.CodeAction | undefined {
    return this.edited(title, () => editYaml(this.page.text, changes));
  }

  /** Nothing where the text is in no state to be changed so. */
  private edited(title: string, change: () => string): vscode.CodeAction | undefined {
    try {
      const difference = differenceOf(this.page.text, change());
      return difference && this.replaced(title, difference, difference.text);
    } catch {
      return undefined;
    }
  }

  private replaced(title: string, span: Span, text: string): vscode.CodeAction {
    const action = this.action(title);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(this.page.document.uri, rangeOf(this.page, span), text);
    return action;
  }

  private run(title: string, command: CommandId, ...args: readonly LearningRef[]): vscode.CodeAction {
    const action = this.action(title);
    action.command = { title, command, arguments: [...args] };
    return action;
  }

  private action(title: string): vscode.CodeAction {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [this.shown.diagnostic];
    return action;
  }
}
