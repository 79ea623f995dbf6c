export { showRepairs as repairStore } from './repair';
export { showStale as checkStaleness } from './stale';
export { rebuildIndexes as syncIndex } from './sync';
