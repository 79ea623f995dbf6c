/** Every id that package.json and the code must agree on. A test compares the two. */

export const commandIds = {
  openRecord: 'learnings.openRecord',
  openDashboard: 'learnings.openDashboard',
  refresh: 'learnings.refresh',
  showLog: 'learnings.showLog',
} as const;

export const viewIds = {
  thisFile: 'learnings.thisFile',
  all: 'learnings.all',
} as const;
