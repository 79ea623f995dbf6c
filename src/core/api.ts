/** The one door to the core: hosts and `src/node` import this and nothing else of it. */
export { ioError, LearningsError } from './errors';
export { openLearnings, type Finder, type Learnings, type Match } from './learnings';
export type { EntryKind, FileSystem, Git, ProcessIdentity, Processes } from './ports';
export type { Change } from './record/edit';
export type { Problem } from './record/problem';
export { evidenceKinds, kinds, type Evidence, type LearningRecord } from './record/schema';
export type { Learning } from './store/scan';
export { openStore, type NewLearning, type Store, type StorePorts } from './store/store';
export { DEFAULT_LIMIT, findLearningsTool, toRow, type Tool } from './tools';
