import picomatch from 'picomatch';

import type { LearningRecord } from './record/schema';

/** What somebody is about to touch. Paths are relative to the root and use `/`. */
export interface Target {
  readonly paths?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly symbols?: readonly string[] | undefined;
}

/** Decides whether one learning is about a target: the reasons, in the order path, tag, symbol; empty if it is not. */
export type Matcher = (target: Target) => string[];

/** Compiles a learning's scope once, so that asking is cheap. Any path, any tag or any symbol is enough. */
export function compileScope(scope: LearningRecord['scope']): Matcher {
  const positive = scope.paths.filter((pattern) => !pattern.startsWith('!'));
  const includes = positive.map((pattern) => ({ pattern, test: compilePattern(pattern) }));
  const excludes = scope.paths
    .filter((pattern) => pattern.startsWith('!'))
    .map((pattern) => compilePattern(pattern.slice(1)));
  const tags = new Set(scope.tags);
  const symbols = new Set(scope.symbols);

  return (target) => [
    ...(target.paths ?? []).flatMap((path) => {
      const hit = includes.find(({ test }) => test(path));
      return hit && !excludes.some((test) => test(path)) ? [`path:${path} ~ ${hit.pattern}`] : [];
    }),
    ...(target.tags ?? []).filter((tag) => tags.has(tag)).map((tag) => `tag:${tag}`),
    ...(target.symbols ?? []).filter((name) => symbols.has(name)).map((name) => `symbol:${name}`),
  ];
}

/** picomatch with three rules of ours: no slash means any depth, a trailing slash means all below, dot files count. */
function compilePattern(pattern: string): (path: string) => boolean {
  const below = pattern.endsWith('/') ? `${pattern}**` : pattern;
  return picomatch(below.includes('/') ? below : `**/${below}`, { dot: true });
}
