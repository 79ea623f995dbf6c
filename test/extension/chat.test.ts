import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import * as vscode from 'vscode';

import manifest from '../../package.json';
import { receiptsJournal } from '../../src/node/journal';
import type { WorkingChange } from '../../src/node/workingChange';
import { ActiveFile } from '../../src/vscode/activeFile';
import { answer, followups } from '../../src/vscode/chat/participant';
import type { Question } from '../../src/vscode/chat/question';
import { reviewChange } from '../../src/vscode/chat/review';
import type { Inside } from '../../src/vscode/extension';
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

/** A question as a chat asks it, and what was said to it so far. */
function conversation(
  command: string | undefined,
  prompt: string,
  more: Partial<Question['request']> = {},
): { question: Question; said: () => Omit<Said, 'command'> } {
  let text = '';
  const buttons: vscode.Command[] = [];
  const question: Question = {
    surface,
    request: { prompt, command, references: [], ...more },
    stream: {
      markdown: (part) => void (text += typeof part === 'string' ? part : part.value),
      button: (button) => void buttons.push(button),
      progress: () => undefined,
    },
    token: new vscode.CancellationTokenSource().token,
  };
  return {
    question,
    said: () => ({ text: text.replaceAll(/file:\/\/[^>)]*\/\.learnings\//g, ''), buttons }),
  };
}

/** What somebody gets who writes `@learnings …`. */
async function ask(
  command: string | undefined,
  prompt: string,
  more: Partial<Question['request']> = {},
): Promise<Said> {
  const { question, said } = conversation(command, prompt, more);
  const result = await answer(question);
  assert.equal(result.errorDetails, undefined, result.errorDetails?.message);
  return { ...said(), command: result.metadata?.command };
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
    const change: WorkingChange = { files: ['src/predict/new-model.ts'], diff: '+const longitude = 7;\n' };
    const none: WorkingChange = { files: [], diff: '' };
    const review = async (
      changed: WorkingChange,
      answered?: (prompt: string) => AsyncIterable<string>,
    ): Promise<string> => {
      const model = answered && {
        maxInputTokens: 100_000,
        sendRequest: ([message]: vscode.LanguageModelChatMessage[]) => {
          const [part] = message?.content ?? [];
          return Promise.resolve({
            text: answered(part instanceof vscode.LanguageModelTextPart ? part.value : ''),
          });
        },
      };
      const { question, said } = conversation('review', '', {
        model: model as unknown as vscode.LanguageModelChat | undefined,
      });
      await reviewChange(question, () => Promise.resolve(changed));
      return said().text;
    };

    it('says so where nothing has changed, or nothing is known about what has', async () => {
      assert.match(await review(none), /^Nothing has changed/);
      // What is about the whole repository is about every file.
      assert.match(await review({ ...change, files: ['elsewhere.txt'] }), /- \[\*\*L\\-0002\*\*\]/);
    });

    it('has the model compare the change with what applies, and lists that', async () => {
      let prompt = '';
      const text = await review(change, (asked) => {
        prompt = asked;
        return textOf('It goes against', ' [L-0001].');
      });
      assert.match(prompt, /- \[L-0001\] Keep every height.*Applies to: src\/predict\/new-model\.ts/);
      assert.match(prompt, /\+const longitude = 7;/);
      assert.match(
        text,
        /^It goes against \[L-0001\]\.\n\n---\n\nRecorded about the changed file:\n\n- \[\*\*L/,
      );
    });

    it('lists what applies where no model can be used', async () => {
      assert.match(await review(change), /^No model is selected[^\n]*\n\nRecorded about the changed file:/);
      const refused = await review(change, () => {
        throw vscode.LanguageModelError.NoPermissions('not signed in');
      });
      assert.match(refused, /^The model could not compare them \(not signed in\)/);
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
    const extension = vscode.extensions.getExtension<Inside>(`${manifest.publisher}.${manifest.name}`);
    const html = (await extension?.activate())?.deliveryTests.pageFor('src/http/server.ts') ?? '';
    assert.match(html, /<h1[^>]*>What agents get for <code>src\/http\/server\.ts<\/code>/);
    assert.match(html, /\n- \[L-0005\] /);
    assert.match(html, /<td>Copilot Chat<\/td>\s*<td>PreToolUse<\/td>\s*<td><code>read_file<\/code><\/td>/);
    assert.equal(receiptsJournal(root()).read(), before);
  });
});
