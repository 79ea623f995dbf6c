import type { ParseArgsConfig } from 'node:util';

import type { Terminal } from './terminal';

export const exitCodes = { ok: 0, refused: 1, usage: 2, problems: 3 } as const;
type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command line is wrong; the message says how. */
export class UsageError extends Error {}

export interface Invocation {
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly positionals: readonly string[];
  /** The value of an option that may stand once. */
  value(name: string): string | undefined;
  /** The values of an option that may be repeated. */
  values(name: string): readonly string[];
  flag(name: string): boolean;
  /** The text of a file, or of standard input for `-`. */
  readText(file: string): Promise<string>;
  /** Asks a person; false where none sits at the terminal. */
  confirm(question: string): Promise<boolean>;
  /** With --json the data, else what a person should read. */
  answer(data: unknown, print: () => void): void;
}

export interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** What stands for the value in the help; also what completion offers, if it is a choice. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

/** One subcommand, as data: help and completion are made from it. */
export interface Command {
  readonly summary: string;
  /** What follows the name, such as `<id> --with <id>`. */
  readonly usage: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** How many positional arguments it takes. */
  readonly positionals?: readonly [least: number, most: number];
  readonly examples: readonly string[];
  /** Whether it changes what agents are given. */
  readonly changes?: (invocation: Invocation) => boolean;
  run(invocation: Invocation): Promise<ExitCode>;
}

export const parseOptions = (options: Readonly<Record<string, Option>>): ParseArgsConfig['options'] =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple }]) => [
      name,
      { type, multiple: multiple ?? false },
    ]),
  );

export type Commands = Readonly<Record<string, Command>>;
