import assert from 'node:assert/strict';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { commandIds } from '../../src/vscode/ids';

const ID = 'L-0901';
const OTHER = 'L-0902';
const OLD = 'L-0900';

const good = (id: string, more = ''): string => `id: ${id}
schemaVersion: 1
# Said by hand.
kind: rule
scope:
  paths: ["src/http/**"] # all of it
  tags: [http, zephyr]
summary: Answer the harbour bell before the fog horn of ${id}.
${more}`;

const bell = good(OTHER).replace(/^summary: .*$/m, 'summary: Never ask a pilot about a beacon that is out.');

const codeOf = ({ code }: vscode.Diagnostic): string => (typeof code === 'string' ? code : '');

describe('inside learning.yaml, config.yaml and tags.yaml', () => {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const store = vscode.Uri.joinPath(folder?.uri ?? vscode.Uri.file('/'), '.learnings');
  const tags = vscode.Uri.joinPath(store, 'tags.yaml');
  const recordOf = (id: string): vscode.Uri => vscode.Uri.joinPath(store, id, 'learning.yaml');
  const config = vscode.Uri.joinPath(store, 'config.yaml');
  let tagsBefore: Uint8Array;
  let configBefore: Uint8Array;

  const write = (uri: vscode.Uri, text: string): Thenable<void> =>
    vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));

  /** The diagnostics of a file, as soon as they are as wanted. */
  async function diagnosed(
    uri: vscode.Uri,
    accept: (codes: readonly string[]) => boolean,
  ): Promise<readonly vscode.Diagnostic[]> {
    const ours = (): vscode.Diagnostic[] =>
      vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'learnings');
    const isSo = (): boolean => accept(ours().map(codeOf));
    if (!isSo()) {
      await new Promise<void>((resolve, reject) => {
        const overdue = setTimeout(() => {
          listener.dispose();
          reject(new Error(`still ${JSON.stringify(ours().map(({ code, message }) => [code, message]))}`));
        }, 15_000);
        const listener = vscode.languages.onDidChangeDiagnostics(() => {
          if (!isSo()) return;
          clearTimeout(overdue);
          listener.dispose();
          resolve();
        });
      });
    }
    return ours();
  }

  const has = (code: string) => (codes: readonly string[]) => codes.includes(code);
  const isClean = (codes: readonly string[]): boolean => codes.length === 0;

  /** Puts a text into the editor, without saving it. */
  async function type(uri: vscode.Uri, text: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(uri);
    // VS Code takes what was written to disk into the editor in its own time, and drops an edit that comes before.
    while (document.getText() !== text) {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
      await vscode.workspace.applyEdit(edit);
    }
    return document;
  }

  async function fixes(document: vscode.TextDocument, code: string): Promise<vscode.CodeAction[]> {
    const found = await diagnosed(document.uri, has(code));
    const range = found.find((one) => one.code === code)?.range ?? assert.fail(code);
    return vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
      vscode.CodeActionKind.QuickFix.value,
    );
  }

  /** Takes a quick fix and gives the text after it. */
  async function fix(text: string, code: string, title: RegExp): Promise<string> {
    const document = await type(recordOf(ID), text);
    const actions = await fixes(document, code);
    const action = actions.find((one) => title.test(one.title));
    assert.ok(action?.edit, `${title.source} not among ${actions.map((one) => one.title).join(' | ')}`);
    await vscode.workspace.applyEdit(action.edit);
    await diagnosed(document.uri, (codes) => !codes.includes(code));
    return document.getText();
  }

  /** Proposals where `^` stands in the text. */
  async function complete(uri: vscode.Uri, marked: string): Promise<vscode.CompletionItem[]> {
    const document = await type(uri, marked.replace('^', ''));
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      document.positionAt(marked.indexOf('^')),
    );
    return items;
  }
  const labels = (items: readonly vscode.CompletionItem[]): string[] =>
    items.map(({ label }) => (typeof label === 'string' ? label : label.label));

  const described = (items: readonly vscode.CompletionItem[], wanted: string): string =>
    items
      .map(({ label }) => label)
      .filter((label) => typeof label === 'object')
      .find(({ label }) => label === wanted)?.description ?? '';

  /** The editor's text of a file, once it is what the disk has. */
  async function opened(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(uri);
    const onDisk = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    if (document.getText() === onDisk) return document;
    // VS Code has not seen the change on disk yet; this makes it look.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), onDisk);
    return document;
  }

  const positionOf = (document: vscode.TextDocument, word: string, from = 0): vscode.Position =>
    document.positionAt(document.getText().indexOf(word, from) + 1);

  const closeAll = async (): Promise<void> => {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  };

  before(async () => {
    await vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`)?.activate();
    tagsBefore = await vscode.workspace.fs.readFile(tags);
    configBefore = await vscode.workspace.fs.readFile(config);
  });

  // Some hosts save what is typed, so every test starts from files of its own.
  beforeEach(async () => {
    await write(tags, `${new TextDecoder().decode(tagsBefore)}zephyr: A light wind.\n`);
    await write(recordOf(ID), good(ID));
    await write(recordOf(OTHER), `${bell}supersedes: ${OLD}\n`);
    await write(recordOf(OLD), good(OLD, `status: superseded\nsuperseded_by: ${OTHER}\n`));
    await vscode.commands.executeCommand(commandIds.refresh);
    // What is open counts as it stands in the editor, which learns of the disk's later.
    for (const { uri, isClosed } of vscode.workspace.textDocuments)
      if (
        !isClosed &&
        [tags, recordOf(ID), recordOf(OTHER), recordOf(OLD)].some((one) => one.path === uri.path)
      )
        await opened(uri);
  });

  afterEach(async () => {
    await closeAll();
    for (const id of [ID, OTHER, OLD])
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(store, id), { recursive: true });
    await vscode.workspace.fs.writeFile(tags, tagsBefore);
    await vscode.workspace.fs.writeFile(config, configBefore);
    await vscode.commands.executeCommand(commandIds.refresh);
  });

  it('says what is wrong as it is typed, and nothing once it is right again', async () => {
    const document = await type(recordOf(ID), good(ID).replace('summary: ', 'summary: a: '));
    const [found] = await diagnosed(document.uri, has('yaml'));
    assert.equal(found?.severity, vscode.DiagnosticSeverity.Error);
    const [action] = await fixes(document, 'yaml');
    assert.ok(action?.edit);
    assert.equal(action.isPreferred, true);
    await vscode.workspace.applyEdit(action.edit);
    await diagnosed(document.uri, isClean);
    assert.match(document.getText(), /^summary: 'a: Answer/m);
  });

  it('says what is wrong with files that nobody has open, and forgets it when they go', async () => {
    const uri = recordOf('L-0903');
    await write(uri, good('L-0904'));
    await vscode.commands.executeCommand(commandIds.refresh);
    assert.deepEqual((await diagnosed(uri, has('id-mismatch'))).map(codeOf), ['id-mismatch']);
    await vscode.workspace.openTextDocument(uri);
    const inEditor = await diagnosed(uri, () =>
      vscode.languages.getDiagnostics(uri).some(({ range }) => range.end.character === 'id: L-0904'.length),
    );
    assert.equal(inEditor.filter((one) => codeOf(one) === 'id-mismatch').length, 1);
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(store, 'L-0903'), { recursive: true });
    await vscode.commands.executeCommand(commandIds.refresh);
    await diagnosed(uri, isClean);
  });

  it('removes a pattern that matches nothing, or follows the file, and keeps the comments', async () => {
    const broken = good(ID).replace('["src/http/**"]', '["src/http/**", "src/respond.ts"]');
    assert.equal(await fix(broken, 'dead-glob', /^Remove src\/respond\.ts/), good(ID));
    assert.match(
      await fix(broken, 'dead-glob', /^Change to src\/http\/respond\.ts/),
      /\["src\/http\/\*\*", "src\/http\/respond\.ts"\] # all of it\n/,
    );
  });

  it('mends ids, values, keys and what is missing', async () => {
    assert.equal(
      await fix(good('L-0777').replace('of L-0777', `of ${ID}`), 'id-mismatch', /^Set id/),
      good(ID),
    );
    assert.equal(await fix(good(ID).replace('kind: rule', 'kind: rul'), 'schema', /rule$/), good(ID));
    assert.equal(await fix(good(ID).replace('kind:', 'knid:'), 'unknown-key', /kind$/), good(ID));
    assert.match(await fix(good(ID).replace(/^summary.*\n/m, ''), 'schema', /^Add summary/), /^summary: \w/m);
    assert.match(await fix('', 'schema', /^Fill in/), new RegExp(`^id: ${ID}\nschemaVersion: 1\n`));
  });

  it('mends tags, patterns that are too broad, lost ids and secrets', async () => {
    assert.equal(await fix(good(ID).replace('[http', '[htpt'), 'unknown-tag', /^Change to http$/), good(ID));
    const broad = good(ID).replace('["src/http/**"]', '["src/http/**", "**/*"]');
    assert.equal(await fix(broad, 'too-broad', /^Remove/), good(ID));
    const lost = good(ID, 'supersedes: L-0999\n');
    assert.equal(await fix(lost, 'unknown-id', /^Remove/), good(ID, 'supersedes: null\n'));
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const leaky = good(ID, `body: |\n  Use ${secret}\n  there.\n`);
    assert.match(await fix(leaky, 'secret', /^Replace/), /Use \(removed\)\n/);
    assert.equal(await fix(leaky, 'secret', /^Remove the line/), good(ID, 'body: |\n  there.\n'));
  });

  it('adds a tag to tags.yaml', async () => {
    const document = await type(recordOf(ID), good(ID).replace('zephyr', 'mistral'));
    const action = (await fixes(document, 'unknown-tag')).find(({ title }) =>
      title.startsWith('Add mistral'),
    );
    assert.ok(action?.edit);
    await vscode.workspace.applyEdit(action.edit);
    await diagnosed(document.uri, isClean);
  });

  it('offers to upvote or supersede a learning that says the same', async () => {
    const text = good(ID).replace(
      /^summary: .*$/m,
      'summary: Never ask the pilot about a beacon that is out.',
    );
    const document = await type(recordOf(ID), text);
    const actions = await fixes(document, 'similar');
    const upvote = actions.find(({ title }) => title === `Upvote ${OTHER} instead`);
    assert.equal(upvote?.command?.command, commandIds.upvote);
    const supersede = actions.find(({ title }) => title === `Supersede ${OTHER} with this`);
    assert.ok(supersede?.edit);
    await vscode.workspace.applyEdit(supersede.edit);
    assert.match(document.getText(), new RegExp(`^supersedes: ${OTHER}$`, 'm'));
  });

  it('hands conflict markers to the repair command', async () => {
    const document = await type(recordOf(ID), `<<<<<<< HEAD\n${good(ID)}=======\n>>>>>>> x\n`);
    const [action] = await fixes(document, 'conflict-markers');
    assert.equal(action?.command?.command, commandIds.repair);
  });

  it('completes keys, values, tags, ids and paths', async () => {
    const uri = recordOf(ID);
    const keys = await complete(uri, good(ID, '^'));
    assert.ok(labels(keys).includes('rationale'));
    assert.ok(!labels(keys).includes('summary'));
    assert.deepEqual(labels(await complete(uri, good(ID).replace('kind: rule', 'kind: ^'))).slice(0, 2), [
      'rule',
      'decision',
    ]);
    const tagged = await complete(uri, good(ID).replace('zephyr]', '^]'));
    assert.equal(described(tagged, 'zephyr'), 'A light wind.');
    assert.ok(!labels(tagged).includes('http'));
    const ids = await complete(uri, good(ID, 'superseded_by: ^\n'));
    assert.match(described(ids, OTHER), /^Never ask a pilot/);
    const paths = labels(await complete(uri, good(ID).replace('src/http/**', 'src/http/^')));
    assert.ok(paths.includes('src/http/server.ts') && paths.includes('src/http/**/*.ts'), paths.join());
    const evidence = labels(await complete(uri, good(ID, 'evidence:\n  - {kind: ^}\n')));
    assert.ok(evidence.includes('commit'));
  });

  it('completes config.yaml with what each setting does', async () => {
    const keys = await complete(config, 'version: 1\ncaps:\n  ^\n');
    const perCall = keys.find(({ label }) => label === 'per_call');
    assert.match((perCall?.documentation as vscode.MarkdownString).value, /Unless said/);
    assert.deepEqual(labels(await complete(config, 'enabled: ^\n')).slice(0, 2), ['true', 'false']);
  });

  it('explains keys, ids, tags and patterns', async () => {
    const document = await type(recordOf(ID), good(ID, `body: |\n  See ${OTHER} too.\n`));
    const hover = async (word: string): Promise<string> => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        positionOf(document, word),
      );
      return found
        .flatMap(({ contents }) => contents.map((one) => (one as vscode.MarkdownString).value))
        .join();
    };
    assert.match(await hover('kind'), /sort of knowledge/);
    assert.match(await hover(OTHER), /Never ask a pilot/);
    assert.match(await hover('zephyr'), /A light wind[\s\S]*3 learnings/);
    assert.match(await hover('src/http'), /Matches 5 files[\s\S]*health/);
  });

  it('goes from an id to its record and back to all that name it', async () => {
    const document = await opened(recordOf(OTHER));
    const at = positionOf(document, OLD);
    const definitions = await vscode.commands.executeCommand<(vscode.LocationLink | vscode.Location)[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    const [target] = definitions.map((one) => ('targetUri' in one ? one.targetUri : one.uri));
    assert.equal(target?.path, recordOf(OLD).path);
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      at,
    );
    assert.ok(references.some(({ uri }) => uri.path === recordOf(OTHER).path));
  });

  it('goes from a tag to its meaning, and finds the records that have it', async () => {
    const document = await opened(recordOf(ID));
    const at = positionOf(document, 'zephyr');
    const definitions = await vscode.commands.executeCommand<vscode.LocationLink[]>(
      'vscode.executeDefinitionProvider',
      document.uri,
      at,
    );
    assert.equal(definitions[0]?.targetUri.path, tags.path);
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      document.uri,
      at,
    );
    const paths = references.map(({ uri }) => uri.path);
    for (const uri of [recordOf(ID), recordOf(OTHER)]) assert.ok(paths.includes(uri.path), uri.path);
  });

  it('renames a tag in every record and in tags.yaml, and nothing else in them', async () => {
    const document = await opened(tags);
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      tags,
      positionOf(document, 'zephyr'),
      'breeze',
    );
    const touched = edit.entries().map(([uri, edits]) => [uri.path, edits.map(({ newText }) => newText)]);
    assert.deepEqual(
      touched.toSorted(),
      [recordOf(OLD), recordOf(ID), recordOf(OTHER), tags].map(({ path }) => [path, ['breeze']]).toSorted(),
    );
    await vscode.workspace.applyEdit(edit);
    const record = await vscode.workspace.openTextDocument(recordOf(ID));
    assert.equal(record.getText(), good(ID).replace('zephyr', 'breeze'));
    await assert.rejects(async () =>
      vscode.commands.executeCommand(
        'vscode.executeDocumentRenameProvider',
        record.uri,
        positionOf(record, 'breeze'),
        'http',
      ),
    );
  });

  it('outlines the keys with what they hold', async () => {
    const document = await opened(recordOf(ID));
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['id', 'schemaVersion', 'kind', 'scope', 'summary'],
    );
    assert.match(symbols[4]?.detail ?? '', /^Answer the harbour bell/);
    assert.deepEqual(
      symbols[3]?.children.map(({ name, children }) => [name, children.map((one) => one.name)]),
      [
        ['paths', ['src/http/**']],
        ['tags', ['http', 'zephyr']],
      ],
    );
  });

  it('shows above a record its votes, its successor and how many files it is about', async () => {
    const lenses = async (uri: vscode.Uri): Promise<(vscode.Command | undefined)[]> => {
      await opened(uri);
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        uri,
        10,
      );
      return found.map(({ command }) => command);
    };
    // Between them stands what agents were given, where they were given anything.
    const [votes, ...others] = await lenses(recordOf('L-0005'));
    const files = others.at(-1);
    assert.match(votes?.title ?? '', /1 vote, 2026-\d\d-\d\d$/);
    assert.equal(votes?.command, commandIds.upvote);
    assert.match(files?.title ?? '', /^Matches \d+ file/);
    const [superseded] = await lenses(recordOf(OLD));
    assert.match(superseded?.title ?? '', new RegExp(`^Superseded by ${OTHER}`));
    assert.equal(superseded?.command, commandIds.openRecord);
    const candidate = await lenses(vscode.Uri.joinPath(store, 'candidates', 'C-7f3a9c21', 'learning.yaml'));
    assert.deepEqual(
      candidate.slice(0, 2).map((one) => one?.command),
      [commandIds.promote, commandIds.reject],
    );
  });
});
