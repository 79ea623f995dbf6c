import { LearningsError } from '../errors';
import {
  claudeHooks,
  copilotHooks,
  cursorServer,
  isOurHook,
  isOurServer,
  PROGRAMS,
  server,
} from './hookEntries';
import { refuseAt, valueAt, withItem, without, withValue, type Json } from './jsonText';

/** Agents that can be given learnings by files that a team commits. */
export const agentNames = ['copilot', 'claude', 'mcp', 'cursor'] as const;
export type AgentName = (typeof agentNames)[number];

interface AgentFile {
  readonly path: string;
  /** What the agent runs. */
  readonly runs: 'hook' | 'mcp';
  /** What a file begins with that is made for us. */
  readonly start: string;
  /** The text with our entries as they should be, all others as they were. */
  add(text: string): string;
  remove(text: string): string;
  isSetUp(text: string): boolean;
}

/** A file as it is and as it would be; undefined: it is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface AgentsPlan {
  readonly changes: readonly FileChange[];
  /** Files that nothing can be done to, each an error that says where and why. */
  readonly refused: readonly LearningsError[];
  /** The agents that are set up when the changes are made. */
  readonly setUp: readonly AgentName[];
}

/** The programs that hooks and servers run, by their names, and which version they are. */
export interface Programs {
  readonly texts: ReadonlyMap<string, string>;
  readonly version: string;
}

const HOOK_PROGRAMS = ['hook.js', 'hookWork.js', 'secretRules.js'];
const SERVER_PROGRAMS = ['mcp.js', 'secretRules.js'];
export const programNames: readonly string[] = [...new Set([...HOOK_PROGRAMS, ...SERVER_PROGRAMS])];

const STAMP = `${PROGRAMS}/package.json`;
const ATTRIBUTES = `${PROGRAMS}/.gitattributes`;

const agentFiles: Readonly<Record<AgentName, AgentFile>> = {
  // Earlier versions of Copilot's CLI take no file without a version.
  copilot: hookFile('.github/hooks/project-learnings.json', copilotHooks, '{\n  "version": 1\n}\n'),
  claude: hookFile('.claude/settings.json', claudeHooks, '{}\n'),
  mcp: serverFile('.mcp.json', server),
  cursor: serverFile('.cursor/mcp.json', cursorServer),
};

/** Where an agent looks for what it should run. */
export const agentFileOf = (agent: AgentName): string => agentFiles[agent].path;

/** Every file that a plan looks at. */
export const plannedFiles: readonly string[] = [
  ...agentNames.map(agentFileOf),
  ...programNames.map((name) => `${PROGRAMS}/${name}`),
  STAMP,
  ATTRIBUTES,
];

interface AgentsRequest {
  readonly add: readonly AgentName[];
  readonly remove: readonly AgentName[];
  /** The texts of the planned files that are there. */
  readonly files: ReadonlyMap<string, string>;
  readonly programs: Programs;
}

/** What must change in a repository so that these agents are set up and those are not. */
export function planAgents({ add, remove, files, programs }: AgentsRequest): AgentsPlan {
  const refused: LearningsError[] = [];
  const changes: FileChange[] = [];
  const setUp: AgentName[] = [];
  for (const agent of agentNames) {
    const { path, ...file } = agentFiles[agent];
    const before = files.get(path);
    let after = before;
    try {
      if (add.includes(agent)) after = inText(before ?? file.start, (text) => file.add(text));
      else if (remove.includes(agent) && before !== undefined)
        after = whole(
          inText(before, (text) => file.remove(text)),
          before,
          file.start,
        );
      if (after !== undefined && file.isSetUp(plain(after))) setUp.push(agent);
    } catch (error) {
      if (!(error instanceof LearningsError)) throw error;
      // Of a file that nobody asked about it is enough to know that it may need the programs.
      if (add.includes(agent) || remove.includes(agent)) refused.push(error);
      if (before !== undefined && (isOurHook(before) || isOurServer(before))) setUp.push(agent);
      after = before;
    }
    if (after !== before) changes.push({ path, before, after });
  }
  const names = setUp.flatMap((agent) =>
    agentFiles[agent].runs === 'hook' ? HOOK_PROGRAMS : SERVER_PROGRAMS,
  );
  return { changes: [...changes, ...planPrograms(new Set(names), files, programs)], refused, setUp };
}

/** Whether an agent is set up, and if it is, whether as this version would do it. */
export function stateOf(
  agent: AgentName,
  { files, programs }: Pick<AgentsRequest, 'files' | 'programs'>,
): 'absent' | 'current' | 'outdated' | 'broken' {
  const { path, ...file } = agentFiles[agent];
  const text = files.get(path);
  if (text === undefined) return 'absent';
  try {
    if (!file.isSetUp(plain(text))) return 'absent';
    return planAgents({ add: [agent], remove: [], files, programs }).changes.length === 0
      ? 'current'
      : 'outdated';
  } catch (error) {
    if (error instanceof LearningsError) return 'broken';
    throw error;
  }
}

function planPrograms(
  needed: ReadonlySet<string>,
  files: ReadonlyMap<string, string>,
  { texts, version }: Programs,
): FileChange[] {
  const stamp = files.get(STAMP);
  // Somebody whose extension is newer has been here; what they put there is not taken back.
  const isNewer = stamp !== undefined && isLater(versionIn(stamp), version);
  const wanted = new Map<string, string>();
  for (const name of programNames) {
    const path = `${PROGRAMS}/${name}`;
    const text = (isNewer ? files.get(path) : undefined) ?? texts.get(name);
    if (needed.has(name) && text !== undefined) wanted.set(path, text);
  }
  if (needed.size > 0) {
    // A repository of modules must not make modules of these; nobody should have to review or merge them.
    wanted.set(
      STAMP,
      isNewer ? stamp : `${JSON.stringify({ private: true, type: 'commonjs', version }, null, 2)}\n`,
    );
    wanted.set(ATTRIBUTES, '* binary linguist-generated\n');
  }
  const paths = [...programNames.map((name) => `${PROGRAMS}/${name}`), STAMP, ATTRIBUTES];
  return paths
    .map((path) => ({ path, before: files.get(path), after: wanted.get(path) }))
    .filter(({ before, after }) => before !== after);
}

function versionIn(stamp: string): string {
  try {
    const { version } = JSON.parse(stamp) as { version?: unknown };
    return typeof version === 'string' ? version : '';
  } catch {
    return '';
  }
}

function isLater(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

function hookFile(path: string, wanted: Readonly<Record<string, Json>>, start: string): AgentFile {
  const eventsIn = (text: string): [event: string, entries: readonly unknown[]][] => {
    const hooks = valueAt(path, text, ['hooks']) ?? {};
    if (typeof hooks !== 'object' || Array.isArray(hooks))
      throw refuseAt(path, text, ['hooks'], 'should hold an object at hooks');
    return Object.entries(hooks).map(([event, entries]) => [event, Array.isArray(entries) ? entries : []]);
  };
  const indexOfOurs = (text: string, event: string): number =>
    (new Map(eventsIn(text)).get(event) ?? []).findIndex(isAllOurs);

  /** Without our entries, but for one of each event that is to be kept. */
  const thin = (text: string, keeps: (event: string) => boolean): string => {
    let rest = text;
    for (const [event, entries] of eventsIn(text)) {
      const kept = keeps(event) ? entries.findIndex(isAllOurs) : -1;
      // From the end, so that the numbers of those before stay.
      for (const [index, entry] of [...entries.entries()].toReversed()) {
        if (index === kept || !isOurHook(entry)) continue;
        const at = ['hooks', event, index];
        if (isAllOurs(entry)) rest = without(path, rest, at);
        else
          for (const [place, inner] of [...innerOf(entry).entries()].toReversed())
            if (isOurHook(inner)) rest = without(path, rest, [...at, 'hooks', place]);
      }
    }
    return rest;
  };
  return {
    path,
    runs: 'hook',
    start,
    remove: (text) => thin(text, () => false),
    isSetUp: (text) => eventsIn(text).some(([, entries]) => entries.some(isOurHook)),
    add(text) {
      let result = thin(text, (event) => Object.hasOwn(wanted, event));
      for (const [event, entry] of Object.entries(wanted)) {
        const at = ['hooks', event, indexOfOurs(result, event)];
        if (at[2] === -1) result = withItem(path, result, ['hooks', event], entry);
        else if (!isSame(valueAt(path, result, at), entry)) result = withValue(path, result, at, entry);
      }
      return result;
    },
  };
}

/** Claude's entries hold a list of hooks; the others are one. */
function innerOf(entry: unknown): readonly unknown[] {
  const inner = typeof entry === 'object' && entry !== null && 'hooks' in entry ? entry.hooks : undefined;
  return Array.isArray(inner) ? inner : [entry];
}

const isAllOurs = (entry: unknown): boolean => isOurHook(entry) && innerOf(entry).every(isOurHook);

function serverFile(path: string, wanted: Json): AgentFile {
  const at = ['mcpServers', 'learnings'];
  const there = (text: string): unknown => valueAt(path, text, at);
  return {
    path,
    runs: 'mcp',
    start: '{}\n',
    isSetUp: (text) => isOurServer(there(text)),
    remove: (text) => (isOurServer(there(text)) ? without(path, text, at) : text),
    add(text) {
      const present = there(text);
      if (isSame(present, wanted)) return text;
      if (present !== undefined && !isOurServer(present))
        throw refuseAt(path, text, at, 'has another server that is named learnings');
      return withValue(path, text, at, wanted);
    },
  };
}

const BOM = '\ufeff';
const plain = (text: string): string => (text.startsWith(BOM) ? text.slice(1) : text);
const inText = (text: string, change: (text: string) => string): string =>
  (text.startsWith(BOM) ? BOM : '') + change(plain(text));

/** Undefined if a file holds nothing any more, because nobody else ever wrote in it. */
const whole = (text: string, before: string, start: string): string | undefined =>
  text !== before && ['{}', start.trim()].includes(plain(text).trim()) ? undefined : text;

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [Object.entries(a), Object.entries(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    one.length === other.length &&
    one.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, (b as Record<string, unknown>)[key]))
  );
}
