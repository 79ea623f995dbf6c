import type { LearningRecord } from '../record/schema';

export type Scope = LearningRecord['scope'];

/** What somebody is about to touch. Paths are relative to the root and use `/`. */
export interface Target {
  readonly paths?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly symbols?: readonly string[] | undefined;
}
