/** What can be wrong with a file. Code branches on this; `message` and `hint` are for people. */
export type ProblemCode =
  | 'too-large'
  | 'encoding'
  | 'conflict-markers'
  | 'too-complex'
  | 'alias'
  | 'yaml'
  | 'schema'
  | 'hostile-text'
  | 'id-mismatch'
  | 'duplicate-id'
  | 'missing-record'
  | 'symlink'
  | 'unreadable'
  | 'vote'
  | 'pattern'
  | 'supersede'
  | 'lost-successor'
  | 'git-unaware'
  | 'unmerged'
  | 'missing-store'
  | 'secret'
  | 'dead-glob'
  | 'too-broad'
  | 'missing-commit'
  | 'similar'
  | 'unknown-tag'
  | 'unknown-id'
  | 'unknown-key'
  | 'legacy-layout';

/** Something wrong with one file, and where. It costs that file alone. */
export interface Problem {
  readonly code: ProblemCode;
  /** Relative to the root. */
  readonly file: string;
  /** Both one-based. */
  readonly line: number;
  readonly column: number;
  /** Past the last character, where that is known. */
  readonly end?: { readonly line: number; readonly column: number };
  /** The keys that lead to what it is about. */
  readonly path?: readonly PropertyKey[];
  /** What could stand there instead, the likeliest first. */
  readonly instead?: readonly string[];
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** A warning leaves the record in use. */
  readonly severity: 'error' | 'warning';
}

/** Makes problems of one text from offsets into it. */
export function problemAt(text: string, file: string) {
  return (
    offset: number,
    problem: Pick<Problem, 'code' | 'message' | 'hint'> & Partial<Problem>,
  ): Problem => {
    const before = text.slice(0, Math.min(offset, text.length));
    const line = before.split('\n').length;
    return { severity: 'error', ...problem, file, line, column: before.length - before.lastIndexOf('\n') };
  };
}
