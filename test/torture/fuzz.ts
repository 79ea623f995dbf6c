import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '../../scripts/product';
import type { Problem } from '../../src/core/api';
import { parseRecord } from '../../src/core/record/parse';
import { parseVotes } from '../../src/core/store/votes';
import { dice, type Dice } from './random';

const MAX_MS = 200;

/** Bytes that mean something to a YAML or JSON parser, and some that should mean nothing to anybody. */
const spice = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ':',
    ': ',
    '- ',
    '? ',
    '#',
    '&a ',
    '*a',
    '!!str ',
    '|\n',
    '>\n',
    '"',
    "'",
    '\n',
    '\r\n',
    '\t',
  ],
  ...[
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '<<: ',
    '<<<<<<< HEAD\n',
    '=======\n',
    '>>>>>>> x\n',
    '\0',
    '\ufeff',
    '\u202e',
    '\u2028',
  ],
  ...['null', '~', '1e999', '.nan', '2026-13-45T99:99:99Z', 'L-0001', '\\u0000', '{"a":', '\ud800'],
].map((text) => Buffer.from(text));

function mutate(seed: Buffer, chance: Dice): Buffer {
  let bytes = seed;
  for (let edits = 1 + chance.roll(6); edits > 0; edits--) {
    const at = chance.roll(bytes.length + 1);
    const length = chance.roll(40);
    const piece = chance.pick(spice) ?? Buffer.alloc(0);
    switch (chance.roll(6)) {
      case 0:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at)]);
        break;
      case 3:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from([chance.roll(256)]),
          bytes.subarray(at + 1),
        ]);
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          ...Array.from({ length: chance.roll(3000) }, () => piece),
          bytes.subarray(at),
        ]);
        break;
      default:
        bytes = bytes.subarray(0, at);
    }
  }
  return bytes;
}

/** Reads spoilt inputs: none may throw, take long, or be refused without a place and advice. */
export function fuzz(
  what: 'records' | 'votes',
  options: { seed: number; count: number },
): { slowestMs: number; accepted: number } {
  const store = join(checkout, 'samples', '.learnings');
  const name = what === 'records' ? 'learning.yaml' : 'votes.jsonl';
  const seeds = readdirSync(store).flatMap((id) => {
    try {
      return [readFileSync(join(store, id, name))];
    } catch {
      return [];
    }
  });
  const chance = dice(options.seed);
  let slowestMs = 0;
  let accepted = 0;
  for (let round = 0; round < options.count; round++) {
    const input = mutate(chance.pick(seeds) ?? Buffer.alloc(0), chance);
    const read = (): readonly Problem[] =>
      what === 'records' ? parse(input) : parseVotes(input, 'v').problems;
    const { problems, ms } = timed(read);
    slowestMs = Math.max(slowestMs, ms);
    if (problems.length === 0) accepted++;
    for (const { line, column, message, hint } of problems) {
      assert.ok(line >= 1 && column >= 1 && message !== '' && hint.length > 10, `round ${round}: ${message}`);
    }
  }
  assert.ok(slowestMs < MAX_MS, `one input took ${slowestMs.toFixed(0)} ms`);
  return { slowestMs, accepted };
}

/**
 * What an input costs. The clock also counts what the machine did meanwhile, so one that seems slow is read again: an
 * input that is slow of its own is slow every time.
 */
function timed(read: () => readonly Problem[]): { problems: readonly Problem[]; ms: number } {
  const started = performance.now();
  const problems = read();
  let ms = performance.now() - started;
  for (let again = 0; again < 4 && ms >= MAX_MS; again++) {
    const restarted = performance.now();
    read();
    ms = Math.min(ms, performance.now() - restarted);
  }
  return { problems, ms };
}

function parse(input: Buffer): readonly Problem[] {
  const { record, problems } = parseRecord(input, 'r');
  assert.ok(record !== undefined || problems.length > 0, 'refused without a word');
  return problems;
}
