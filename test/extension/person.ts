import assert from 'node:assert/strict';

import {
  back,
  type Answer,
  type Ask,
  type PickManyQuestion,
  type PickOneQuestion,
  type TextQuestion,
} from '../../src/vscode/authoring/ask';

type Asked = PickOneQuestion<unknown> | PickManyQuestion | TextQuestion;
/** What a person does when asked something. */
export type Reply = (question: Asked) => Answer<unknown> | Promise<Answer<unknown>>;

/** Presses Esc. */
export const esc: Reply = () => undefined;
export const goBack: Reply = () => back;

/** Types into a list, and takes the first row that this brings up, or the one whose label matches. */
export const pick =
  (typed: string, label = /./): Reply =>
  (question) => {
    assert.ok('rows' in question && !('chosen' in question), `${question.title} is no list to choose one of`);
    const row = question.rows(typed).find((one) => 'value' in one && label.test(one.label));
    assert.ok(row, `${question.title} has no ${String(label)} for ${typed}`);
    return { value: row.value };
  };

/** Chooses these, whatever was chosen before; what is no row is typed. */
export const tick =
  (...values: string[]): Reply =>
  async (question) => {
    assert.ok('chosen' in question, `${question.title} is no list to choose several of`);
    await question.whenReady;
    const known = question.rows(question.chosen).map((row) => row.value);
    const chosen = values.flatMap((value) => (known.includes(value) ? [value] : question.read(value).values));
    return question.refuse?.(chosen) === undefined ? { value: chosen } : undefined;
  };

/** Takes what is there. */
export const accept: Reply = (question) => {
  if ('chosen' in question) return { value: question.chosen };
  return 'rows' in question ? undefined : { value: question.text ?? '' };
};

export const type =
  (text: string): Reply =>
  (question) => {
    assert.ok('prompt' in question, `${question.title} takes no text`);
    return question.check?.(text) === undefined ? { value: text } : undefined;
  };

/** A person who has made up their mind beforehand. */
export class Person implements Ask {
  readonly asked: Asked[] = [];
  readonly told: string[] = [];
  readonly failures: unknown[] = [];
  /** What they click in the next notification, if it offers that. */
  clicks: string | undefined;
  says = true;

  constructor(private readonly replies: Reply[] = []) {}

  pickOne<T>(question: PickOneQuestion<T>): Promise<Answer<T>> {
    return this.reply(question) as Promise<Answer<T>>;
  }

  pickMany(question: PickManyQuestion): Promise<Answer<readonly string[]>> {
    return this.reply(question) as Promise<Answer<readonly string[]>>;
  }

  write(question: TextQuestion): Promise<Answer<string>> {
    return this.reply(question) as Promise<Answer<string>>;
  }

  confirm(): Promise<boolean> {
    return Promise.resolve(this.says);
  }

  tell(message: string, ...actions: string[]): Promise<string | undefined> {
    this.told.push(message);
    return Promise.resolve(actions.find((action) => action === this.clicks));
  }

  fail(error: unknown): void {
    this.failures.push(error);
  }

  private async reply(question: Asked): Promise<Answer<unknown>> {
    this.asked.push(question);
    const reply = this.replies.shift();
    assert.ok(reply, `Nobody expected to be asked: ${question.title}`);
    return reply(question);
  }
}
