import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { recordYaml, votesJson, type SyntheticRecord } from '../bench/synthetic';
import { dice } from '../test/torture/random';

const rules = [
  ['Never round', 'before the last step; the error adds up over a year'],
  ['Do not cache', 'across stations; two harbours share a name'],
  ['Read', 'once at the start, or a slow disk stalls every request'],
  ['Keep', 'sorted by time; the search relies on it'],
  ['Ask before you change', 'since the harbour office parses it by column'],
  ['Compare', 'with the reference table, not with the last release'],
  ['Log', 'without the position; boats do not want to be found'],
  ['Do not split', 'over two files; it was tried twice and undone twice'],
  ['Test', 'at the turn of the year, where the node factors jump'],
  ['Leave', 'as it is; the duplication is on purpose'],
] as const;
const subjects = [
  'the phase of a constituent',
  'the window of a request',
  'the station catalogue',
  'the list of extrema',
  'the export for chart plotters',
  'the datum offsets',
  'the answer for a whole year',
  'the order of the migrations',
  'the reference heights',
  'the headers of a response',
] as const;
const reasons = [
  'It cost a release and a weekend.',
  'A pilot noticed before we did.',
  'Nothing failed, and the heights were wrong by a hand.',
  'It was found again in review three times.',
] as const;
const tags = ['datum', 'http', 'caching', 'testing', 'deployment', 'performance'] as const;

/** Fills a project with as many learnings as a team has after some years, the same ones every time. */
export function writeMadeUpStore(project: string, count: number): void {
  const chance = dice(7);
  const pick = <T>(items: readonly T[]): T => items[chance.roll(items.length)] as T;
  const files = filesBelow(project);
  const pattern = (): string => {
    const file = pick(files);
    const folder = file.split('/').slice(0, -1).join('/');
    const roll = chance.roll(10);
    if (roll < 5 || folder === '') return file;
    return roll < 8 ? `${folder}/**` : `${folder}/*.ts`;
  };
  for (let number = 1; number <= count; number++) {
    const [start, end] = pick(rules);
    const record: SyntheticRecord = {
      paths: Array.from({ length: 1 + chance.roll(2) }, pattern),
      tags: [pick(tags)],
      summary: `${start} ${pick(subjects)} ${end}.`,
      rationale: pick(reasons),
      body: pick(reasons),
      priority: chance.roll(6) === 0 ? chance.roll(5) : 0,
      votes: chance.roll(6) === 0 ? 1 + chance.roll(4) : 0,
    };
    const id = `L-${String(number).padStart(4, '0')}`;
    const folder = join(project, '.learnings', id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'learning.yaml'), recordYaml(id, record));
    if (record.votes > 0) writeFileSync(join(folder, 'votes.jsonl'), votesJson(id, record));
  }
}

function filesBelow(project: string): string[] {
  return readdirSync(project, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(project.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((path) => !path.startsWith('.'))
    .toSorted();
}
