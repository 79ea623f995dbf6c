import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import * as vscode from 'vscode';

import { ActiveFile } from '../../src/vscode/activeFile';
import { Deliveries } from '../../src/vscode/deliveries';
import { addAt, addFromSelection, addLearning } from '../../src/vscode/authoring/add';
import { back, windowAsk, type Answer, type PickManyQuestion } from '../../src/vscode/authoring/ask';
import { chooseCommit } from '../../src/vscode/authoring/commit';
import { editLearning } from '../../src/vscode/authoring/edit';
import {
  archiveLearning,
  promoteCandidate,
  rejectCandidate,
  restoreLearning,
} from '../../src/vscode/authoring/moves';
import { searchRows } from '../../src/vscode/authoring/search';
import { supersedeLearning } from '../../src/vscode/authoring/supersede';
import { upvoteLearning } from '../../src/vscode/authoring/upvote';
import { commandIds } from '../../src/vscode/ids';
import type { Surface } from '../../src/vscode/surface';
import { Workspace } from '../../src/vscode/workspace';
import { accept, esc, goBack, Person, pick, tick, type, type Reply } from './person';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const learnings = join(root, '.learnings');

describe('authoring', () => {
  const log = vscode.window.createOutputChannel('authoring', { log: true });
  const workspace = new Workspace(log);
  const activeFile = new ActiveFile();
  const deliveries = new Deliveries(workspace);
  const surface: Surface = {
    workspace,
    activeFile,
    deliveries,
    log,
    memory: memento(),
    ownMemory: memento(),
  };
  const snapshot = new Map<string, string>();
  const file = vscode.Uri.file(join(root, 'src/http/server.ts'));
  const ref = (id: string): { root: string; id: string } => ({ root, id });
  const statusOf = (id: string): string | undefined => workspace.get(ref(id))?.held.status;

  before(() => workspace.refresh());
  before(() => {
    for (const path of filesIn(learnings)) snapshot.set(path, readFileSync(path, 'utf8'));
  });
  afterEach(async () => {
    for (const path of filesIn(learnings))
      if (!snapshot.has(path)) rmSync(dirname(path), { recursive: true });
    for (const [path, text] of snapshot) {
      if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    await vscode.commands.executeCommand('notifications.clearAll');
    await workspace.refresh();
  });
  after(() => {
    workspace.dispose();
    activeFile.dispose();
    log.dispose();
  });

  /** Waits until the views are told of something that makes this true. */
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isSo()) return resolve();
      const listening = workspace.onDidChange(() => {
        if (!isSo()) return;
        listening.dispose();
        resolve();
      });
    });

  /** The answers that make a whole learning. */
  const answers: readonly Reply[] = [
    pick('Close the server before the process ends.'),
    tick('src/http/**', '!src\\http\\health.ts'),
    tick('http', 'shutdown'),
    type('Connections hung in the proxy.'),
  ];

  describe('adding', () => {
    it('asks four things, writes a record, and takes it back on Undo', async () => {
      const person = new Person([...answers]);
      await addLearning(surface, file, person);
      assert.deepEqual(person.told, ['Added L-0014.']);
      assert.deepEqual(
        person.asked.map(({ step, canGoBack }) => [step?.at, step?.of, canGoBack]),
        [
          [1, 4, false],
          [2, 4, true],
          [3, 4, true],
          [4, 4, true],
        ],
      );
      const held = workspace.get(ref('L-0014'))?.held;
      assert.deepEqual(held?.record.scope, {
        paths: ['src/http/**', '!src/http/health.ts'],
        tags: ['http', 'shutdown'],
        symbols: [],
      });
      assert.equal(held.record.rationale, 'Connections hung in the proxy.');
      assert.equal(held.record.kind, 'rule');

      const again = new Person([...answers]);
      again.clicks = 'Undo';
      await addLearning(surface, file, again);
      assert.deepEqual(again.told, ['Added L-0015.']);
      await until(() => workspace.get(ref('L-0015')) === undefined);
      assert.equal(existsSync(join(learnings, 'L-0015')), false);
      assert.deepEqual(again.failures, []);
    });

    it('writes nothing when any of the questions is dismissed', async () => {
      const existing = filesIn(learnings);
      for (const [at] of answers.entries()) {
        const person = new Person([...answers.slice(0, at), esc]);
        await addLearning(surface, file, person);
        assert.equal(person.asked.length, at + 1);
        assert.deepEqual(person.told, []);
        assert.deepEqual(filesIn(learnings), existing, `dismissed at ${at + 1}`);
      }
    });

    it('goes back to what was said before', async () => {
      const [summary = esc, scope = esc] = answers;
      const person = new Person([summary, scope, goBack, goBack, esc]);
      await addLearning(surface, file, person);
      const [, , , secondScope, secondSummary] = person.asked;
      assert.deepEqual((secondScope as PickManyQuestion).chosen, ['src/http/**', '!src/http/health.ts']);
      assert.ok(secondSummary && 'typed' in secondSummary);
      assert.equal(secondSummary.typed, 'Close the server before the process ends.');
    });

    it('proposes patterns with the number of files they match, and says what is wrong with a typed one', async () => {
      let question: PickManyQuestion | undefined;
      const look: Reply = async (asked) => {
        question = asked as PickManyQuestion;
        await question.whenReady;
        return undefined;
      };
      await addLearning(surface, file, new Person([pick('Anything at all.'), look]));
      assert.ok(question);
      assert.deepEqual(
        question.rows([]).map(({ label, description }) => [label, description]),
        [
          ['src/http/server.ts', '1 file'],
          ['src/http/**', '5 files'],
          ['src/http/**/*.ts', '5 files'],
          ['**/*.ts', '20 files'],
        ],
      );
      assert.deepEqual(question.chosen, ['src/http/server.ts']);
      assert.match(question.read('src/{a').row?.label ?? '', /\{ is never closed/);
      assert.deepEqual(question.read('src/{a').values, []);
      assert.equal(question.read('lib/').row?.description, 'no file yet');
      assert.deepEqual(question.read('lib/').values, ['lib/**']);
      assert.match(question.refuse?.(['!src/**']) ?? '', /only take files away/);
    });

    it('offers the tags that are explained or in use, and takes the beginning of one for it', async () => {
      let question: PickManyQuestion | undefined;
      const look: Reply = (asked) => void (question = asked as PickManyQuestion);
      await addLearning(surface, file, new Person([pick('Anything at all.'), accept, look]));
      const rows = question?.rows([]) ?? [];
      const precision = rows.find(({ value }) => value === 'precision');
      assert.deepEqual(
        [precision?.description, precision?.detail],
        ['2 learnings', 'Rounding, sampling and how wrong a prediction may be.'],
      );
      assert.deepEqual(question?.read('prec'), { row: undefined, values: ['precision'] });
      assert.deepEqual(question.read('#new, http').values, ['new', 'http']);
      assert.equal(question.read('new').row?.description, 'new tag');
    });

    it('needs a tag where it is about no files', async () => {
      const noTag = new Person([pick('About a topic.'), tick(), tick()]);
      await addLearning(surface, file, noTag);
      assert.deepEqual(noTag.told, []);
      const tagged = new Person([pick('About a topic.'), tick(), tick('datum'), type('')]);
      await addLearning(surface, file, tagged);
      assert.deepEqual(workspace.get(ref('L-0014'))?.held.record.scope.paths, []);
    });

    it('offers to upvote what says the same, and takes the vote back on Undo', async () => {
      const votes = join(learnings, 'L-0009', 'votes.jsonl');
      const text = readFileSync(votes, 'utf8');
      const said = 'Take the nodal factors at the middle of the requested window';
      const upvote = [pick(said, /Upvote L-0009 instead/), type('Ada'), type('TIDE-95')];
      const person = new Person(upvote);
      await addLearning(surface, file, person);
      assert.match(person.told[0] ?? '', /^Upvoted L-0009 for TIDE-95: \d votes\.$/);
      assert.match(readFileSync(votes, 'utf8'), /"voter_model":"Ada".*"task_id":"TIDE-95"/);

      const again = new Person([type('Ada'), type('TIDE-95')]);
      await upvoteLearning(surface, ref('L-0009'), again);
      assert.match(again.told[0] ?? '', /already counted/);

      const other = new Person([type('Bob'), type('TIDE-96')]);
      other.clicks = 'Undo';
      await upvoteLearning(surface, ref('L-0009'), other);
      await until(() => !readFileSync(votes, 'utf8').includes('Bob'));
      assert.equal(readFileSync(votes, 'utf8').startsWith(text), true);
      assert.deepEqual(other.failures, []);
    });

    it('takes the code and the place from a selection', async () => {
      const editor = await vscode.window.showTextDocument(file);
      editor.selection = new vscode.Selection(1, 0, 3, 0);
      await addFromSelection(surface, new Person([pick('Said of these lines.'), accept, accept, type('')]));
      const whole = await workspace.all()[0]?.read('L-0014');
      assert.deepEqual(whole?.record.evidence, [{ kind: 'file', ref: 'src/http/server.ts:2-3' }]);
      const code = editor.document.getText(editor.selection);
      assert.equal(
        whole.record.body,
        `From \`src/http/server.ts:2-3\`:\n\n\`\`\`typescript\n${code}\`\`\`\n`,
      );
      assert.deepEqual(whole.record.scope.paths, ['src/http/server.ts']);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });

    it('keeps what was typed when the store refuses it', async () => {
      const token = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
      const person = new Person([pick(`Log in with ${token}.`), accept, accept, type(''), esc]);
      await addLearning(surface, file, person);
      assert.match(String(person.failures[0]), /looks like a GitHub token/);
      const last = person.asked.at(-1);
      assert.ok(last && 'typed' in last);
      assert.equal(last.typed, `Log in with ${token}.`);
      assert.equal(existsSync(join(learnings, 'L-0014')), false);
    });
  });

  describe('a repository without a store', () => {
    const folder = mkdtempSync(join(tmpdir(), 'authoring-'));
    const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
    before(() => {
      git('init', '--quiet', '--initial-branch=main');
      git('config', 'user.name', 'Ada');
      git('config', 'user.email', 'ada@example.com');
      mkdirSync(join(folder, 'src'));
      for (const name of ['a', 'b']) writeFileSync(join(folder, 'src', `${name}.ts`), '');
      git('add', '-A');
      git('commit', '--quiet', '-m', 'Compare outputs first');
    });
    after(() => rmSync(folder, { recursive: true, force: true }));
    const place = { root: folder, store: undefined, path: { relative: 'src/a.ts', isFolder: false } };
    const seed = { title: 'Add Learning' };
    const first: readonly Reply[] = [
      pick('', /Keep learnings in/),
      pick('Compare outputs first.'),
      accept,
      accept,
      type(''),
    ];

    it('gets none when any of the questions is dismissed', async () => {
      for (const [at] of first.entries()) {
        await addAt(surface, place, { seed, ask: new Person([...first.slice(0, at), esc]) });
        assert.equal(existsSync(join(folder, '.learnings')), false, `dismissed at ${at + 1}`);
      }
    });

    it("gets one together with its first learning, which is by git's user", async () => {
      const person = new Person([...first]);
      await addAt(surface, place, { seed, ask: person });
      assert.deepEqual(person.told, ['Added L-0001.']);
      const text = readFileSync(join(folder, '.learnings/L-0001/learning.yaml'), 'utf8');
      assert.match(text, /^created_by: Ada$/m);
      assert.match(text, /^ {2}paths: \[src\/a\.ts\]$/m);
      assert.ok(existsSync(join(folder, '.learnings/.gitattributes')));
    });

    it('has commits to learn from: a row of the timeline, or one of the latest', async () => {
      const id = git('rev-parse', 'HEAD').trim();
      const item = { ref: id, message: 'Compare outputs first', contextValue: 'git:file:commit' };
      const nobody = new Person();
      assert.deepEqual(await chooseCommit(folder, item, nobody), {
        id,
        subject: 'Compare outputs first',
        author: '',
        age: '',
        files: ['src/a.ts', 'src/b.ts'],
      });
      const picked = await chooseCommit(folder, undefined, new Person([pick('ada', /Compare/)]));
      assert.deepEqual([picked?.id, picked?.files.length], [id, 2]);
      assert.equal(await chooseCommit(folder, { ref: '~', message: 'staged' }, new Person([esc])), undefined);
    });
  });

  describe('changing', () => {
    const record = (id: string): string => join(learnings, id, 'learning.yaml');

    it('edits one field and leaves the other lines; Undo brings the old value back', async () => {
      const person = new Person([pick('', /Priority/), type('7')]);
      person.clicks = 'Undo';
      await editLearning(surface, ref('L-0004'), person);
      assert.deepEqual(person.told, ['Changed L-0004: priority.']);
      await until(() => workspace.get(ref('L-0004'))?.held.record.priority !== 7);
      assert.deepEqual(person.failures, []);

      const scope = new Person([pick('', /Scope/), goBack, pick('', /Tags/), tick('http')]);
      await editLearning(surface, ref('L-0004'), scope);
      assert.deepEqual(workspace.get(ref('L-0004'))?.held.record.scope.tags, ['http']);
    });

    it('does not overwrite what somebody else changed while the question was open', async () => {
      const meanwhile: Reply = () => {
        const text = readFileSync(record('L-0004'), 'utf8');
        writeFileSync(record('L-0004'), text.replace(/^summary: .*$/m, 'summary: Changed by hand.'));
        return { value: 'Changed by me.' };
      };
      const editing = editLearning(surface, ref('L-0004'), new Person([pick('', /Summary/), meanwhile]));
      await assert.rejects(editing, /summary of L-0004 was changed by somebody else/);
      assert.match(readFileSync(record('L-0004'), 'utf8'), /Changed by hand/);
    });

    it('changes nothing when a question is dismissed', async () => {
      for (const replies of [[esc], [pick('', /Summary/), esc], [pick('', /Kind/), esc]])
        await editLearning(surface, ref('L-0004'), new Person(replies));
      await archiveLearning(surface, ref('L-0004'), new Person([esc]));
      await supersedeLearning(surface, ref('L-0004'), new Person([esc]));
      await supersedeLearning(surface, ref('L-0004'), new Person([pick('', /Write its successor/), esc]));
      await rejectCandidate(surface, ref('C-7f3a9c21'), new Person([esc]));
      await upvoteLearning(surface, ref('L-0004'), new Person([type('Ada'), esc]));
      for (const [path, text] of snapshot) assert.equal(readFileSync(path, 'utf8'), text, path);
    });

    it('supersedes by a new one that starts from the old', async () => {
      const old = workspace.get(ref('L-0004'))?.held.record;
      const sameScope: Reply = (question) => {
        assert.deepEqual((question as PickManyQuestion).chosen, old?.scope.paths);
        return { value: old?.scope.paths ?? [] };
      };
      const person = new Person([
        pick('', /Write its successor/),
        pick('Something truer.'),
        sameScope,
        accept,
        accept,
      ]);
      await supersedeLearning(surface, ref('L-0004'), person);
      assert.deepEqual(person.told, ['Added L-0014, which supersedes L-0004.']);
      assert.equal(statusOf('L-0004'), 'superseded');
      assert.equal(workspace.get(ref('L-0014'))?.held.record.rationale, old?.rationale);
    });

    it('serves the old one again on Undo', async () => {
      const person = new Person([
        pick('', /Write its successor/),
        pick('Something truer.'),
        accept,
        accept,
        accept,
      ]);
      person.clicks = 'Undo';
      await supersedeLearning(surface, ref('L-0004'), person);
      await until(() => statusOf('L-0004') === 'active');
      assert.equal(workspace.get(ref('L-0014')), undefined);
      assert.deepEqual(person.failures, []);
    });

    it('supersedes by one that is there', async () => {
      const summary = workspace.get(ref('L-0005'))?.held.record.summary ?? '';
      const person = new Person([pick('L-0005', new RegExp(summary.slice(0, 10)))]);
      await supersedeLearning(surface, ref('L-0004'), person);
      assert.deepEqual(person.told, ['L-0004 is superseded by L-0005.']);
      assert.equal(workspace.get(ref('L-0004'))?.held.record.supersededBy, 'L-0005');
    });

    it('archives with a reason, and restores on Undo or when asked', async () => {
      const person = new Person([type('the module is gone')]);
      await archiveLearning(surface, ref('L-0004'), person);
      const archived = join(learnings, 'archive', 'L-0004', 'learning.yaml');
      assert.match(readFileSync(archived, 'utf8'), /the module is gone/);
      assert.equal(statusOf('L-0004'), 'archived');
      await restoreLearning(surface, ref('L-0004'), new Person());
      assert.equal(statusOf('L-0004'), 'active');

      const undone = new Person([type('')]);
      undone.clicks = 'Undo';
      await archiveLearning(surface, ref('L-0004'), undone);
      await until(() => statusOf('L-0004') === 'active');
    });

    it('rejects and promotes a candidate', async () => {
      const undone = new Person([type('')]);
      undone.clicks = 'Undo';
      await rejectCandidate(surface, ref('C-7f3a9c21'), undone);
      await until(() => statusOf('C-7f3a9c21') === 'candidate');
      const person = new Person();
      await promoteCandidate(surface, ref('C-7f3a9c21'), person);
      assert.deepEqual(person.told, ['C-7f3a9c21 is now the learning L-0014.']);
      assert.equal(statusOf('L-0014'), 'active');
    });
  });

  describe('finding', () => {
    it('searches all folders by words, best first, in one status at a time', async () => {
      const hits = await searchRows(workspace, 'nodal corections', 'active');
      assert.equal(hits[0]?.ref?.id, 'L-0009');
      assert.ok(hits.every(({ alwaysShow }) => alwaysShow));
      const superseded = await searchRows(workspace, '', 'superseded');
      assert.equal(superseded.length, 1);
      assert.match((await searchRows(workspace, 'zzzz', 'active'))[0]?.label ?? '', /Nothing found/);
    });

    it('opens what is chosen', async () => {
      const searching = vscode.commands.executeCommand(commandIds.search);
      const opened = new Promise<vscode.TextEditor>((resolve) => {
        const listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
          if (!editor) return;
          listening.dispose();
          resolve(editor);
        });
      });
      await press('workbench.action.acceptSelectedQuickOpenItem', opened);
      await searching;
      assert.match((await opened).document.uri.path, /\/\.learnings\/L-\d{4}\/learning\.yaml$/);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });
  });

  it('copies a learning as Markdown', async () => {
    await vscode.commands.executeCommand(commandIds.copyAsMarkdown, ref('L-0009'));
    const summary = workspace.get(ref('L-0009'))?.held.record.summary ?? '';
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.startsWith(`**${summary}**\n\n`), copied);
    assert.match(copied, /^- L-0009: decision, \d votes/m);
  });

  describe("VS Code's own inputs", () => {
    const many = (): PickManyQuestion => ({
      title: 'Many',
      placeholder: '',
      step: { at: 2, of: 4 },
      canGoBack: true,
      chosen: ['a'],
      rows: () => ['a', 'b'].map((value) => ({ label: value, value })),
      read: (typed) => ({ row: { label: typed }, values: [typed] }),
    });
    const one = (): Promise<Answer<number>> =>
      windowAsk.pickOne({
        title: 'One',
        placeholder: '',
        canGoBack: true,
        rows: () => [
          { label: 'first', value: 1 },
          { label: 'second', value: 2 },
        ],
      });
    const text = (): Promise<Answer<string>> =>
      windowAsk.write({ title: 'Text', prompt: '', text: ' why ', canGoBack: true });

    it('give what is accepted', async () => {
      const enter = 'workbench.action.acceptSelectedQuickOpenItem';
      assert.deepEqual(await press(enter, one()), { value: 1 });
      assert.deepEqual(await press(enter, windowAsk.pickMany(many())), { value: ['a'] });
      assert.deepEqual(await press(enter, text()), { value: 'why' });
    });

    it('give nothing when they are dismissed', async () => {
      const escape = 'workbench.action.closeQuickOpen';
      assert.equal(await press(escape, one()), undefined);
      assert.equal(await press(escape, windowAsk.pickMany(many())), undefined);
      assert.equal(await press(escape, text()), undefined);
    });

    it('go back', async () => {
      const goBackKey = 'workbench.action.quickInputBack';
      assert.equal(await press(goBackKey, one()), back);
      assert.equal(await press(goBackKey, windowAsk.pickMany(many())), back);
      assert.equal(await press(goBackKey, text()), back);
    });

    it('write nothing when the real command is dismissed', async () => {
      const existing = filesIn(learnings);
      await press('workbench.action.closeQuickOpen', vscode.commands.executeCommand(commandIds.add, file));
      assert.deepEqual(filesIn(learnings), existing);
    });
  });
});

/** Presses a key until the input that it is meant for has come up and taken it. */
async function press<T>(command: string, outcome: PromiseLike<T>): Promise<T> {
  const pending = Symbol('pending');
  for (;;) {
    await vscode.commands.executeCommand(command);
    const pause = new Promise<typeof pending>((resolve) => setTimeout(resolve, 50, pending));
    const result = await Promise.race([outcome, pause]);
    if (result !== pending) return result;
  }
}

/** Every file of a store but for what is derived. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.cache'))
    .toSorted();
}

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.get(key) ?? fallback) as T,
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  };
}
