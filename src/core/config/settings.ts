/**
 * What a value may be, or what it would have to be. By hand and not by the schema library, which takes longer to load
 * than a hook may take in all.
 */
interface Check {
  /** Undefined if the value is one of these. */
  refuse(value: unknown): string | undefined;
  /** All that it may be, where that can be listed. */
  readonly values?: readonly unknown[];
  readonly isList?: boolean;
}

const positive: Check = {
  refuse: (value) =>
    Number.isSafeInteger(value)
      ? (value as number) < 1
        ? 'must be at least 1'
        : undefined
      : 'must be a whole number',
};
const days: Check = {
  refuse: (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? value < 0
        ? 'must not be negative'
        : undefined
      : 'must be a number of days',
};
const daysOrNever: Check = { refuse: (value) => (value === null ? undefined : days.refuse(value)) };
const onOff: Check = {
  refuse: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  values: [true, false],
};
const oneOf = (...values: readonly string[]): Check => ({
  refuse: (value) => (values.some((one) => one === value) ? undefined : `must be ${values.join(' or ')}`),
  values,
});
const folders: Check = {
  refuse: (value) => {
    if (!Array.isArray(value)) return 'must be a list of folders';
    return value.every((one) => typeof one === 'string' && one !== '') ? undefined : 'must be a folder';
  },
  isList: true,
};

interface Definition<T> {
  readonly check: Check;
  readonly default: T;
  readonly environment: string;
  readonly help: string;
}
const define = <T>(
  environment: string,
  check: Check,
  { otherwise, help }: { otherwise: T; help: string },
): Definition<T> => ({ environment, check, default: otherwise, help });

/** Every setting, once: its key in config.yaml, its environment variable, what it may be and what it is unless said. */
export const definitions = {
  enabled: define('LEARNINGS_ENABLED', onOff, {
    otherwise: true,
    help: 'whether anything is delivered; off deletes nothing',
  }),
  scope: define('LEARNINGS_SCOPE', oneOf('local', 'global'), {
    otherwise: 'global',
    help: 'global: personal and extended learnings reach this repository; local: its own alone',
  }),
  max_age_days: define('LEARNINGS_MAX_AGE_DAYS', daysOrNever, {
    otherwise: null as number | null,
    help: 'learnings not touched for longer are not delivered; null: none is too old',
  }),
  extends: define('LEARNINGS_EXTENDS', folders, {
    otherwise: [] as readonly string[],
    help: 'further folders with learnings, relative to the root',
  }),
  'caps.per_call': define('LEARNINGS_PER_CALL_CAP', positive, {
    otherwise: 5,
    help: 'learnings given at once',
  }),
  'caps.per_session': define('LEARNINGS_SESSION_CAP', positive, {
    otherwise: 20,
    help: 'learnings given in one session of an agent',
  }),
  'caps.block_bytes': define('LEARNINGS_BLOCK_BYTES', positive, {
    otherwise: 24_576,
    help: 'size of one block of text given to an agent',
  }),
  'caps.row_chars': define('LEARNINGS_ROW_CHARS', positive, {
    otherwise: 2000,
    help: 'length of one learning in such a block',
  }),
  'caps.prompt_tokens': define('LEARNINGS_PROMPT_TOKENS', positive, {
    otherwise: 200,
    help: 'size of what is added to a prompt',
  }),
  vote_half_life_days: define('LEARNINGS_VOTE_HALF_LIFE_DAYS', days, {
    otherwise: 180,
    help: 'after so many days a vote counts half; 0: votes do not age',
  }),
  promote_after_days: define('LEARNINGS_PROMOTE_AFTER_DAYS', daysOrNever, {
    otherwise: 7,
    help: 'a candidate that nobody rejected becomes a learning; null: never',
  }),
  'inject.prompt': define('LEARNINGS_INJECT_PROMPT', onOff, {
    otherwise: true,
    help: 'deliver with prompts that ask for code',
  }),
  'inject.read': define('LEARNINGS_INJECT_READ', onOff, {
    otherwise: true,
    help: 'deliver when an agent reads a file',
  }),
  'inject.write': define('LEARNINGS_INJECT_WRITE', onOff, {
    otherwise: true,
    help: 'deliver when an agent writes a file',
  }),
  'inject.verify': define('LEARNINGS_INJECT_VERIFY', onOff, {
    otherwise: false,
    help: "hold an agent's first write once where a learning of priority 100 or more applies, so that it is read before",
  }),
};

type Definitions = typeof definitions;
export type SettingKey = keyof Definitions;
/** What holds here, every setting by its key in config.yaml. */
export type Settings = { readonly [Key in SettingKey]: Definitions[Key]['default'] };
type Source = 'environment' | 'editor' | 'config.yaml' | 'default';

export const settingKeys = Object.keys(definitions) as SettingKey[];
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(definitions, key);

export interface Resolved {
  readonly settings: Settings;
  readonly sources: Readonly<Record<SettingKey, Source>>;
  /** Environment variables that hold what their setting cannot be; they are passed over. */
  readonly refused: readonly { readonly variable: string; readonly message: string }[];
}

interface Layers {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The editor's settings, by our keys. */
  readonly editor?: Partial<Settings>;
  readonly config?: Partial<Settings>;
}

/** Environment over editor over config.yaml over default. */
export function resolveSettings({ environment = {}, editor = {}, config = {} }: Layers): Resolved {
  const settings: Record<string, unknown> = {};
  const sources: Record<string, Source> = {};
  const refused: { variable: string; message: string }[] = [];
  for (const key of settingKeys) {
    const { environment: variable } = definitions[key];
    const text = environment[variable];
    const parsed = text === undefined || text === '' ? undefined : parseSetting(key, text);
    if (parsed && 'message' in parsed) refused.push({ variable, message: parsed.message });
    const layers: [Source, unknown][] = [
      ['environment', parsed && 'value' in parsed ? parsed.value : undefined],
      ['editor', editor[key]],
      ['config.yaml', config[key]],
      ['default', definitions[key].default],
    ];
    const [source, value] = layers.find(([, candidate]) => candidate !== undefined) ?? ['default', undefined];
    settings[key] = value;
    sources[key] = source;
  }
  return { settings: settings as Settings, sources: sources as Resolved['sources'], refused };
}

const words = new Map<string, unknown>([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0'].map((word) => [word, false] as const),
  ...['null', 'never', 'none'].map((word) => [word, null] as const),
]);

/** A setting that was written as plain text, on a command line or in the environment. */
export function parseSetting(key: SettingKey, text: string): { value: unknown } | { message: string } {
  if (text.trim() === '') return { message: 'must not be blank' };
  const readings = [text, Number(text), words.get(text.toLowerCase()), text.split(',').filter(Boolean)];
  for (const reading of readings) {
    const result = checkSetting(key, reading);
    if ('value' in result) return result;
  }
  const list = key === 'extends';
  return checkSetting(key, list || Number.isNaN(Number(text)) ? text : Number(text));
}

/** A value for a setting, or what it would have to be. */
export function checkSetting(key: SettingKey, value: unknown): { value: unknown } | { message: string } {
  const message = definitions[key].check.refuse(value);
  return message === undefined ? { value } : { message };
}
