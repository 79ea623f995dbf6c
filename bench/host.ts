// What the extension costs inside the extension host. VS Code calls `run` there; LEARNINGS_BENCH says where to write.
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import * as vscode from 'vscode';

import manifest from '../package.json';
import { commandIds, viewIds } from '../src/vscode/ids';
import { reportEnd } from '../test/host/hostReport';
import { syntheticStore } from './synthetic';

/** What one host found: milliseconds and megabytes. */
export interface HostFigures {
  /** Our providers called as VS Code calls them. */
  readonly lens: Pair;
  /** The same through VS Code and back, beside a provider whose lens is always the same. */
  readonly roundTrip: Pair;
  readonly trees: Readonly<Record<string, Pair>>;
  readonly activation: { readonly load: number; readonly call: number; readonly finish: number };
  readonly memoryMb: number;
}

/** The slow end of ours and of a provider that does nothing, by turns. */
interface Stretch {
  readonly ours: number;
  readonly empty: number;
}

/** Of all rounds, and of the stretch of them in which other programs took the least from us. */
export interface Pair {
  readonly all: Stretch;
  readonly quietest: Stretch;
}

type Tree = vscode.TreeDataProvider<unknown>;
type Lenses = vscode.CodeLensProvider;

interface Providers {
  readonly trees: ReadonlyMap<string, Tree>;
  readonly lenses: readonly Lenses[];
}

/** With their twins, fewer than VS Code keeps open for an extension. */
const FILES = 20;
const ROUNDS = 300;
const STRETCHES = 5;
const LINES = 300;
const SCHEME = 'bench';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

export async function run(): Promise<void> {
  const files = writeFiles();
  // VS Code has started without it: so the store appears, and the extension with it, while we watch.
  renameSync(join(root, 'learnings'), join(root, '.learnings'));
  const before = await restingMemory();
  const providers = await activateWatched();
  const documents = await openAll(files);
  await vscode.window.showTextDocument(documents[0]?.uri ?? vscode.Uri.file(''));
  for (const { uri } of documents) await askForLenses(uri);
  for (const tree of providers.trees.values()) await refresh(tree);
  const memoryMb = (await restingMemory()) - before;
  const figures: HostFigures | Pick<HostFigures, 'memoryMb'> =
    providers.lenses.length === 0
      ? { memoryMb }
      : {
          memoryMb,
          activation: await activationTimes(),
          lens: await measureLenses(providers.lenses, documents),
          roundTrip: await measureRoundTrips(documents),
          trees: await measureTrees(providers.trees, documents),
        };
  writeFileSync(process.env['LEARNINGS_BENCH'] ?? '', JSON.stringify(figures));
  console.log(reportEnd);
}

async function openAll(files: readonly string[]): Promise<vscode.TextDocument[]> {
  const documents: vscode.TextDocument[] = [];
  for (const file of files) documents.push(await vscode.workspace.openTextDocument(file));
  return documents;
}

/** Source files that the records are about, with words in them that could be symbols and ten functions that are. */
function writeFiles(): string[] {
  const { files, records } = syntheticStore(1000);
  const words = records.flatMap(({ summary }) => summary.split(' '));
  return files.slice(0, FILES).map((file, at) => {
    // An ending that no other extension has lenses for.
    const path = join(root, `${file}.bench`);
    mkdirSync(dirname(path), { recursive: true });
    const line = (number: number): string =>
      `  const ${words[(at * 31 + number) % words.length] ?? 'x'} = call(${number}, "${words[number] ?? ''}");`;
    // Every fifth record of the store names one.
    const declared = Array.from({ length: 10 }, (_, number) => `function named${at * 50 + number * 5}() {`);
    const text = [...declared, ...Array.from({ length: LINES }, (_, number) => line(number))].join('\n');
    writeFileSync(path, text);
    return path;
  });
}

/** Activates it and gives the providers that it registers. */
async function activateWatched(): Promise<Providers> {
  const trees = new Map<string, Tree>();
  const lenses: Lenses[] = [];
  const { window, languages } = vscode;
  const { createTreeView, registerTreeDataProvider } = window;
  const { registerCodeLensProvider } = languages;
  window.createTreeView = (id, options) => {
    trees.set(id, options.treeDataProvider);
    return createTreeView(id, options);
  };
  window.registerTreeDataProvider = (id, provider) => {
    trees.set(id, provider);
    return registerTreeDataProvider(id, provider);
  };
  languages.registerCodeLensProvider = (selector, provider) => {
    lenses.push(provider);
    return registerCodeLensProvider(selector, provider);
  };
  const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);
  if (!extension || extension.isActive) throw new Error('It must not be active before it is measured.');
  await extension.activate();
  Object.assign(window, { createTreeView, registerTreeDataProvider });
  Object.assign(languages, { registerCodeLensProvider });
  return { trees, lenses };
}

/** VS Code's own figures, from `Developer: Startup Performance`. */
async function activationTimes(): Promise<HostFigures['activation']> {
  await vscode.commands.executeCommand('perfview.show');
  const id = `${manifest.publisher}.${manifest.name}`;
  for (let tries = 0; tries < 100; tries++) {
    const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'perf');
    const row = page
      ?.getText()
      .split('\n')
      .find((line) => line.includes(id) && line.startsWith('|'));
    const [, , , load, call, finish] = (row ?? '').split('|').map((cell) => cell.trim());
    if (finish !== undefined) {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      return { load: Number(load), call: Number(call), finish: Number(finish) };
    }
    await pause(100);
  }
  throw new Error('VS Code does not tell how long activation took.');
}

/** Every provider of ours in turn, with the text that is shown. */
async function measureLenses(
  providers: readonly Lenses[],
  documents: readonly vscode.TextDocument[],
): Promise<Pair> {
  const { token } = new vscode.CancellationTokenSource();
  const ask = async (asked: readonly Lenses[], round: number): Promise<void> => {
    const document = documents[round % documents.length];
    if (!document) return;
    for (const provider of asked) {
      for (const lens of (await provider.provideCodeLenses(document, token)) ?? [])
        await provider.resolveCodeLens?.(lens, token);
    }
  };
  const nothing: Lenses = { provideCodeLenses: () => [] };
  return byTurns(
    (round) => ask(providers, round),
    (round) => ask([nothing], round),
  );
}

const askForLenses = (uri: vscode.Uri): Thenable<vscode.CodeLens[]> =>
  vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri, 10);

async function measureRoundTrips(documents: readonly vscode.TextDocument[]): Promise<Pair> {
  const texts = new Map(documents.map((document) => [document.uri.path, document.getText()]));
  const top = new vscode.Range(0, 0, 0, 0);
  const registrations = [
    vscode.languages.registerCodeLensProvider(
      { scheme: SCHEME },
      {
        provideCodeLenses: () => [new vscode.CodeLens(top)],
        resolveCodeLens: () => new vscode.CodeLens(top, { title: 'x', command: '' }),
      },
    ),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
    }),
  ];
  for (const { uri } of documents) await vscode.workspace.openTextDocument(uri.with({ scheme: SCHEME }));
  const uriAt = (round: number): vscode.Uri =>
    documents[round % documents.length]?.uri ?? vscode.Uri.file('');
  const measured = await byTurns(
    (round) => askForLenses(uriAt(round)),
    (round) => askForLenses(uriAt(round).with({ scheme: SCHEME })),
  );
  for (const one of registrations) one.dispose();
  return measured;
}

/** What VS Code asks of a tree when it is told that everything may have changed, with what that makes of our trees. */
async function refresh(tree: Tree): Promise<void> {
  // Otherwise it would be asked for rows that it has made already.
  (tree as { forget?: () => void }).forget?.();
  for (const child of (await tree.getChildren()) ?? []) await tree.getTreeItem(child);
}

async function measureTrees(
  trees: ReadonlyMap<string, Tree>,
  documents: readonly vscode.TextDocument[],
): Promise<Record<string, Pair>> {
  await vscode.window.showTextDocument(documents[0]?.uri ?? vscode.Uri.file(''));
  const nothing: Tree = { getChildren: () => [], getTreeItem: () => new vscode.TreeItem('') };
  const measured: Record<string, Pair> = {};
  for (const id of [viewIds.thisFile, viewIds.all]) {
    const tree = trees.get(id);
    if (!tree) throw new Error(`There is no view ${id}.`);
    measured[id] = await byTurns(
      () => refresh(tree),
      () => refresh(nothing),
      changeARecord,
    );
  }
  return measured;
}

/** As a pull does that brings one record: the trees find the store changed, and not what they had made of it. */
async function changeARecord(): Promise<void> {
  const now = new Date();
  // Its time is new, so it is read again.
  utimesSync(join(root, '.learnings', 'L-0500', 'learning.yaml'), now, now);
  await vscode.commands.executeCommand(commandIds.refresh);
}

async function byTurns(
  ours: (round: number) => PromiseLike<unknown>,
  empty: (round: number) => PromiseLike<unknown>,
  prepare: () => Promise<void> = () => Promise.resolve(),
): Promise<Pair> {
  const times: { ours: number; empty: number }[] = [];
  const time = async (run: (round: number) => PromiseLike<unknown>, round: number): Promise<number> => {
    const started = performance.now();
    await run(round);
    return performance.now() - started;
  };
  for (let round = 0; round < ROUNDS; round++) {
    await prepare();
    times.push({ ours: await time(ours, round), empty: await time(empty, round) });
  }
  const slowEnd = (some: typeof times): Stretch => ({
    ours: p95(some.map((one) => one.ours)),
    empty: p95(some.map((one) => one.empty)),
  });
  const stretches = Array.from({ length: STRETCHES }, (_, at) =>
    slowEnd(times.slice((at * ROUNDS) / STRETCHES, ((at + 1) * ROUNDS) / STRETCHES)),
  );
  const [quietest = slowEnd(times)] = stretches.toSorted((a, b) => a.ours - a.empty - (b.ours - b.empty));
  return { all: slowEnd(times), quietest };
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? NaN;

/** What stays once the garbage is gone, on the heap and beside it. */
async function restingMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 5; round++) {
    collect();
    await pause(100);
  }
  return process.memoryUsage().rss / 1e6;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
