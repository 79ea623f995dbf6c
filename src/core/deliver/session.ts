import type { Journal } from '../ports';

/**
 * What one session of an agent was given, shared by every process that serves it. Each appends one line and reads all
 * of them back: the order of the lines decides who was first, so no lock is needed, and no two processes give the same.
 */
export interface Session {
  /** What it has been given already. */
  given(): ReadonlySet<string>;
  /** Takes those that nobody has taken, as far as the cap allows; they are then this caller's to give. */
  claim(names: readonly string[], cap: number): readonly string[];
  /** True for the first caller in the session alone. */
  claimOnce(key: string): boolean;
  /** The agent has forgotten what it was told: everything may be given again. */
  forget(): void;
}

interface SessionOptions {
  readonly journal: Journal;
  /** Tells this claimant from every other. */
  readonly nonce: () => string;
  readonly now: () => number;
  /** What is older than this is as good as forgotten; for agents that do not say which session it is. */
  readonly maxAgeMs?: number | undefined;
}

interface Line {
  readonly at: number;
  readonly by: string;
  readonly give?: readonly string[];
  readonly cap?: number;
  readonly once?: string;
  readonly forget?: true;
}

export function openSession({ journal, nonce, now, maxAgeMs = Infinity }: SessionOptions): Session {
  const state = (): State => fold(journal.read(), now() - maxAgeMs);
  const write = (line: Omit<Line, 'at' | 'by'>): string | undefined => {
    const by = nonce();
    return journal.append(JSON.stringify({ at: now(), by, ...line })) ? by : undefined;
  };
  return {
    given: () => new Set(state().givenBy.keys()),
    claim(names, cap) {
      const before = state();
      const wanted = names.filter((name) => !before.givenBy.has(name));
      if (wanted.length === 0) return [];
      const by = write({ give: wanted, ...(Number.isFinite(cap) && { cap }) });
      // Where nothing can be written nothing is remembered; better twice than never.
      if (by === undefined) return wanted;
      const { givenBy } = state();
      return wanted.filter((name) => givenBy.get(name) === by);
    },
    claimOnce(key) {
      if (state().onceBy.has(key)) return false;
      const by = write({ once: key });
      return by === undefined || state().onceBy.get(key) === by;
    },
    forget: () => void write({ forget: true }),
  };
}

interface State {
  readonly givenBy: Map<string, string>;
  readonly onceBy: Map<string, string>;
}

/** The same lines mean the same to everybody: the first to take a name has it, unless the cap was reached before. */
function fold(text: string, sinceMs: number): State {
  const givenBy = new Map<string, string>();
  const onceBy = new Map<string, string>();
  for (const one of text.split('\n')) {
    const line = parse(one);
    if (!line || line.at < sinceMs) continue;
    if (line.forget) givenBy.clear();
    for (const name of line.give ?? [])
      if (!givenBy.has(name) && givenBy.size < (line.cap ?? Infinity)) givenBy.set(name, line.by);
    if (line.once !== undefined && !onceBy.has(line.once)) onceBy.set(line.once, line.by);
  }
  return { givenBy, onceBy };
}

/** A line that a full disk tore off says nothing. */
function parse(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Partial<Line>;
    if (typeof line.at !== 'number' || typeof line.by !== 'string') return undefined;
    return { ...line, at: line.at, by: line.by, ...(!isNames(line.give) && { give: [] }) };
  } catch {
    return undefined;
  }
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
