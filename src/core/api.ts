/** The one door to the core: hosts and `src/node` import this and nothing else of it. */
export { ioError, LearningsError } from './errors';
export { CONFIG, readConfig } from './config/config';
export {
  checkSetting,
  definitions,
  isSettingKey,
  parseSetting,
  settingKeys,
  type SettingKey,
  type Settings,
} from './config/settings';
export type { IndexRow } from './index/rows';
export type { PackedIndex, SavedFiles } from './index/saved';
export { statuses, type Status } from './index/shelf';
export { fingerprintOf } from './curate/fingerprint';
export { findGone, foldMoves, planRewrites, traceMoves, type Move, type Rewrite } from './curate/renames';
export { findStale, type Stale } from './curate/stale';
export { listWorkingFiles } from './curate/workingFiles';
export { explainFile, explanationAsMarkdown, type Explanation } from './explain';
export {
  openLearnings,
  type Finder,
  type Found,
  type FurtherStore,
  type Held,
  type Learnings,
  type Match,
  type SearchFound,
} from './learnings';
export { escapeMarkdown } from './markdown';
export type {
  Conflict,
  EntryKind,
  FileSystem,
  Git,
  Hash,
  ProcessIdentity,
  Processes,
  Secrets,
} from './ports';
export { editYaml, type Change } from './yaml/edit';
export { oneLine, withoutHostile } from './yaml/hostileText';
export type { Problem } from './yaml/problem';
export { evidenceKinds, kinds, type Evidence, type LearningRecord } from './record/schema';
export type { Finding, Healed } from './store/doctor';
export type { NewLearning } from './store/newLearning';
export { openStore, type Store } from './store/store';
export type { Choices } from './store/surgery';
export type { StorePorts } from './store/writer';
export { DEFAULT_LIMIT, findLearningsTool, toRow, type Tool } from './tools';
