import { CONFIG, TAGS } from '../config/config';
import { definitions, settingKeys } from '../config/settings';
import { once } from '../once';
import { recordJsonSchema } from '../record/schema';
import { isRecordFile, STORE } from '../store/layout';
import type { Step } from '../yaml/cursor';

/** The files of a store that people write by hand. */
export type StoreFile = 'record' | 'config' | 'tags';

/** Which of them a path below the root is. */
export function storeFileOf(path: string): StoreFile | undefined {
  if (path === CONFIG) return 'config';
  if (path === TAGS) return 'tags';
  return path.startsWith(`${STORE}/`) && isRecordFile(path) ? 'record' : undefined;
}

/** What a key means and may hold. */
export interface KeyInfo {
  readonly name: string;
  readonly help: string;
  /** All that it may be, if that can be listed. */
  readonly values: readonly string[];
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** What may be below it; of a list, in each of its items. */
  readonly keys: readonly KeyInfo[];
}

/** The parts of JSON Schema that ours are made of. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Made when they are first wanted; the keys of tags.yaml are anybody's choice. */
const keysOf: Readonly<Record<StoreFile, () => readonly KeyInfo[]>> = {
  record: once(recordKeys),
  config: once(configKeys),
  tags: () => [],
};

/** The keys that the map at a path may have. */
export function keysBelow(file: StoreFile, path: readonly Step[]): readonly KeyInfo[] {
  const names = path.filter((step) => typeof step === 'string');
  return names.reduce<readonly KeyInfo[]>(
    (keys, name) => keys.find((key) => key.name === name)?.keys ?? [],
    keysOf[file](),
  );
}

/** The key at a path, or the list that an item is in. */
export function keyAt(file: StoreFile, path: readonly Step[]): KeyInfo | undefined {
  const names = path.filter((step) => typeof step === 'string');
  return keysBelow(file, names.slice(0, -1)).find(({ name }) => name === names.at(-1));
}

function recordKeys(): readonly KeyInfo[] {
  return [
    ...fromProperties(recordJsonSchema()),
    plainKey('archived', 'When and why it was put away; written by the store.'),
  ];
}

function configKeys(): readonly KeyInfo[] {
  const keys: KeyInfo[] = [{ ...plainKey('version', 'The version of this format: 1.'), values: ['1'] }];
  for (const name of settingKeys) {
    const { check, help, default: otherwise } = definitions[name];
    const text = `${help[0]?.toUpperCase() ?? ''}${help.slice(1)}. Unless said: ${JSON.stringify(otherwise)}.`;
    const [group, inner] = name.split('.', 2);
    const info: KeyInfo = {
      ...plainKey(inner ?? name, text),
      values: (check.values ?? []).map(String),
      isList: check.isList ?? false,
    };
    const of = keys.findIndex((key) => key.name === group && inner !== undefined);
    const before = keys[of];
    if (inner === undefined || group === undefined) keys.push(info);
    else if (before) keys[of] = { ...before, keys: [...before.keys, info] };
    else keys.push({ ...plainKey(group, groups[group] ?? ''), keys: [info] });
  }
  return keys;
}

const groups: Readonly<Record<string, string>> = {
  caps: 'How much is given at most.',
  inject: 'When learnings are given to agents.',
};

const plainKey = (name: string, help: string): KeyInfo => ({
  name,
  help,
  values: [],
  isList: false,
  isRequired: false,
  keys: [],
});

function fromProperties({ properties = {}, required = [] }: Schema): KeyInfo[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...fromSchema(name, schema, schema.description ?? ''),
    isRequired: required.includes(name),
  }));
}

function fromSchema(name: string, schema: Schema, help: string): KeyInfo {
  const readings = readingsOf(schema);
  const list = readings.find(({ items }) => items);
  const isList = list !== undefined && readings.every(({ type }) => type === 'array' || type === 'null');
  return {
    ...plainKey(name, help),
    isList,
    values: readings.flatMap(valuesOf),
    keys: readings.flatMap((one) => fromProperties(one.items ?? one)),
  };
}

/** The alternatives of a schema, one by one. */
function readingsOf(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf.flatMap(readingsOf);
  return typeof schema.type === 'object' ? schema.type.map((type) => ({ ...schema, type })) : [schema];
}

function valuesOf(schema: Schema): string[] {
  if (schema.enum) return [...schema.enum];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  return schema.type === 'boolean' ? ['true', 'false'] : [];
}
