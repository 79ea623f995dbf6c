import { agentCommands } from './agentCommands';
import { careCommands } from './careCommands';
import type { Commands } from './command';
import { programCommands } from './programCommands';
import { readCommands } from './readCommands';
import { writeCommands } from './writeCommands';

const { init, ...care } = careCommands;

/** Every command of `learnings`, by name, in the order of the help. */
export const commands: Commands = {
  ...(init && { init }),
  ...writeCommands,
  ...readCommands,
  ...care,
  ...agentCommands,
  ...programCommands,
};
