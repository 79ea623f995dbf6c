/** The one door to the core: hosts and `src/node` import this and nothing else of it. */
export { ioError, LearningsError } from './errors';
export {
  agentFileOf,
  agentNames,
  planAgents,
  plannedFiles,
  programNames,
  stateOf,
  type AgentName,
  type FileChange,
  type Programs,
} from './agents/plan';
export { renderExcerpt, renderMarkdown } from './author/markdown';
export { checkPattern, normalisePattern, splitPatterns } from './author/patterns';
export { proposeScopes, proposeScopesOfFiles, proposeTopFolders, type ScopeProposal } from './author/scopes';
export { findSimilar, indexSummaries } from './author/similar';
export { voteFrom } from './author/vote';
export { CONFIG, readConfig, TAGS } from './config/config';
export {
  checkSetting,
  definitions,
  isSettingKey,
  resolveSettings,
  parseSetting,
  settingKeys,
  type SettingKey,
  type Settings,
} from './config/settings';
export { deliver, type Delivery, type DeliveryRequest, type Supply } from './deliver/deliver';
export { ANY_FILE, classifyPrompt, rememberIn, targetOf } from './deliver/prompt';
export {
  agents,
  agentTitle,
  eventNames,
  hears,
  hookCalls,
  type Agent,
  type EventName,
  type HookCall,
} from './deliver/harness';
export { namesIn, renderFooter } from './deliver/footer';
export {
  contextIn,
  leftOut,
  rehearsalAsMarkdown,
  whyNothing,
  type Rehearsal,
  type Rehearsed,
} from './deliver/rehearsal';
export {
  parseReceipts,
  receiptsOfSession,
  selectReceipts,
  tallyReceipts,
  writeReceipt,
  type Receipt,
  type Tally,
} from './deliver/receipts';
export type { Offer } from './deliver/render';
export { renderReviewPrompt } from './deliver/reviewPrompt';
export { openSession, type Session } from './deliver/session';
export {
  openSnapshot,
  type Sign,
  type Snapshot,
  type SnapshotMatch,
  type WatchedFile,
} from './deliver/snapshot';
export { relativeTo } from './paths';
export type { IndexRow } from './index/rows';
export type { PackedIndex, SavedFiles } from './index/saved';
export { checksum } from './index/sections';
export { statuses, type Status } from './index/shelf';
export { fingerprintOf } from './curate/fingerprint';
export { keyAt, keysBelow, storeFileOf, type KeyInfo, type StoreFile } from './curate/keys';
export { filesMatching } from './curate/patterns';
export { reviewedCodes, reviewFile, type ReviewContext } from './curate/review';
export { findGone, foldMoves, planRewrites, traceMoves, type Move, type Rewrite } from './curate/renames';
export { findStale, type Stale } from './curate/stale';
export { listWorkingFiles } from './curate/workingFiles';
export { explainFile, explanationAsMarkdown, type Explanation } from './explain';
export {
  nameOf,
  openLearnings,
  type Finder,
  type Found,
  type FurtherStore,
  type Held,
  type Learnings,
  type Match,
  type SearchFound,
} from './learnings';
export { lineDiff } from './lineDiff';
export { findDeclarations, lastPart, mentions } from './match/declarations';
export { escapeMarkdown } from './markdown';
export type {
  Conflict,
  EntryKind,
  FileSystem,
  Git,
  Hash,
  Journal,
  ProcessIdentity,
  Processes,
  Secrets,
} from './ports';
export {
  cursorAt,
  innerOf,
  isAt,
  placeAt,
  placesIn,
  wordAt,
  type Cursor,
  type Place,
  type Span,
  type Step,
} from './yaml/cursor';
export { differenceOf } from './yaml/difference';
export { editYaml, type Change } from './yaml/edit';
export { mendYaml, withoutItem } from './yaml/mend';
export { nearest } from './yaml/nearest';
export { oneLine, withoutHostile } from './yaml/hostileText';
export type { Problem } from './yaml/problem';
export { evidenceKinds, kinds, type Evidence, type LearningRecord } from './record/schema';
export type { Finding, Healed } from './store/doctor';
export type { NewLearning } from './store/newLearning';
export { openStore, type Store } from './store/store';
export type { Choices } from './store/surgery';
export type { StorePorts } from './store/writer';
export { toRow } from './tools/row';
export type { Tool, ToolStore, ToolWorld } from './tools/tool';
export { tools } from './tools/tools';
