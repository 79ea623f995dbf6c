import * as z from 'zod';

import { LearningsError } from '../errors';
import { once } from '../once';
import type { FileSystem } from '../ports';
import { parseChecked, type Checked } from '../yaml/checked';
import { problemAt, type Problem } from '../yaml/problem';
import { checkSetting, isSettingKey, settingKeys, type Settings } from './settings';

export const CONFIG = '.learnings/config.yaml';
export const TAGS = '.learnings/tags.yaml';

export interface Config {
  /** What config.yaml sets, and can be used. */
  readonly values: Partial<Settings>;
  /** What each tag of tags.yaml means. */
  readonly tags: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  /** A problem of config.yaml, where the value at a path of keys stands. */
  readonly at: NonNullable<Checked<unknown>['at']>;
}

const nowhere: Config['at'] = (_, problem) => problemAt('', CONFIG)(0, problem);

export const emptyConfig: Config = { values: {}, tags: new Map(), problems: [], at: nowhere };

const notPlain = {
  code: 'symlink',
  message: 'not a plain file',
  hint: 'Links are not followed: put the file itself here.',
} as const;

/** Reads config.yaml and tags.yaml. A value that is wrong costs that value alone. */
export async function readConfig(files: FileSystem): Promise<Config> {
  const stats = await files.statAll([CONFIG, TAGS]);
  const problems: Problem[] = [];
  const read = async (file: string, stat: (typeof stats)[number]): Promise<Uint8Array | undefined> => {
    const refuse = (problem: Pick<Problem, 'code' | 'message' | 'hint'>): undefined => {
      problems.push(problemAt('', file)(0, problem));
      return undefined;
    };
    if (stat === undefined) return undefined;
    if (!(stat instanceof LearningsError) && stat.kind !== 'file') return refuse(notPlain);
    const [bytes] = stat instanceof LearningsError ? [stat] : await files.readAll([file]);
    if (!(bytes instanceof LearningsError)) return bytes;
    return refuse({
      code: 'unreadable',
      message: bytes.message,
      hint: 'Check the file and its permissions.',
    });
  };
  const config = await read(CONFIG, stats[0]);
  const tags = await read(TAGS, stats[1]);
  const { values, at, problems: wrong } = config ? parseConfig(config) : emptyConfig;
  const known = tags ? parseTags(tags) : emptyConfig;
  return { values, at, tags: known.tags, problems: [...problems, ...wrong, ...known.problems] };
}

const hint = 'docs/records.md lists every key of config.yaml and what it may hold.';
const anyMap = once(() => z.record(z.string(), z.unknown()).nullable());

/** `isMap` is false of a text that no key can be set in. */
export function parseConfig(bytes: Uint8Array): Omit<Config, 'tags'> & { readonly isMap: boolean } {
  const { value, problems, at } = parseChecked(bytes, CONFIG, {
    schema: anyMap(),
    what: 'a configuration: a map of keys such as enabled and caps',
    hint,
  });
  if (!value || !at) return { values: {}, problems, at: nowhere, isMap: value === null };
  const found: Problem[] = [...problems];
  const values: Record<string, unknown> = {};
  if (value['version'] !== undefined && value['version'] !== 1) {
    found.push(at(['version'], { code: 'schema', message: 'version must be 1', hint }));
  }
  for (const [path, item] of leaves(value)) {
    const key = path.join('.');
    if (key === 'version') continue;
    if (!isSettingKey(key)) {
      const message = `${key} is not a setting`;
      const near = settingKeys.find((known) => known.endsWith(`.${key}`));
      const nearHint = near ? `It belongs below ${near.split('.')[0] ?? ''}: ${near}.` : hint;
      found.push(at(path, { code: 'schema', severity: 'warning', message, hint: nearHint }));
      continue;
    }
    const checked = checkSetting(key, item);
    if ('value' in checked) values[key] = checked.value;
    else found.push(at(path, { code: 'schema', message: `${key} ${checked.message}`, hint }));
  }
  return { values, problems: found, at, isMap: true };
}

/** The settings that a map holds, those of a group such as `caps` one by one. */
function leaves(value: Record<string, unknown>): [path: string[], item: unknown][] {
  return Object.entries(value).flatMap(([key, item]) =>
    settingKeys.some((known) => known.startsWith(`${key}.`)) && typeof item === 'object' && item !== null
      ? Object.entries(item).map(([inner, deep]): [string[], unknown] => [[key, inner], deep])
      : [[[key], item] as [string[], unknown]],
  );
}

const tagMeaning = once(() =>
  z
    .string('must be a line that says what the tag means')
    .max(200, 'is longer than 200 characters')
    .regex(/^[^\n]*$/, 'must be one line'),
);

export function parseTags(bytes: Uint8Array): Pick<Config, 'tags' | 'problems'> {
  const { value, problems, at } = parseChecked(bytes, TAGS, {
    schema: anyMap(),
    what: 'a list of tags: a map of tag to one line that says what it means',
    hint: 'Write one line for each tag, such as "performance: Speed, memory and size."',
  });
  const found: Problem[] = [...problems];
  const tags = new Map<string, string>();
  for (const [tag, meaning] of Object.entries(value ?? {})) {
    const checked = tagMeaning().safeParse(meaning);
    if (checked.success) tags.set(tag, checked.data);
    else if (at) {
      const message = `${tag} ${checked.error.issues[0]?.message ?? 'is wrong'}`;
      found.push(at([tag], { code: 'schema', message, hint: 'Write "tag: what it means" on one line.' }));
    }
  }
  return { tags, problems: found };
}
