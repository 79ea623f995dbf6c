import type { Settings } from './config/settings';
import { statuses, type Status } from './index/shelf';
import type { Learnings, Match } from './learnings';
import { codeSpan, escapeMarkdown } from './markdown';
import { literalGlob, matchGlob, parseGlob } from './match/glob';
import { patternsThatMeet } from './match/meet';
import { kindWeights, voteScore } from './match/rank';
import { relativeTo } from './paths';
import { leadingFolder } from './match/leading';

/** What a learning's place among those about a file comes from, in the order in which it counts. */
interface RankParts {
  readonly votes: number;
  /** The same votes, each worth less the older it is. */
  readonly voteScore: number;
  readonly priority: number;
  readonly kindWeight: number;
  readonly specificity: number;
  readonly updatedAt: string | undefined;
}

interface Given {
  readonly match: Match;
  readonly rank: RankParts;
  /** Whether an agent is given it only when it asks for more. */
  readonly beyondCap: boolean;
}

interface Withheld {
  readonly match: Match;
  readonly rule: Exclude<Status, 'active'> | 'disabled' | 'too-old';
  /** The rest of a sentence that begins with its id. */
  readonly why: string;
}

/** How a pattern fails to match. */
const misses = ['excluded', 'case', 'folder', 'depth', 'place'] as const;

interface NearMiss {
  readonly match: Match;
  readonly miss: (typeof misses)[number];
  readonly pattern: string;
  readonly why: string;
}

interface DeadGlob {
  readonly match: Match;
  readonly pattern: string;
}

/** Why a file gets the learnings it gets, and not others. */
export interface Explanation {
  /** Relative to the root. */
  readonly path: string;
  /** Best first. */
  readonly given: readonly Given[];
  readonly withheld: readonly Withheld[];
  readonly nearMisses: readonly NearMiss[];
  /** Patterns of those learnings that match no file; undefined where it is not known what files there are. */
  readonly deadGlobs: readonly DeadGlob[] | undefined;
  readonly settings: Pick<Settings, 'vote_half_life_days'> & { readonly perCall: number };
}

interface Context {
  readonly now: Date;
  /** The files there are; without them nothing is said of dead patterns. */
  readonly files?: readonly string[] | undefined;
}

export function explainFile(learnings: Learnings, file: string, { now, files }: Context): Explanation {
  const path = relativeTo(learnings.root, file) ?? file;
  const target = { paths: [file] };
  const { settings, sources } = learnings.settings();
  const perCall = settings['caps.per_call'];
  const halfLifeDays = settings.vote_half_life_days;
  const given = learnings.find(target).matches.map((match, index): Given => {
    const rank = rankOf(learnings, match, { halfLifeDays, atMs: now.getTime() });
    return { match, rank, beyondCap: index >= perCall };
  });
  const shown = new Set(given.map(({ match }) => nameOf(match)));
  const withheld = statuses.flatMap((status) =>
    learnings
      .find(target, { status, whateverIsSet: true })
      .matches.filter((match) => !shown.has(nameOf(match)))
      .map((match): Withheld => {
        const rule = status !== 'active' ? status : settings.enabled ? 'too-old' : 'disabled';
        const why = whyWithheld(rule, match, { settings, source: sources.enabled });
        return { match, rule, why };
      }),
  );
  const known = new Set([...shown, ...withheld.map(({ match }) => nameOf(match))]);
  const nearMisses = findNearMisses(learnings, path, known);
  const near = [...given, ...nearMisses].map(({ match }) => match);
  return {
    path,
    given,
    withheld,
    nearMisses,
    deadGlobs: files && findDeadGlobs(near, files),
    settings: { perCall, vote_half_life_days: halfLifeDays },
  };
}

const nameOf = ({ record, origin }: Match): string => `${origin.root}\0${record.id}`;

function rankOf(
  learnings: Learnings,
  { record, origin, specificity = 0 }: Match,
  decay: Parameters<typeof voteScore>[1],
): RankParts {
  const id = origin.kind === 'repository' ? record.id : `${origin.name}/${record.id}`;
  const votes = learnings.get(id)?.votes ?? [];
  return {
    votes: votes.length,
    voteScore: Number(voteScore(votes, decay).toFixed(3)),
    priority: record.priority,
    kindWeight: kindWeights[record.kind],
    specificity,
    updatedAt: record.updatedAt,
  };
}

function whyWithheld(
  rule: Withheld['rule'],
  { record }: Match,
  { settings, source }: { settings: Settings; source: string },
): string {
  switch (rule) {
    case 'superseded':
      return `superseded by ${record.supersededBy ?? 'another'}`;
    case 'archived':
      return 'archived';
    case 'candidate':
      return 'a candidate until it is promoted';
    case 'disabled':
      return `learnings are switched off here (enabled: false, ${source})`;
    case 'too-old':
      return `not changed for more than ${settings.max_age_days ?? 0} days`;
  }
}

/** Learnings that are not about the file and almost would be, the nearest first. */
function findNearMisses(learnings: Learnings, path: string, known: ReadonlySet<string>): NearMiss[] {
  const probes = probesOf(path);
  const found = learnings.list('active').flatMap(({ record, origin }): NearMiss[] => {
    const match: Match = { record, origin, matchedBy: [] };
    if (known.has(nameOf(match))) return [];
    const miss = nearestOf(record.scope.paths, path, probes);
    return miss ? [{ match, ...miss }] : [];
  });
  return found.toSorted((a, b) => misses.indexOf(a.miss) - misses.indexOf(b.miss));
}

interface Probes {
  /** One folder more, or one less. */
  readonly depth: readonly string[];
  /** Another folder in place of one of these. */
  readonly place: readonly string[];
  readonly folder: string;
}

function probesOf(path: string): Probes {
  const names = path.split('/').map((name) => literalGlob(`/${name}`).slice(1));
  const folders = [...names.keys()].slice(0, -1);
  const probe = (parts: readonly string[]): string => `/${parts.join('/')}`;
  return {
    depth: [
      ...folders.map((index) => probe(names.toSpliced(index, 1))),
      ...names.map((_, index) => probe(names.toSpliced(index, 0, '*'))),
    ],
    place: folders.map((index) => probe(names.with(index, '*'))),
    folder: path.slice(0, Math.max(0, path.lastIndexOf('/'))),
  };
}

type Miss = Omit<NearMiss, 'match'>;

function nearestOf(patterns: readonly string[], path: string, probes: Probes): Miss | undefined {
  const found = patterns
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => missOf(pattern, { patterns, path, probes }) ?? []);
  return found.toSorted((a, b) => misses.indexOf(a.miss) - misses.indexOf(b.miss))[0];
}

function missOf(
  pattern: string,
  { patterns, path, probes }: { patterns: readonly string[]; path: string; probes: Probes },
): Miss | undefined {
  if (matches(pattern, path)) {
    const by = patterns.find((one) => one.startsWith('!') && matches(one.slice(1), path)) ?? '!';
    return { miss: 'excluded', pattern, why: `${pattern} matches, but ${by} takes it out` };
  }
  const meets = (probe: string): boolean => patternsThatMeet([pattern], probe).length > 0;
  if (matches(pattern.toLowerCase(), path.toLowerCase()))
    return { miss: 'case', pattern, why: `${pattern} differs in upper and lower case alone` };
  if (probes.folder !== '' && leadingFolder(pattern) === probes.folder)
    return { miss: 'folder', pattern, why: `${pattern} is about others in the same folder` };
  // `lib/**` is about a folder, not about files of this name or kind.
  if (!/[^*/][^/]*$/.test(pattern) || pattern.endsWith('**')) return undefined;
  if (probes.depth.some(meets))
    return { miss: 'depth', pattern, why: `${pattern} is about a folder more or less` };
  if (probes.place.some(meets))
    return { miss: 'place', pattern, why: `${pattern} is about files like it in another folder` };
  return undefined;
}

function matches(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern);
  return 'readings' in glob && matchGlob(glob, path.normalize('NFC').split('/'));
}

function findDeadGlobs(near: readonly Match[], files: readonly string[]): DeadGlob[] {
  const paths = files.map((file) => file.normalize('NFC').split('/'));
  const dead = new Map<string, boolean>();
  const isDead = (pattern: string): boolean => {
    const known = dead.get(pattern);
    if (known !== undefined) return known;
    const glob = parseGlob(pattern);
    const answer = 'refused' in glob || !paths.some((path) => matchGlob(glob, path));
    dead.set(pattern, answer);
    return answer;
  };
  return near.flatMap((match) =>
    match.record.scope.paths
      .filter((pattern) => !pattern.startsWith('!') && isDead(pattern))
      .map((pattern) => ({ match, pattern })),
  );
}

interface MarkdownOptions {
  /** The address of a learning's file. */
  readonly linkTo?: (match: Match) => string | undefined;
}

/** Longer lists are cut, and say so. */
const MAX_ROWS = 20;

/** The same as a page for people. Nothing in a record's text can format, link or run anything. */
export function explanationAsMarkdown(explanation: Explanation, { linkTo }: MarkdownOptions = {}): string {
  const { path, given, withheld, nearMisses, deadGlobs = [], settings } = explanation;
  const idOf = (match: Match): string => {
    const { record, origin } = match;
    const id = escapeMarkdown(origin.kind === 'repository' ? record.id : `${origin.name}/${record.id}`);
    const address = linkTo?.(match);
    return address === undefined ? `**${id}**` : `[**${id}**](<${address}>)`;
  };
  const summary = ({ record }: Match): string => escapeMarkdown(record.summary, 300);
  const section = (title: string, lead: string, rows: readonly string[]): string[] =>
    rows.length === 0 ? [] : [`## ${title}`, '', lead, '', ...cut(rows), ''];

  const lines = [`# Learnings for ${codeSpan(path)}`, ''];
  if (given.length === 0) lines.push('No learning is about this file.', '');
  else {
    const beyond = given.filter(({ beyondCap }) => beyondCap).length;
    const capped =
      beyond > 0
        ? ` An agent is given the first ${settings.perCall} of them at once, and the others when it asks for more.`
        : '';
    lines.push(
      `${many(given.length, 'learning is', 'learnings are')} about this file.${capped}`,
      '',
      '| | Learning | Matched by | Votes | Priority | Kind | Fit | Last change |',
      '|--:|---|---|--:|--:|---|--:|---|',
      ...cut(
        given.map(({ match, rank, beyondCap }, index) => {
          const { record, matchedBy } = match;
          const cells = [
            `${index + 1}${beyondCap ? '\\*' : ''}`,
            `${idOf(match)} ${summary(match)}`,
            matchedBy.map((reason) => codeSpan(reason.replace(/^path:.* ~ /, ''))).join(' '),
            rank.votes === 0 ? '0' : `${rank.voteScore.toFixed(2)} (${rank.votes})`,
            String(rank.priority),
            `${record.kind} (${rank.kindWeight})`,
            fit(rank.specificity),
            escapeMarkdown(rank.updatedAt?.slice(0, 10) ?? 'not known'),
          ];
          return `| ${cells.join(' | ')} |`;
        }),
      ),
      '',
      `The order comes from the columns, the left one first: votes${
        settings.vote_half_life_days === 0
          ? ''
          : `, each worth half after ${settings.vote_half_life_days} days`
      }; priority; the weight of the kind; how closely the pattern fits; the last change.`,
      '',
    );
    if (beyond > 0)
      lines.push(
        `\\* beyond the ${settings.perCall} that an agent is given at once (\`caps.per_call\`).`,
        '',
      );
  }
  lines.push(
    ...section(
      'Left out',
      'These match, and a rule keeps them back.',
      withheld.map(({ match, why }) => `- ${idOf(match)} ${summary(match)}: *${escapeMarkdown(why)}*`),
    ),
    ...section(
      'Near misses',
      'These do not match, though not by much.',
      nearMisses.map(({ match, why }) => `- ${idOf(match)} ${summary(match)}: *${escapeMarkdown(why)}*`),
    ),
    ...section(
      'Patterns that match no file',
      'Of the learnings above. What they meant has been removed or renamed, or is ignored by git.',
      deadGlobs.map(({ match, pattern }) => `- ${idOf(match)} ${codeSpan(pattern)}`),
    ),
  );
  return `${lines.join('\n').trimEnd()}\n`;
}

function cut(rows: readonly string[]): readonly string[] {
  if (rows.length <= MAX_ROWS) return rows;
  const isTable = rows[0]?.startsWith('|') === true;
  const more = `… ${rows.length - MAX_ROWS} more`;
  return [...rows.slice(0, MAX_ROWS), isTable ? `| | ${more} |` : `- ${more}`];
}

/** A file named whole has more than any pattern can reach; how much more tells nobody anything. */
const fit = (specificity: number): string => (specificity >= 10_000 ? 'exact' : String(specificity));

const many = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;
