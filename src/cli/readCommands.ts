import {
  explainFile,
  kinds,
  LearningsError,
  listWorkingFiles,
  statuses,
  toRow,
  type Explanation,
  type Held,
  type Learnings,
  type Match,
  type SearchFound,
  type Status,
} from '../core/api';
import { nodePorts, openFrom, openPersonalStore, rebuildIndex } from '../node/open';
import { exitCodes, UsageError, type Commands, type Invocation } from './command';
import { fromHere } from './paths';
import { describeProblem, reportProblems } from './problems';
import type { Terminal } from './terminal';

/** The commands that only look. */
export const readCommands: Commands = {
  list: {
    summary: 'List learnings; with --path or --tag, the active ones about that, best first.',
    usage: '[--path FILE|GLOB]… [--tag TAG]… [--status active|superseded|archived|candidate]',
    options: {
      path: {
        type: 'string',
        multiple: true,
        value: 'FILE|GLOB',
        help: 'a file, relative to the root or to this folder, or absolute; of a glob, learnings whose paths contain or meet it',
      },
      tag: { type: 'string', multiple: true, value: 'TAG', help: 'a topic' },
      status: { type: 'string', choices: statuses, help: 'only these' },
      personal: { type: 'boolean', help: 'your own learnings in ~/.learnings, all of them' },
    },
    examples: ['learnings list --path src/http/server.ts', 'learnings list --status superseded --json'],
    async run(invocation) {
      if (invocation.flag('personal')) return listPersonal(invocation);
      const status = readStatus(invocation);
      const paths = invocation.values('path');
      const tags = invocation.values('tag');
      const learnings = await openFrom(invocation.cwd);
      const rows =
        paths.length + tags.length > 0
          ? about(learnings, { paths: pathsFrom(invocation, learnings, paths), tags }, status)
          : learnings.list(status).map((held): Match => ({ ...held, matchedBy: [] }));
      invocation.answer({ results: rows.map(toRow) }, () => printRows(invocation, rows));
      return reportProblems(invocation, learnings.problems());
    },
  },

  show: {
    summary: 'Show one learning whole, with its votes.',
    usage: '<id>',
    positionals: [1, 1],
    examples: ['learnings show L-0001', 'learnings show P-0003', 'learnings show shared-learnings/L-0001'],
    async run(invocation) {
      const [id = ''] = invocation.positionals;
      const learnings = await openFrom(invocation.cwd);
      const found = await learnings.read(id);
      if (!found) {
        const broken = learnings.problems().find(({ file }) => file.includes(`/${id}/`));
        throw new LearningsError(
          'not-found',
          broken ? describeProblem(broken) : `No learning ${id}. Run learnings list to see what there is.`,
        );
      }
      const { record, origin, file, votes } = found;
      const data = {
        ...record,
        status: found.status,
        ...(origin.kind !== 'repository' && { store: origin.name }),
        file: origin.kind === 'repository' ? file : `${origin.root}/${file}`,
        vote_count: votes.length,
        last_voted_at: lastVote(found) ?? null,
      };
      invocation.answer(data, () => printLearning(invocation, found));
      return exitCodes.ok;
    },
  },

  search: {
    summary: 'Find learnings by their text; with "path", those about a file.',
    usage: '<words…> | path <file>  [--tag TAG] [--path FILE] [--kind KIND] [--store NAME] [--all]',
    positionals: [1, Infinity],
    options: {
      tag: { type: 'string', multiple: true, value: 'TAG', help: 'only of this topic' },
      path: { type: 'string', multiple: true, value: 'FILE', help: 'only about this file' },
      kind: { type: 'string', choices: kinds, help: 'only of this kind' },
      status: { type: 'string', choices: statuses, help: 'only these; active ones unless given' },
      store: { type: 'string', value: 'NAME', help: 'only of this store; "" is the repository itself' },
      limit: { type: 'string', value: 'N', help: 'at most so many; 20 unless given' },
      all: { type: 'boolean', help: 'all of them' },
    },
    examples: [
      'learnings search compare outputs',
      'learnings search retry --path src/http/client.ts',
      'learnings search path src/http/server.ts --tag perf',
    ],
    async run(invocation) {
      const [first = '', ...rest] = invocation.positionals;
      const learnings = await openFrom(invocation.cwd);
      return first === 'path' && rest.length > 0
        ? searchPath(invocation, learnings, rest)
        : searchText(invocation, learnings, [first, ...rest].join(' '));
    },
  },

  explain: {
    summary: 'Say which learnings a file gets, why, and which not.',
    usage: '<file>',
    positionals: [1, 1],
    examples: ['learnings explain src/http/server.ts'],
    async run(invocation) {
      const [file = ''] = invocation.positionals;
      const learnings = await openFrom(invocation.cwd);
      const files = await listWorkingFiles(nodePorts(learnings.root));
      const [path = file] = pathsFrom(invocation, learnings, [file]);
      const explanation = explainFile(learnings, path, { now: new Date(), files });
      invocation.answer(explanationAsJson(file, explanation), () =>
        printExplanation(invocation, file, explanation),
      );
      return reportProblems(invocation, learnings.problems());
    },
  },

  sync: {
    summary: 'Read every record and vote again, rebuild the index, and list what is wrong.',
    changes: () => true,
    usage: '',
    examples: ['learnings sync'],
    async run(invocation) {
      const learnings = await rebuildIndex(invocation.cwd);
      const problems = learnings.problems();
      const counts = {
        learnings: learnings.list().length,
        candidates: learnings.list('candidate').length,
        archived: learnings.list('archived').length,
      };
      invocation.answer({ ...counts, problems }, () =>
        invocation.terminal.print(
          `${many(counts.learnings, 'learning')}, ${many(counts.candidates, 'candidate')}, ${counts.archived} archived, ${many(problems.length, 'problem')}.`,
        ),
      );
      reportProblems(invocation, problems);
      return problems.length > 0 ? exitCodes.problems : exitCodes.ok;
    },
  },
};

async function listPersonal(invocation: Invocation): Promise<0 | 3> {
  const store = openPersonalStore();
  const { learnings, problems } = await store.read();
  const origin = { kind: 'personal', name: 'personal', root: store.root } as const;
  const rows = learnings.map(({ record }): Match => ({ record, matchedBy: [], origin }));
  invocation.answer({ results: rows.map(toRow) }, () => printRows(invocation, rows));
  return reportProblems(invocation, problems);
}

/** What is about these files or patterns, or has one of these tags, each once. */
function about(
  learnings: Learnings,
  { paths, tags }: { paths: readonly string[]; tags: readonly string[] },
  status: Status | undefined,
): Match[] {
  const isGlob = (path: string): boolean => /[*?[{]/.test(path) || path.endsWith('/');
  const found = [
    ...learnings.find({ paths: paths.filter((path) => !isGlob(path)), tags }, { status }).matches,
    ...paths.filter(isGlob).flatMap((glob) => learnings.findMeeting(glob, status).matches),
  ];
  return [...new Map(found.map((match) => [`${match.origin.root} ${match.record.id}`, match])).values()];
}

const pathsFrom = ({ cwd }: Invocation, { root }: Learnings, paths: readonly string[]): string[] =>
  paths.map((path) => fromHere(path, { cwd, root }));

function readLimit(invocation: Invocation): number {
  if (invocation.flag('all')) return Infinity;
  const limit = Number(invocation.value('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number from 1.');
  return limit;
}

const readStatus = (invocation: Invocation): Status | undefined =>
  statuses.find((name) => name === invocation.value('status'));

function searchPath(invocation: Invocation, learnings: Learnings, paths: readonly string[]): 0 | 3 {
  const tags = invocation.values('tag');
  const limit = readLimit(invocation);
  const located = pathsFrom(invocation, learnings, paths);
  const matches = about(learnings, { paths: located, tags: [] }, readStatus(invocation)).filter(
    ({ record }) => tags.length === 0 || tags.some((tag) => record.scope.tags.includes(tag)),
  );
  const rows = matches.slice(0, limit);
  invocation.answer({ results: rows.map(toRow), omitted: matches.length - rows.length }, () =>
    printRows(invocation, rows),
  );
  return reportProblems(invocation, learnings.problems());
}

async function searchText(invocation: Invocation, learnings: Learnings, text: string): Promise<0 | 3> {
  const tags = invocation.values('tag');
  const paths = pathsFrom(invocation, learnings, invocation.values('path'));
  const { hits, total } = await learnings.search(text, {
    limit: readLimit(invocation),
    status: readStatus(invocation),
    kind: kinds.find((name) => name === invocation.value('kind')),
    store: invocation.value('store'),
    ...(paths.length + tags.length > 0 && { target: { paths, tags } }),
  });
  const results = hits.map(({ held, score, snippet }) => ({
    ...toRow({ ...held, matchedBy: [`text:${text}`] }),
    score: Number(score.toFixed(3)),
    snippet: snippet.text,
    marks: snippet.marks,
  }));
  invocation.answer({ results, omitted: total - hits.length }, () => {
    const { terminal } = invocation;
    if (hits.length === 0) terminal.print('Nothing matches.');
    for (const { held, snippet } of hits) {
      printRows(invocation, [{ ...held, matchedBy: [] }]);
      // Where the summary is all there is, it has just been printed.
      if (snippet.text !== held.record.summary) terminal.print(`  ${markHits(terminal, snippet)}`);
    }
    if (total > hits.length) terminal.print(`${total - hits.length} more; --all shows them.`);
  });
  return reportProblems(invocation, learnings.problems());
}

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function markHits(terminal: Terminal, { text, marks }: SearchFound['hits'][number]['snippet']): string {
  let out = '';
  let at = 0;
  for (const [start, end] of marks) {
    out += terminal.style('dim', text.slice(at, start)) + terminal.style('bold', text.slice(start, end));
    at = end;
  }
  return out + terminal.style('dim', text.slice(at));
}

function explanationAsJson(file: string, explanation: Explanation): object {
  const { given, withheld, nearMisses, deadGlobs = [], settings } = explanation;
  return {
    file,
    results: given.map(({ match, rank, beyondCap }) => ({
      ...toRow(match),
      rank: {
        votes: rank.votes,
        vote_score: rank.voteScore,
        priority: rank.priority,
        kind_weight: rank.kindWeight,
        specificity: rank.specificity,
      },
      beyond_cap: beyondCap,
    })),
    withheld: withheld.map(({ match, rule, why }) => ({ ...toRow(match), rule, why })),
    near_misses: nearMisses.map(({ match, miss, pattern, why }) => ({ ...toRow(match), miss, pattern, why })),
    dead_globs: deadGlobs.map(({ match, pattern }) => ({ id: match.record.id, pattern })),
    per_call: settings.perCall,
  };
}

/** So many near misses are told of; `--json` has them all. */
const MAX_NEAR = 10;

function printExplanation(invocation: Invocation, file: string, explanation: Explanation): void {
  const { terminal } = invocation;
  const { given, withheld, nearMisses, deadGlobs = [], settings } = explanation;
  const aside = (text: string): void => terminal.print(terminal.style('dim', terminal.wrap(text, 2)));
  if (given.length === 0) terminal.print(`Nothing is known about ${file}.`);
  for (const { match, rank } of given) {
    printRows(invocation, [match]);
    for (const reason of match.matchedBy) terminal.print(`  ${terminal.style('dim', reason)}`);
    const votes =
      rank.votes === 0 ? 'no votes' : `${rank.voteScore.toFixed(2)} of ${many(rank.votes, 'vote')}`;
    const kind = `${match.record.kind} (${rank.kindWeight})`;
    const parts = [votes, `priority ${rank.priority}`, kind, `fit ${rank.specificity}`, rank.updatedAt ?? ''];
    terminal.print(`  ${terminal.style('dim', `rank: ${parts.filter(Boolean).join(', ')}`)}`);
  }
  const beyond = given.filter(({ beyondCap }) => beyondCap).length;
  if (beyond > 0)
    aside(`An agent is given the first ${settings.perCall} at once; ${beyond} more if it asks.`);
  for (const { match, why } of withheld) aside(`Not given: ${match.record.id}, ${why}.`);
  for (const { match, why } of nearMisses.slice(0, MAX_NEAR)) aside(`Near miss: ${match.record.id}, ${why}.`);
  if (nearMisses.length > MAX_NEAR)
    aside(`${nearMisses.length - MAX_NEAR} more near misses; --json has them.`);
  for (const { match, pattern } of deadGlobs) aside(`Matches no file: ${pattern} of ${match.record.id}.`);
}

type Whole = NonNullable<Awaited<ReturnType<Learnings['read']>>>;

function printRows({ terminal }: Invocation, rows: readonly Match[]): void {
  if (rows.length === 0) terminal.print('Nothing matches.');
  for (const { record, origin } of rows) {
    const superseded = record.status === 'superseded';
    const id = origin.kind === 'extended' ? `${origin.name}/${record.id}` : record.id;
    const label = terminal.style(superseded ? 'dim' : 'bold', id);
    const note = superseded ? `(superseded by ${record.supersededBy ?? 'another'}) ` : '';
    terminal.print(`${label}  ${terminal.wrap(note + record.summary, id.length + 2)}`);
  }
}

function lastVote({ votes }: Held): string | undefined {
  return votes
    .map(({ at }) => at)
    .toSorted()
    .at(-1);
}

function printLearning({ terminal }: Invocation, held: Whole): void {
  const { record, votes, file, origin, status } = held;
  const row = (label: string, value: string): void => {
    if (value !== '') terminal.print(`${terminal.style('dim', label.padEnd(12))}${terminal.wrap(value, 12)}`);
  };
  terminal.print(terminal.style('bold', `${record.id}  ${record.summary}`));
  row('store', origin.name);
  row('status', status + (record.supersededBy ? ` by ${record.supersededBy}` : ''));
  row('kind', record.kind);
  row('why', record.rationale ?? '');
  row('paths', record.scope.paths.join('  '));
  row('tags', record.scope.tags.join(', '));
  row('symbols', record.scope.symbols.join(', '));
  row('evidence', record.evidence.map(({ kind, ref }) => `${kind} ${ref}`).join(', '));
  row(
    'votes',
    [votes.length, lastVote(held) && `last ${lastVote(held) ?? ''}`].filter(Boolean).join(', ') || '0',
  );
  row('updated', [record.updatedAt, record.createdBy && `by ${record.createdBy}`].filter(Boolean).join(' '));
  row('file', origin.kind === 'repository' ? file : `${origin.root}/${file}`);
  if (record.body) terminal.print(`\n${record.body.trimEnd()}`);
}
