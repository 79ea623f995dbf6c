import { existsSync } from 'node:fs';
import { join } from 'node:path';

import {
  agentNames,
  LearningsError,
  lineDiff,
  planAgents,
  type AgentName,
  type FileChange,
} from '../core/api';
import { applyChanges, readAgentFiles, readPrograms } from '../node/agentFiles';
import { openStoreAt, rootForNewStore } from '../node/open';
import { exitCodes, UsageError, type Command, type Invocation, type Option } from './command';

declare const LEARNINGS_VERSION: string;

export const agentOptions: Readonly<Record<string, Option>> = {
  agents: {
    type: 'string',
    multiple: true,
    value: `${agentNames.join(',')}|all`,
    help: 'also give learnings to these agents, by files to be committed; the changes are shown first',
  },
  remove: { type: 'boolean', help: 'with --agents: take those files and entries away again' },
  'dry-run': { type: 'boolean', help: 'with --agents: only show what would change' },
};

/** The agents that --agents names; undefined without it. */
export function agentsNamed(invocation: Invocation): readonly AgentName[] | undefined {
  const named = invocation.values('agents').flatMap((value) => value.split(',').map((name) => name.trim()));
  if (named.length === 0) {
    for (const flag of ['remove', 'dry-run'])
      if (invocation.flag(flag)) throw new UsageError(`--${flag} goes with --agents.`);
    return undefined;
  }
  if (invocation.flag('personal')) throw new UsageError('--agents is about a repository, not --personal.');
  for (const name of named)
    if (name !== 'all' && !isAgent(name))
      throw new UsageError(`--agents takes ${agentNames.join(', ')} or all, not "${name}".`);
  return agentNames.filter((name) => named.includes(name) || named.includes('all'));
}

/** Shows what setting up agents, or taking them away, would change, and does it when told to. */
export async function setUpAgents(
  invocation: Invocation,
  agents: readonly AgentName[],
): ReturnType<Command['run']> {
  const { terminal } = invocation;
  const isRemoval = invocation.flag('remove');
  const root = rootForNewStore(invocation.cwd);
  const { changes, refused, setUp } = planAgents({
    add: isRemoval ? [] : agents,
    remove: isRemoval ? agents : [],
    files: readAgentFiles(root),
    programs: readPrograms(__dirname, LEARNINGS_VERSION),
  });
  const isNew = !isRemoval && !existsSync(join(root, '.learnings'));
  const answer = (written: boolean, created: readonly string[]): void =>
    invocation.answer(
      {
        root,
        created,
        written,
        setUp,
        changes: changes.map(toJson),
        refused: refused.map(({ message }) => message),
      },
      () => terminal.print(outcome({ written, isRemoval, hasChanges: changes.length > 0 })),
    );
  if (!invocation.flag('json')) for (const change of changes) terminal.print(show(invocation, change));
  for (const { message } of refused) terminal.warn(`learnings: ${message}`);
  const exitCode = refused.length > 0 ? exitCodes.refused : exitCodes.ok;
  if (invocation.flag('dry-run') || (changes.length === 0 && !isNew)) {
    answer(false, []);
    return exitCode;
  }
  if (!invocation.flag('yes') && !(await invocation.confirm(`Change these files in ${root}?`)))
    throw new LearningsError('refused', 'Nothing was written. Confirm, or give --yes.');
  const created = isNew ? await openStoreAt(root).init() : [];
  applyChanges(root, changes);
  answer(true, created);
  return exitCode;
}

const isAgent = (name: string): name is AgentName => (agentNames as readonly string[]).includes(name);

function outcome({
  written,
  isRemoval,
  hasChanges,
}: Record<'written' | 'isRemoval' | 'hasChanges', boolean>): string {
  if (!hasChanges) return isRemoval ? 'There is nothing to remove.' : 'Nothing has to change.';
  if (!written) return 'Nothing was written.';
  return isRemoval
    ? 'Removed. Commit the changes for everybody else.'
    : 'Done. Commit these files: who clones the repository needs nothing else but Node 20.';
}

const isProgram = ({ path }: FileChange): boolean => path.endsWith('.js');
const action = ({ before, after }: FileChange): 'create' | 'remove' | 'change' =>
  before === undefined ? 'create' : after === undefined ? 'remove' : 'change';

const toJson = (change: FileChange): object => ({
  path: change.path,
  action: action(change),
  ...(!isProgram(change) && { diff: lineDiff(change.before ?? '', change.after ?? '') }),
});

function show({ terminal }: Invocation, change: FileChange): string {
  const { path, before = '', after = '' } = change;
  const title = terminal.style('bold', `${action(change)} ${path}`);
  // Nobody reads those, and they are long.
  if (isProgram(change)) return `${title} (a program, ${Math.ceil((after || before).length / 1024)} KB)`;
  const lines = lineDiff(before, after)
    .split('\n')
    .map((line) =>
      line.startsWith('+')
        ? terminal.style('green', line)
        : line.startsWith('-')
          ? terminal.style('red', line)
          : line,
    );
  return [title, ...lines, ''].join('\n');
}
