import {
  CONFIG,
  definitions,
  findStale,
  isSettingKey,
  LearningsError,
  parseSetting,
  settingKeys,
  type LearningRecord,
  type SettingKey,
} from '../core/api';
import { openFrom, openStoreAt, openStoreFrom, rootForNewStore, type OpenStore } from '../node/open';
import { agentOptions, agentsNamed, setUpAgents } from './agentSetUp';
import { exitCodes, UsageError, type Commands, type Invocation } from './command';
import { describeProblem } from './problems';
import { personalOptions, storeToRead, storeToWrite } from './stores';

/** The commands that keep a store in order. */
export const careCommands: Commands = {
  init: {
    summary: 'Make a .learnings folder here, and tell git about it; with --agents set agents up.',
    usage: '[--agents NAMES [--remove] [--dry-run]]',
    options: { ...agentOptions, ...personalOptions },
    examples: [
      'learnings init',
      'learnings init --agents copilot,claude',
      'learnings init --agents all --remove',
      'learnings init --personal',
    ],
    async run(invocation) {
      const agents = agentsNamed(invocation);
      if (agents) return setUpAgents(invocation, agents);
      const { terminal } = invocation;
      const store = invocation.flag('personal')
        ? await storeToWrite(invocation)
        : openStoreAt(rootForNewStore(invocation.cwd));
      const { root } = store;
      const created = await store.init();
      invocation.answer({ root, created }, () =>
        terminal.print(
          created.length > 0
            ? `Made ${created.join(', ')} in ${root}.`
            : `${root} has a .learnings folder already.`,
        ),
      );
      return exitCodes.ok;
    },
  },

  stale: {
    summary: 'List active learnings that what they are about has left behind.',
    usage: '',
    examples: ['learnings stale'],
    async run(invocation) {
      const store = openStoreFrom(invocation.cwd);
      const stale = await staleOf(store, await recordsOf(store));
      invocation.answer({ stale: stale.map(toJson) }, () =>
        printOutdated(invocation, stale, 'Nothing is stale.'),
      );
      return exitCodes.ok;
    },
  },

  prune: {
    summary: 'List superseded and stale learnings; with --delete put them into the archive.',
    usage: '[--stale-only] [--delete]',
    options: {
      'stale-only': { type: 'boolean', help: 'leave superseded ones alone' },
      delete: { type: 'boolean', help: 'archive them; learnings restore brings one back' },
      ...personalOptions,
    },
    examples: ['learnings prune --stale-only', 'learnings prune --stale-only --delete'],
    run: prune,
  },

  doctor: {
    summary: 'Say what is wrong with the store and what to do; with --fix do it.',
    usage: '[--fix] [--keep ours|theirs] [--in-use ID]',
    options: {
      fix: { type: 'boolean', help: 'mend what can be mended without losing anything' },
      keep: {
        type: 'string',
        choices: ['ours', 'theirs'],
        help: 'whose text to take where both sides of a merge changed it; the newer unless given',
      },
      'in-use': {
        type: 'string',
        value: 'ID',
        help: 'which of records that supersede each other holds; the last changed unless given',
      },
      ...personalOptions,
    },
    examples: ['learnings doctor', 'learnings doctor --fix', 'learnings doctor --fix --keep theirs'],
    run: (invocation) => (invocation.flag('fix') ? healStore(invocation) : explainStore(invocation)),
  },

  config: {
    summary: 'Show what is set and by what; set something in config.yaml, or take it away.',
    usage: '[<key> [<value>]] [--unset]',
    positionals: [0, 2],
    options: { unset: { type: 'boolean', help: 'take the key out of config.yaml: its default holds again' } },
    examples: [
      'learnings config',
      'learnings config caps.per_call 8',
      'learnings config extends ../shared-learnings',
      'learnings config caps.per_call --unset',
    ],
    async run(invocation) {
      const [key, value] = invocation.positionals;
      if (key !== undefined && !isSettingKey(key)) {
        throw new UsageError(`There is no setting "${key}". Run learnings config to see them all.`);
      }
      const unset = invocation.flag('unset');
      if (unset && (key === undefined || value !== undefined))
        throw new UsageError('Usage: learnings config <key> --unset');
      if (key !== undefined && (value !== undefined || unset)) await setConfig(invocation, key, value);
      return showConfig(invocation, key);
    },
  },

  'migrate-layout': {
    summary: 'Move records of the old flat layout into folders of their own.',
    usage: '',
    examples: ['learnings migrate-layout'],
    async run(invocation) {
      const { moved, failed } = await openStoreFrom(invocation.cwd).migrateLayout();
      invocation.answer({ moved, failed }, () =>
        invocation.terminal.print(moved.length > 0 ? `Moved ${moved.join(', ')}.` : 'Nothing to move.'),
      );
      for (const { file, why } of failed) invocation.terminal.warn(`Not moved: ${file}: ${why}`);
      return failed.length === 0 ? exitCodes.ok : exitCodes.refused;
    },
  },
};

interface Outdated {
  readonly id: string;
  readonly summary: string;
  readonly reasons: readonly string[];
  /** Whether nothing but its commits speaks against it. */
  readonly doubtful: boolean;
}

const toJson = ({ id, summary, reasons }: Outdated): object => ({ id, summary, reasons });

type Records = readonly LearningRecord[];

async function recordsOf(store: OpenStore): Promise<Records> {
  return (await store.read()).learnings.map(({ record }) => record);
}

async function staleOf(store: OpenStore, records: Records): Promise<Outdated[]> {
  const active = records.filter(({ status }) => status === 'active');
  return (await findStale(store.ports, active)).map(({ record: { id, summary }, reasons }) => ({
    id,
    summary,
    reasons: reasons.map(({ text }) => text),
    doubtful: reasons.every(({ kind }) => kind === 'commits'),
  }));
}

function supersededOf(records: Records): Outdated[] {
  return records
    .filter(({ status }) => status === 'superseded')
    .map(({ id, summary, supersededBy }) => {
      const reasons = [`Superseded by ${supersededBy ?? 'another'}.`];
      return { id, summary, reasons, doubtful: false };
    });
}

async function prune(invocation: Invocation): Promise<0 | 1> {
  const [remove, staleOnly, personal] = ['delete', 'stale-only', 'personal'].map((name) =>
    invocation.flag(name),
  );
  if (personal && staleOnly)
    throw new UsageError('Your own learnings belong to no repository, so none of them can be stale.');
  const store = remove ? await storeToWrite(invocation) : storeToRead(invocation);
  const records = await recordsOf(store);
  const outdated = [
    ...(personal ? [] : await staleOf(store, records)),
    ...(staleOnly ? [] : supersededOf(records)),
  ];
  const archived: string[] = [];
  const failed: { id: string; why: string }[] = [];
  for (const { id, reasons } of remove ? outdated.filter(({ doubtful }) => !doubtful) : []) {
    try {
      await store.archive(id, reasons.join(' '));
      archived.push(id);
    } catch (error) {
      if (!(error instanceof LearningsError) || error.code === 'io') throw error;
      failed.push({ id, why: error.message });
    }
  }
  const data = { pruned: remove, learnings: outdated.map(toJson), archived, failed };
  invocation.answer(data, () => {
    const { terminal } = invocation;
    printOutdated(invocation, outdated, 'Nothing to prune.');
    if (outdated.length === 0) return;
    if (!remove) return terminal.print('Run it again with --delete to put them into the archive.');
    terminal.print(`Archived ${archived.length}. learnings restore <id> brings one back.`);
    const doubtful = outdated.filter((one) => one.doubtful).map(({ id }) => id);
    if (doubtful.length > 0)
      terminal.print(
        terminal.wrap(
          `Left in use: ${doubtful.join(', ')}. Only commits are gone, as after a squash merge; learnings archive <id> puts one away.`,
          2,
        ),
      );
  });
  for (const { id, why } of failed) invocation.terminal.warn(`Not archived: ${id}: ${why}`);
  return failed.length === 0 ? exitCodes.ok : exitCodes.refused;
}

function printOutdated({ terminal }: Invocation, rows: readonly Outdated[], nothing: string): void {
  if (rows.length === 0) terminal.print(nothing);
  for (const { id, summary, reasons } of rows) {
    terminal.print(`${terminal.style('bold', id)}  ${terminal.wrap(summary, id.length + 2)}`);
    for (const reason of reasons) terminal.print(`  ${terminal.style('dim', terminal.wrap(reason, 2))}`);
  }
}

async function explainStore(invocation: Invocation): Promise<0 | 3> {
  const { terminal } = invocation;
  const findings = await storeToRead(invocation).diagnose(readChoices(invocation));
  const data = findings.map(({ problem, remedy }) => ({ ...problem, remedy: remedy ?? null }));
  invocation.answer({ findings: data }, () => {
    if (findings.length === 0) terminal.print('All is well.');
    for (const { problem, remedy } of findings) {
      terminal.print(terminal.wrap(describeProblem(problem), 2));
      const plan = remedy === undefined ? 'You have to decide.' : `learnings doctor --fix will ${remedy}.`;
      terminal.print(`  ${terminal.style('dim', terminal.wrap(plan, 2))}`);
    }
  });
  return findings.length === 0 ? exitCodes.ok : exitCodes.problems;
}

async function healStore(invocation: Invocation): Promise<0 | 3> {
  const { terminal } = invocation;
  const store = await storeToWrite(invocation);
  const { done, failed, left } = await store.heal(readChoices(invocation));
  invocation.answer({ done, failed, left }, () => {
    for (const { file, did } of done) terminal.print(`${file}: ${terminal.wrap(did, 2)}.`);
    for (const { file, why } of failed) terminal.print(`Not mended: ${file}: ${terminal.wrap(why, 2)}`);
    for (const problem of left) terminal.print(`Left: ${terminal.wrap(describeProblem(problem), 2)}`);
    if (done.length + left.length === 0) terminal.print('All is well.');
    if (done.length > 0) terminal.print('Look at it with git diff, then git add .learnings.');
  });
  return left.length === 0 ? exitCodes.ok : exitCodes.problems;
}

function readChoices(invocation: Invocation): NonNullable<Parameters<OpenStore['heal']>[0]> {
  const side = invocation.value('keep');
  const keep = side === 'ours' || side === 'theirs' ? side : undefined;
  return { keep, inUse: invocation.value('in-use') };
}

async function setConfig(invocation: Invocation, key: SettingKey, text: string | undefined): Promise<void> {
  const parsed = text === undefined ? { value: undefined } : parseSetting(key, text);
  if ('message' in parsed) throw new LearningsError('refused', `${key} ${parsed.message}.`);
  await openStoreFrom(invocation.cwd).configure(key, parsed.value);
}

async function showConfig(invocation: Invocation, only: SettingKey | undefined): Promise<0 | 3> {
  const { terminal } = invocation;
  const learnings = await openFrom(invocation.cwd);
  const { settings, sources } = learnings.settings();
  const keys = only === undefined ? settingKeys : [only];
  const data = keys.map((key) => {
    const { environment, help } = definitions[key];
    return { key, value: settings[key], source: sources[key], environment, help };
  });
  invocation.answer({ settings: data }, () => {
    for (const { key, value, source, environment, help } of data) {
      const from = source === 'environment' ? environment : source;
      const shown = `${key}: ${JSON.stringify(value)}`;
      terminal.print(`${terminal.style('bold', shown.padEnd(31))} ${terminal.style('dim', from)}`);
      if (only !== undefined) terminal.print(`${help}. Environment: ${environment}.`);
    }
  });
  const wrong = learnings.problems().filter(({ file }) => file === CONFIG || !file.includes('/'));
  for (const problem of wrong) terminal.warn(describeProblem(problem));
  return wrong.some(({ severity }) => severity === 'error') ? exitCodes.problems : exitCodes.ok;
}
