import { dice } from '../test/torture/random';

/** Made-up stores and paths, the same for the same seed. */
export interface SyntheticRecord {
  readonly paths: readonly string[];
  readonly tags: readonly string[];
  readonly symbols?: readonly string[];
  readonly summary: string;
  readonly rationale: string;
  readonly body: string;
  readonly priority: number;
  readonly votes: number;
}

const roots = ['src', 'lib', 'packages', 'apps', 'crates', 'test', 'tools', 'docs'];
const extensions = ['.ts', '.tsx', '.rs', '.py', '.md', '.json', '.css', '.go', '.sql', '.yaml'];

/** A repository whose folders grow with the number of records, as those of large teams do. */
export function syntheticStore(count: number, seed = 1): { records: SyntheticRecord[]; files: string[] } {
  const chance = dice(seed);
  const pick = <T>(list: readonly T[]): T => list[chance.roll(list.length)] as T;
  const folders = Array.from({ length: Math.max(30, Math.round(count / 3)) }, (_, index) => {
    const depth = 1 + chance.roll(4);
    const names = Array.from({ length: depth }, () => word(chance.roll(400)));
    return [pick(roots), ...names, `${word(index)}${index}`].join('/');
  });
  const file = (): string =>
    `${pick(folders)}/${word(chance.roll(2000))}${pick(['', '.test', '-impl'])}${pick(extensions)}`;
  const files = Array.from({ length: 2000 }, file);
  const pattern = (): string => {
    const roll = chance.roll(1000);
    if (roll < 400) return pick(files);
    if (roll < 620) return `${pick(folders)}/**`;
    if (roll < 760) return `${pick(folders)}/**/*${pick(extensions)}`;
    if (roll < 840) return `${pick(folders)}/*${pick(extensions)}`;
    if (roll < 900) return `${pick(folders)}/{${word(chance.roll(50))},${word(chance.roll(50))}}/**`;
    if (roll < 940) return `**/${word(chance.roll(2000))}${pick(extensions)}`;
    if (roll < 970) return `**/${word(chance.roll(400))}/**`;
    if (roll < 995) return `${pick(folders)}/**/${word(chance.roll(300))}*${pick(extensions)}`;
    return `**/*${word(chance.roll(2000))}${pick(extensions)}`;
  };
  const records = Array.from({ length: count }, (_, index): SyntheticRecord => {
    const paths = Array.from({ length: 1 + chance.roll(3) }, pattern);
    if (index < 3) paths.push(pick(['**', '**/*.ts', '**/*.md']));
    if (chance.roll(12) === 0) paths.push('!**/*.generated.ts');
    return {
      paths,
      tags: Array.from({ length: chance.roll(3) }, () => word(chance.roll(60))),
      summary: sentence(chance, 12),
      rationale: sentence(chance, 25),
      body: Array.from({ length: 1 + chance.roll(3) }, () => sentence(chance, 30)).join('\n\n'),
      priority: chance.roll(10) === 0 ? chance.roll(5) : 0,
      votes: chance.roll(8) === 0 ? 1 + chance.roll(4) : 0,
    };
  });
  return { records, files };
}

const syllables = [
  'ta',
  'ri',
  'mo',
  'ken',
  'sol',
  'ver',
  'pa',
  'lin',
  'do',
  'cra',
  'shi',
  'bel',
  'nor',
  'fu',
  'gam',
  'zet',
];

/** The same word for the same number. */
function word(number: number): string {
  let text = '';
  for (let rest = number + 16; rest > 0; rest = Math.floor(rest / 16)) text += syllables[rest % 16] ?? '';
  return text;
}

/** Few words are common and most are rare, as in what people write. */
function sentence(chance: ReturnType<typeof dice>, length: number): string {
  const words = Array.from({ length }, () =>
    word(Math.floor(20_000 * Math.pow(chance.roll(10_000) / 10_000, 4))),
  );
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** A record as a team would have it on disk. */
export function recordYaml(id: string, record: SyntheticRecord): string {
  const { symbols = [] } = record;
  const list = (items: readonly string[]): string => items.map((item) => `    - "${item}"\n`).join('');
  return `id: ${id}
schemaVersion: 1
status: active
kind: rule
priority: ${record.priority}
created_at: 2026-01-01T00:00:00Z
updated_at: 2026-01-01T00:00:00Z
created_by: Ada
scope:
  paths:
${list(record.paths)}${record.tags.length > 0 ? `  tags: [${record.tags.join(', ')}]\n` : ''}${symbols.length > 0 ? `  symbols: [${symbols.join(', ')}]\n` : ''}summary: ${record.summary}
rationale: ${record.rationale}
body: |
${record.body.replaceAll(/^(?=.)/gm, '  ')}
evidence:
  - kind: task
    ref: T-${id}
`;
}

export function votesJson(id: string, { votes }: SyntheticRecord): string {
  return Array.from({ length: votes }, (_, index) => {
    const vote = {
      learning_id: id,
      voter_model: `v${index}`,
      voted_at: `2026-0${index + 1}-01T00:00:00Z`,
      task_id: 'T',
    };
    return `${JSON.stringify(vote)}\n`;
  }).join('');
}
