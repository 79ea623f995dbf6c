import { back, type Answer, type Question } from './ask';

/** What is to be said of a question that is one of several. */
type Frame = Required<Pick<Question, 'step' | 'canGoBack'>>;

/** Asks something and gives the draft with what was answered; `done` if nothing more is to be asked. */
export type Step<Draft> = (draft: Draft, frame: Frame) => Promise<Answer<Draft> | { readonly done: Draft }>;

/** Asks one question after the other, and the one before on Back. Undefined if one was dismissed: nothing is to happen. */
export async function walk<Draft>(draft: Draft, steps: readonly Step<Draft>[]): Promise<Draft | undefined> {
  let current = draft;
  for (let at = 0; at < steps.length;) {
    const frame = { step: { at: at + 1, of: steps.length }, canGoBack: at > 0 };
    const answer = await steps[at]?.(current, frame);
    if (answer === undefined) return undefined;
    if (answer === back) at = Math.max(0, at - 1);
    else if ('done' in answer) return answer.done;
    else {
      current = answer.value;
      at++;
    }
  }
  return current;
}
