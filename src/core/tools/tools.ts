import { findLearnings, showLearning } from './readTools';
import type { Tool } from './tool';
import {
  addLearning,
  archiveLearning,
  supersedeLearning,
  updateLearning,
  upvoteLearning,
} from './writeTools';

/** Every tool, under one name everywhere: language models in VS Code, MCP, `learnings tool`, and docs/tools.md. */
export const tools: readonly Tool[] = [
  findLearnings,
  showLearning,
  addLearning,
  updateLearning,
  supersedeLearning,
  upvoteLearning,
  archiveLearning,
];
