import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { runGit } from '../../src/node/git';
import { receiptsJournal } from '../../src/node/journal';
import { ActiveFile } from '../../src/vscode/activeFile';
import { answer, followups } from '../../src/vscode/chat/participant';
import type { Question } from '../../src/vscode/chat/question';
import { Deliveries } from '../../src/vscode/deliveries';
import { commandIds } from '../../src/vscode/ids';
import type { Surface } from '../../src/vscode/surface';
import { Workspace } from '../../src/vscode/workspace';

const root = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const uriOf = (path: string): vscode.Uri => vscode.Uri.file(join(root(), path));

let surface: Surface;

interface Said {
  readonly text: string;
  readonly buttons: readonly vscode.Command[];
  readonly command: string | undefined;
}

/** What somebody gets who writes `@learnings …`. */
async function ask(
  command: string | undefined,
  prompt: string,
  more: Partial<Question['request']> = {},
): Promise<Said> {
  let text = '';
  const buttons: vscode.Command[] = [];
  const result = await answer({
    surface,
    request: { prompt, command, references: [], ...more },
    stream: {
      markdown: (part) => void (text += typeof part === 'string' ? part : part.value),
      button: (button) => void buttons.push(button),
      progress: () => undefined,
      reference: () => undefined,
    },
    token: new vscode.CancellationTokenSource().token,
  });
  assert.equal(result.errorDetails, undefined, result.errorDetails?.message);
  return {
    text: text.replaceAll(/file:\/\/[^>)]*\/\.learnings\//g, ''),
    buttons,
    command: result.metadata?.command,
  };
}

describe('@learnings', () => {
  const subscriptions: vscode.Disposable[] = [];
  before(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const log = vscode.window.createOutputChannel('chat test', { log: true });
    const workspace = new Workspace(log);
    const activeFile = new ActiveFile();
    const deliveries = new Deliveries(workspace);
    const memory = { get: () => undefined, keys: () => [], update: () => Promise.resolve() };
    const ownMemory = { ...memory, setKeysForSync: () => undefined };
    surface = { workspace, activeFile, deliveries, log, memory, ownMemory };
    subscriptions.push(workspace, activeFile, deliveries, log);
  });
  after(() => subscriptions.forEach((one) => void one.dispose()));

  it('is declared as it is registered', () => {
    const [declared] = manifest.contributes.chatParticipants;
    assert.deepEqual(
      declared?.commands.map(({ name }) => name),
      ['remember', 'why', 'review', 'footer'],
    );
  });

  it('keeps what is to be remembered as a candidate, about the attached file, with the words', async () => {
    const words = 'Never cache a tide across New Year. <img src=x> [link](command:x)';
    const references = [{ id: 'file', value: uriOf('src/predict/harmonics.ts') }];
    const { text, buttons } = await ask('remember', words, { references });
    const id = /\*\*(C-[0-9a-f]{8})\*\*/.exec(text)?.[1] ?? assert.fail(text);
    try {
      assert.match(text, /about src\/predict\/harmonics\\\.ts:/);
      assert.doesNotMatch(text, /<img|\]\(command/);
      assert.deepEqual(
        buttons.map(({ command }) => command),
        [commandIds.promote, commandIds.edit, commandIds.openRecord],
      );
      const record = new TextDecoder().decode(
        await vscode.workspace.fs.readFile(uriOf(`.learnings/candidates/${id}/learning.yaml`)),
      );
      assert.match(record, /quote: "?Never cache a tide across New Year\./);
      assert.match(record, /paths: *\n? *(?:- |\[)src\/predict\/harmonics\.ts/);
    } finally {
      rmSync(join(root(), '.learnings', 'candidates', id), { recursive: true });
      await vscode.commands.executeCommand(commandIds.refresh);
    }
  });

  it('keeps no secret, and says why', async () => {
    const { text } = await ask('remember', `Use the token ghp_${'a1B2'.repeat(9)} for releases.`);
    assert.match(text, /token/i);
    assert.doesNotMatch(text, /Kept as/);
  });

  it('says what to write where there is nothing to remember', async () => {
    assert.match((await ask('remember', ' ')).text, /Never retry a POST/);
  });

  it('explains what applies to a named, an attached or the open file', async () => {
    const named = await ask('why', 'src/http/server.ts');
    assert.match(named.text, /3 learnings are about .*best first:/);
    assert.match(
      named.text,
      /- \[\*\*L\\-0005\*\*\]\(<L-0005\/learning\.yaml>\) .*\n.*\n? *\*matched by src\/http\/server\\\.ts\*/,
    );
    assert.deepEqual(named.command, 'why');
    const references = [{ id: 'file', value: uriOf('src/http/server.ts') }];
    assert.equal((await ask('why', '', { references })).text, named.text);
    assert.equal((await ask('why', 'what about server.ts?')).text, named.text, 'by its name alone');
    assert.match((await ask('why', '')).text, /^Which file\?/);
    await vscode.window.showTextDocument(uriOf('src/http/server.ts'));
    assert.equal((await ask('why', '')).text, named.text);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('answers a question by what is recorded', async () => {
    const { text } = await ask(undefined, 'nodal corrections');
    assert.match(text, /^Recorded about that, best first:\n\n- \[\*\*L\\-0009\*\*\]/);
    const nothing = await ask(undefined, 'xylophone');
    assert.match(nothing.text, /^Nothing is recorded about that/);
    assert.equal(nothing.buttons[0]?.command, commandIds.search);
  });

  describe('/review', () => {
    const changed = (): string => join(root(), 'src', 'predict', 'new-model.ts');
    let wasRepository = true;
    before(async () => {
      wasRepository = (await runGit(root(), ['rev-parse', '--show-toplevel'])).trim() === root();
      if (!wasRepository) {
        await runGit(root(), ['init', '-q']);
        await runGit(root(), ['add', '-A']);
        const who = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.c'];
        await runGit(root(), [...who, 'commit', '-q', '-m', 'all']);
      }
    });
    after(() => {
      rmSync(changed(), { force: true });
      if (!wasRepository) rmSync(join(root(), '.git'), { recursive: true });
    });

    it('says so where nothing has changed, or nothing is known about what has', async () => {
      assert.match((await ask('review', '')).text, /^Nothing has changed|^No learning is about/);
    });

    it('has the model compare the change with what applies, and lists that', async () => {
      writeFileSync(changed(), 'const longitude = 7;\n');
      let prompt = '';
      const model = {
        maxInputTokens: 100_000,
        sendRequest([message]: vscode.LanguageModelChatMessage[]) {
          const [part] = message?.content ?? [];
          prompt = part instanceof vscode.LanguageModelTextPart ? part.value : '';
          return Promise.resolve({ text: textOf('It goes against [L-0001].') });
        },
      } as unknown as vscode.LanguageModelChat;
      const { text } = await ask('review', '', { model });
      assert.match(prompt, /- \[L-0001\] Keep every height.*Applies to: src\/predict\/new-model\.ts/);
      assert.match(prompt, /\+const longitude = 7;/);
      assert.match(
        text,
        /^It goes against \[L-0001\]\.\n\n---\n\nRecorded about the changed file:\n\n- \[\*\*L/,
      );
    });

    it('lists what applies where no model can be used', async () => {
      writeFileSync(changed(), 'const longitude = 7;\n');
      assert.match(
        (await ask('review', '')).text,
        /^No model is selected[^\n]*\n\nRecorded about the changed file:/,
      );
      const model = {
        maxInputTokens: 1000,
        sendRequest: () => Promise.reject(vscode.LanguageModelError.NoPermissions('not signed in')),
      } as unknown as vscode.LanguageModelChat;
      assert.match(
        (await ask('review', '', { model })).text,
        /^The model could not compare them \(not signed in\)/,
      );
    });
  });

  it('gives what the last session was given, for a pull request', async () => {
    const at = new Date().toISOString();
    receiptsJournal(root()).append(
      JSON.stringify({ at, did: 'gave', ids: ['L-0009'], agent: 'copilot-chat', session: 'chat-test' }),
    );
    const { text, buttons } = await ask('footer', '');
    assert.match(text, /🧠 Learnings used \(1\)/);
    assert.deepEqual(buttons[0]?.command, commandIds.copyUsed);
    await vscode.env.clipboard.writeText('');
  });

  it('offers what may be asked next', () => {
    assert.deepEqual(
      [...followups(''), ...followups('why')].map(({ command }) => command),
      ['why', 'review', 'review'],
    );
    assert.deepEqual(followups(undefined), []);
  });
});

async function* textOf(...parts: string[]): AsyncGenerator<string> {
  for (const part of parts) yield await Promise.resolve(part);
}

describe('Test Delivery', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('shows what every agent would get, and leaves no receipt', async () => {
    const before = receiptsJournal(root()).read();
    await vscode.commands.executeCommand(commandIds.testDelivery, uriOf('src/http/server.ts'));
    const page = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'learnings-delivery');
    assert.match(page?.uri.path ?? '', /Delivery for server\.ts\.md$/);
    const text = page?.getText() ?? '';
    assert.match(text, /^# What agents get for `src\/http\/server\.ts`\n/);
    assert.match(text, /\n- \[L-0005\] /);
    assert.match(text, /\| Copilot Chat \| PreToolUse \| `read_file` \| \d+ \| \d+ \|/);
    assert.equal(receiptsJournal(root()).read(), before);
  });
});
