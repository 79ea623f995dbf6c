import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** What a command says to a person: plain text, with colour only where a terminal shows it. */
export interface Terminal {
  print(text: string): void;
  warn(text: string): void;
  /** Asks for a yes; false where nobody sits at the terminal. */
  confirm(question: string): Promise<boolean>;
  style(style: Style, text: string): string;
  /** Breaks text at words so that it fits, each further line set in. */
  wrap(text: string, indent: number): string;
}

export function processTerminal(): Terminal {
  const colour = process.stdout.isTTY && !process.env['NO_COLOR'];
  const width = process.stdout.isTTY ? Math.max(40, process.stdout.columns) : Infinity;
  return {
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
    async confirm(question) {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
      const prompt = createInterface({ input: process.stdin, output: process.stdout });
      try {
        return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
      } finally {
        prompt.close();
      }
    },
    style: (style, text) => (colour ? styleText(style, text) : text),
    wrap(text, indent) {
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(/\s+/)) {
        if (line !== '' && indent + line.length + 1 + word.length > width) {
          lines.push(line);
          line = word;
        } else line = line === '' ? word : `${line} ${word}`;
      }
      return [...lines, line].join(`\n${' '.repeat(indent)}`);
    },
  };
}
