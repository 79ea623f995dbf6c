import * as vscode from 'vscode';

/** Somebody wants the question before. */
export const back = Symbol('back');

/** What came of a question; undefined if it was dismissed. */
export type Answer<T> = { readonly value: T } | typeof back | undefined;

/** A row to choose; one without a value only says something. */
export type Row<T> = vscode.QuickPickItem & { readonly value?: T };

export interface Question {
  readonly title: string;
  /** Which of how many questions this is. */
  readonly step?: { readonly at: number; readonly of: number };
  readonly canGoBack?: boolean;
}

export interface PickOneQuestion<T> extends Question {
  readonly placeholder: string;
  readonly typed?: string;
  /** The rows for what is typed so far, all of which are shown. */
  rows(typed: string): readonly Row<T>[];
}

/** What a typed text would add: what it stands for unless something is wrong with it, and a row that says so. */
interface Typed {
  /** Undefined if it stands for rows that are there. */
  readonly row: vscode.QuickPickItem | undefined;
  readonly values: readonly string[];
}

export interface PickManyQuestion extends Question {
  readonly placeholder: string;
  /**
   * Those to choose from and, after them, what else is chosen. Asked again when `whenReady` has come, which shows as
   * progress until then.
   */
  rows(chosen: readonly string[]): readonly (Row<string> & { readonly value: string })[];
  readonly whenReady?: Promise<unknown>;
  readonly chosen: readonly string[];
  /** Whether what is chosen at first is but a guess, which gives way to the first choice that somebody makes. */
  readonly isGuess?: boolean;
  read(typed: string): Typed;
  /** Why these cannot be taken. */
  refuse?(chosen: readonly string[]): string | undefined;
}

export interface TextQuestion extends Question {
  readonly prompt: string;
  readonly text?: string;
  readonly placeholder?: string;
  check?(text: string): string | undefined;
}

/** How a flow speaks with a person: through VS Code's own inputs, or a test that plays the person. */
export interface Ask {
  pickOne<T>(question: PickOneQuestion<T>): Promise<Answer<T>>;
  pickMany(question: PickManyQuestion): Promise<Answer<readonly string[]>>;
  write(question: TextQuestion): Promise<Answer<string>>;
  /** Asks for a yes before something that is not easily taken back; undefined is no. */
  confirm(message: string, options: { detail: string; action: string }): Promise<boolean>;
  /** Tells what was done, with what can be done about it. */
  tell(message: string, ...actions: string[]): Promise<string | undefined>;
  /** Tells what could not be done. */
  fail(error: unknown): void;
}

export const windowAsk: Ask = {
  pickOne: (question) =>
    show(vscode.window.createQuickPick<Row<never>>(), question, (box, answer) => {
      keepOrder(box);
      box.placeholder = question.placeholder;
      box.value = question.typed ?? '';
      const render = (): void => {
        box.items = question.rows(box.value).map((row) => ({ ...row, alwaysShow: true })) as Row<never>[];
      };
      box.onDidChangeValue(render);
      box.onDidAccept(() => {
        const [row] = box.selectedItems;
        if (row && 'value' in row) answer({ value: row.value });
      });
      render();
    }),

  pickMany: (question) =>
    show(vscode.window.createQuickPick<Row<string>>(), question, (box, answer) => {
      keepOrder(box);
      box.canSelectMany = true;
      box.placeholder = question.placeholder;
      let chosen: readonly string[] = question.chosen;
      let added: readonly string[] = [];
      const overtaken = new Overtaken();
      const render = (): void => {
        const typed = box.value.trim() === '' ? undefined : question.read(box.value);
        const rows = question
          .rows([...new Set([...chosen, ...added])])
          .map((row): Row<string> => ({ ...row, picked: chosen.includes(row.value) }));
        // VS Code tells of ticks by the number of the row, so none may change its number while somebody types.
        box.items = [...rows, ...(typed?.row ? [{ ...typed.row, alwaysShow: true }] : [])];
        box.selectedItems = box.items.filter(({ value }) => value !== undefined && chosen.includes(value));
      };
      const add = (values: readonly string[]): void => {
        const isGuess = question.isGuess && sameValues(chosen, question.chosen);
        overtaken.note(chosen);
        added = [...added, ...values];
        chosen = [...new Set([...(isGuess ? [] : chosen), ...values])];
        box.value = '';
        render();
      };
      box.onDidChangeValue(render);
      box.onDidChangeSelection((rows) => {
        const ticked = rows.flatMap(({ value }) => value ?? []);
        if (!overtaken.has(ticked)) chosen = ticked;
      });
      box.onDidAccept(() => {
        if (box.value.trim() === '') {
          const refusal = question.refuse?.(chosen);
          if (refusal === undefined) answer({ value: chosen });
          else box.placeholder = refusal;
          return;
        }
        // Enter takes the row that one is on, or else what is typed; with nothing typed it goes on.
        const on = box.activeItems[0]?.value;
        const values = on === undefined ? question.read(box.value).values : [on];
        if (values.length > 0) add(values);
      });
      void question.whenReady?.then(render, () => undefined).finally(() => (box.busy = false));
      box.busy = question.whenReady !== undefined;
      render();
    }),

  write: (question) =>
    show(vscode.window.createInputBox(), question, (box, answer) => {
      box.prompt = question.prompt;
      box.placeholder = question.placeholder;
      box.value = question.text ?? '';
      const check = (): string | undefined => (box.validationMessage = question.check?.(box.value));
      box.onDidChangeValue(check);
      box.onDidAccept(() => {
        if (check() === undefined) answer({ value: box.value.trim() });
      });
    }),

  async confirm(message, { detail, action }) {
    return (await vscode.window.showWarningMessage(message, { modal: true, detail }, action)) === action;
  },

  tell: async (message, ...actions) => vscode.window.showInformationMessage(message, ...actions),

  fail: (error) =>
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error)),
};

/** Shows one of VS Code's inputs until there is an answer. It stays while somebody looks something up elsewhere. */
function show<Box extends vscode.QuickPick<Row<never>> | vscode.QuickPick<Row<string>> | vscode.InputBox, T>(
  box: Box,
  { title, step, canGoBack }: Question,
  fill: (box: Box, answer: (answer: Answer<T>) => void) => void,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    box.title = title;
    box.step = step?.at;
    box.totalSteps = step?.of;
    box.ignoreFocusOut = true;
    box.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
    const answer = (given: Answer<T>): void => {
      resolve(given);
      box.dispose();
    };
    box.onDidTriggerButton(() => answer(back));
    box.onDidHide(() => answer(undefined));
    fill(box, answer);
    box.show();
  });
}

/**
 * What was ticked before we ticked more. VS Code tells of ticks when it gets to it, so that news of these can arrive
 * afterwards, and must not undo what Enter has added.
 */
class Overtaken {
  private sets: (readonly string[])[] = [];
  private until = 0;

  note(ticked: readonly string[]): void {
    if (Date.now() > this.until) this.sets = [];
    this.sets.push(ticked);
    this.until = Date.now() + OVERTAKEN_MS;
  }

  has(ticked: readonly string[]): boolean {
    return Date.now() <= this.until && this.sets.some((set) => sameValues(set, ticked));
  }
}

const OVERTAKEN_MS = 1000;

const sameValues = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((value) => b.includes(value));

/** VS Code would sort by label what is ordered by worth. Its typings do not have this yet; without it only that suffers. */
function keepOrder(box: object): void {
  Object.assign(box, { sortByLabel: false });
}
