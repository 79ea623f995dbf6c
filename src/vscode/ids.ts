/** Every id that package.json and the code must agree on. A test compares the two. */

export const commandIds = {
  init: 'learnings.init',
  add: 'learnings.add',
  addFromSelection: 'learnings.addFromSelection',
  addFromCommit: 'learnings.addFromCommit',
  edit: 'learnings.edit',
  supersede: 'learnings.supersede',
  upvote: 'learnings.upvote',
  archive: 'learnings.archive',
  restore: 'learnings.restore',
  promote: 'learnings.promote',
  reject: 'learnings.reject',
  search: 'learnings.search',
  copyAsMarkdown: 'learnings.copyAsMarkdown',
  showForFile: 'learnings.showForFile',
  explain: 'learnings.explain',
  testDelivery: 'learnings.testDelivery',
  copyUsed: 'learnings.copyUsed',
  sync: 'learnings.sync',
  checkStaleness: 'learnings.checkStaleness',
  repair: 'learnings.repair',
  groupBy: 'learnings.groupBy',
  filter: 'learnings.filter',
  clearFilter: 'learnings.clearFilter',
  toggleHints: 'learnings.toggleHints',
  openRecord: 'learnings.openRecord',
  openDashboard: 'learnings.openDashboard',
  setUpAgents: 'learnings.setUpAgents',
  refresh: 'learnings.refresh',
  showLog: 'learnings.showLog',
} as const;
export type CommandId = (typeof commandIds)[keyof typeof commandIds];

/** `@learnings` in chats. */
export const participantId = 'learnings.chat';

export const viewIds = {
  thisFile: 'learnings.thisFile',
  all: 'learnings.all',
  candidates: 'learnings.candidates',
} as const;

/** Of the MCP server and its provider; the plugin calls its own the same, and VS Code takes the two for one. */
export const mcpServerName = 'learnings';

/** What `when` clauses of package.json ask. */
export const contextKeys = {
  /** `none`: no folder has a store; `some`: one has. */
  store: 'learnings.store',
  hasProblems: 'learnings.hasProblems',
  isFiltered: 'learnings.isFiltered',
} as const;
