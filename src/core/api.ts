/** The one door to the core: hosts and `src/node` import this and nothing else of it. */
export { LearningsError, type ErrorCode } from './errors';
export { openLearnings, type Learnings, type Match } from './learnings';
export type { FileSystem, FolderEntry } from './ports';
export type { LearningRecord, Problem } from './record';
export { findLearningsTool, type Tool } from './tools';
