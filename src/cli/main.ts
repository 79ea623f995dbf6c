import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

import { LearningsError } from '../core/api';
import { keepSnapshot } from '../node/snapshot';
import { exitCodes, parseOptions, UsageError, type Command, type Invocation, type Option } from './command';
import { commands } from './commands';
import { completionScript } from './completion';
import { processTerminal } from './terminal';

declare const LEARNINGS_VERSION: string;

const common: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print JSON instead of text' },
  help: { type: 'boolean', help: 'print this help' },
};

async function main(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal();
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.print(overview());
    return exitCodes.ok;
  }
  if (name === '--version') {
    terminal.print(LEARNINGS_VERSION);
    return exitCodes.ok;
  }
  if (name === 'completion') {
    terminal.print(completionScript(rest[0] ?? '', commands, common));
    return exitCodes.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`There is no command "${name}". Run learnings --help.`);
  const invocation = readInvocation(name, command, rest);
  if (invocation.flag('help')) {
    terminal.print(help(name, command));
    return exitCodes.ok;
  }
  const [least, most] = command.positionals ?? [0, 0];
  const count = invocation.positionals.length;
  if (count < least || count > most) throw new UsageError(`Usage: learnings ${name} ${command.usage}`);
  const code = await command.run(invocation);
  if (command.changes?.(invocation)) await keepSnapshot(invocation.cwd);
  return code;
}

function readInvocation(name: string, command: Command, args: string[]): Invocation {
  const options = { ...common, ...command.options };
  let parsed;
  try {
    parsed = parseArgs({ args, allowPositionals: true, options: parseOptions(options) ?? {} });
  } catch (error) {
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)} Run learnings ${name} --help.`,
    );
  }
  const { values, positionals } = parsed;
  for (const [option, { choices }] of Object.entries(options)) {
    for (const value of [values[option]].flat()) {
      if (choices && typeof value === 'string' && !choices.includes(value)) {
        throw new UsageError(`--${option} must be one of ${choices.join(', ')}.`);
      }
    }
  }
  const terminal = processTerminal();
  const strings = (option: string): string[] =>
    [values[option]].flat().filter((value): value is string => typeof value === 'string');
  return {
    cwd: process.cwd(),
    terminal,
    positionals,
    value: (option) => strings(option).at(-1),
    values: strings,
    flag: (option) => values[option] === true,
    readText: (file) => (file === '-' ? text(process.stdin) : readNamed(file)),
    confirm: (question) => terminal.confirm(question),
    answer: (data, print) =>
      values['json'] === true ? terminal.print(JSON.stringify(data, null, 2)) : print(),
  };
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readFile(resolve(file), 'utf8');
  } catch (cause) {
    const errno = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const what = errno === 'ENOENT' ? `There is no file ${file}.` : `Could not read ${file}: ${errno}.`;
    throw new LearningsError('not-found', what, { cause });
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length)) + 2;
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
  return [
    'What this team has learned about its repository.',
    '',
    'Usage: learnings <command> [options]',
    '',
    ...rows,
    `  ${'completion'.padEnd(width)}print a completion script for bash, zsh or fish`,
    '',
    'Run learnings <command> --help for its options and examples.',
    'Exit codes: 0 ok, 1 refused or not found, 2 wrong usage, 3 the store has problems.',
  ].join('\n');
}

function help(name: string, command: Command): string {
  const options = Object.entries({ ...command.options, ...common }).map(
    ([option, { value, choices, help: text }]) => {
      const shown = value ?? choices?.join('|');
      return `  --${`${option}${shown ? ` ${shown}` : ''}`.padEnd(30)} ${text}`;
    },
  );
  return [
    command.summary,
    '',
    `Usage: learnings ${name} ${command.usage}`.trimEnd(),
    '',
    ...options,
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
  ].join('\n');
}

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads has seen enough, as head does.
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (!(error instanceof LearningsError || error instanceof UsageError)) throw error;
    process.stderr.write(`learnings: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? exitCodes.usage : exitCodes.refused;
  },
);
