import type { Problem } from '../core/api';
import { exitCodes, type Invocation } from './command';

export function describeProblem({ file, line, column, message, hint }: Problem): string {
  return `${file}:${line}:${column}: ${message}. ${hint}`;
}

/** Lists what is wrong, beside the answer, and gives the exit code that says so. */
export function reportProblems({ terminal }: Invocation, problems: readonly Problem[]): 0 | 3 {
  for (const problem of problems) terminal.warn(describeProblem(problem));
  return problems.some(({ severity }) => severity === 'error') ? exitCodes.problems : exitCodes.ok;
}
