/** The one door to the core: hosts and `src/node` import this and nothing else of it. */
export { LearningsError } from './errors';
export { openLearnings, type Learnings, type Match } from './learnings';
export type { FileSystem } from './ports';
export type { LearningRecord } from './record';
export { findLearningsTool, type Tool } from './tools';
