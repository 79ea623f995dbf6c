import { CST, Lexer } from 'yaml';

import { problemAt, type Problem } from './problem';

/**
 * The parser has no limits of its own: 40,000 keys take it 15 seconds, two thousand brackets or block headers a
 * quarter of one, and deep nesting can end the process.
 */
const limits = { bytes: 64 * 1024, keys: 500, depth: 32, marks: 1000 } as const;

/** Tokens that are only text or white space; every other one is a mark that costs the parser time. */
const plainTokens = new Set<string | null>([null, 'space', 'newline', 'comment']);

export type Guarded = { readonly text: string } | { readonly problem: Problem };

/** Turns bytes into text, or says why not. What is in it may still be more than the parser can take. */
export function decodeText(bytes: Uint8Array, file: string): Guarded {
  const start = problemAt('', file);
  if (bytes.length > limits.bytes) {
    const message = `${bytes.length} bytes; a record has at most ${limits.bytes}`;
    const hint = 'Shorten the body, or link to a document from it.';
    return { problem: start(0, { code: 'too-large', message, hint }) };
  }
  const decoded = decode(bytes);
  if ('text' in decoded) return decoded;
  const hint = 'Save the file as UTF-8.';
  return { problem: start(0, { code: 'encoding', message: decoded.reason, hint }) };
}

/** Turns bytes into text that is safe to parse, or says why not. Linear in the size of the input. */
export function guardText(bytes: Uint8Array, file: string): Guarded {
  const decoded = decodeText(bytes, file);
  if ('problem' in decoded) return decoded;
  const { text } = decoded;
  const problem = problemAt(text, file);

  // Looked for in the raw text: inside a block scalar they would parse as content.
  const conflict = /^(<{7}|>{7})( |$)/m.exec(text);
  if (conflict) {
    const message = 'merge-conflict markers';
    const byHand = 'put the two sides together by hand and remove the marker lines.';
    const hint = file.endsWith('/learning.yaml')
      ? `Run learnings doctor --fix, or ${byHand}`
      : byHand.replace('put', 'Put');
    return { problem: problem(conflict.index, { code: 'conflict-markers', message, hint }) };
  }
  const shape = measure(text);
  return shape ? { problem: problem(shape.offset, shape) } : { text };
}

function decode(bytes: Uint8Array): { text: string } | { reason: string } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { reason: 'UTF-16, not UTF-8' };
  }
  if (bytes.includes(0)) return { reason: 'a NUL byte: not a text file, or not UTF-8' };
  try {
    // The decoder takes a byte-order mark away.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { reason: 'not valid UTF-8' };
  }
}

type Shape = Pick<Problem, 'code' | 'message' | 'hint'> & { readonly offset: number };

/** Counts keys and nesting on the lexer's tokens, before anything recursive sees the text. */
function measure(text: string): Shape | undefined {
  let offset = 0;
  let keys = 0;
  let flow = 0;
  let marks = 0;
  let indicators = 0;
  const indents: number[] = [];
  let lineStart = true;
  const tooComplex = (message: string): Shape => ({
    code: 'too-complex',
    message,
    hint: 'A record is flat: scope and evidence are the only things with an inside.',
    offset,
  });

  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'doc-mode' || type === 'scalar' || type === 'flow-error-end') continue;
    if (!plainTokens.has(type) && ++marks > limits.marks)
      return tooComplex(`more than ${limits.marks} brackets, quotes and other marks`);
    if (type === 'alias' || type === 'anchor') {
      const hint = 'Write the value out where it is used.';
      return { code: 'alias', message: 'aliases and anchors are not allowed', hint, offset };
    }
    if (type === 'newline') {
      lineStart = true;
      indicators = 0;
    } else {
      if (lineStart) {
        const indent = type === 'space' && !token.includes('\n') ? token.length : 0;
        while ((indents.at(-1) ?? -1) >= indent) indents.pop();
        indents.push(indent);
        lineStart = false;
      }
      if (type === 'map-value-ind' && ++keys > limits.keys)
        return tooComplex(`more than ${limits.keys} keys`);
      if (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind') indicators++;
      if (type === 'flow-map-start' || type === 'flow-seq-start') flow++;
      if (type === 'flow-map-end' || type === 'flow-seq-end') flow--;
      if (indents.length + indicators + flow > limits.depth) {
        return tooComplex(`nested more than ${limits.depth} levels deep`);
      }
    }
    offset += token.length;
  }
  return undefined;
}
