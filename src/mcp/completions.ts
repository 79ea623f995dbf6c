import { listWorkingFiles } from '../core/api';
import { nodePorts } from '../node/open';
import { FILE_TEMPLATE, LEARNING_TEMPLATE } from './address';
import type { DeskWorld } from './desk';
import { listResources } from './resources';

/** As many as the protocol allows. */
const MAX_VALUES = 100;

interface Completion {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

type Reference =
  | { readonly type: 'ref/resource'; readonly uri: string }
  | { readonly type: 'ref/prompt'; readonly name: string };

/** What may stand for an argument of a template or prompt, as far as it has been written. */
export async function complete(
  world: DeskWorld,
  reference: Reference,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<Completion> {
  const isId = reference.type === 'ref/resource' && reference.uri === LEARNING_TEMPLATE && name === 'id';
  const isFile = reference.type === 'ref/resource' && reference.uri === FILE_TEMPLATE;
  if (isId) return fitting(idsIn(world), value);
  if (!isFile && name !== 'path' && name !== 'paths') return fitting([], value);
  // Of a list, the last is being written.
  const [, before = '', last = ''] = /^(.*,\s*)?(.*)$/s.exec(name === 'paths' ? value : `,${value}`) ?? [];
  const kept = name === 'paths' ? before : '';
  const { values, ...counts } = fitting(await filesIn(world), last);
  return { ...counts, values: values.map((one) => kept + one) };
}

const idsIn = (world: DeskWorld): string[] =>
  listResources(world)
    .slice(1)
    .map(({ name }) => name);

async function filesIn({ stores }: DeskWorld): Promise<string[]> {
  const lists = await Promise.all(
    stores.map(({ learnings: { root } }) => {
      const { files, git } = nodePorts(root);
      return listWorkingFiles({ files, git });
    }),
  );
  return [...new Set(lists.flat())].filter((path) => !path.startsWith('.learnings/'));
}

/** Those that begin so before those that have it anywhere. */
function fitting(all: readonly string[], written: string): Completion {
  const wanted = written.toLowerCase();
  const having = all.filter((one) => one.toLowerCase().includes(wanted)).toSorted();
  const isFirst = (one: string): boolean => one.toLowerCase().startsWith(wanted);
  const values = [...having.filter(isFirst), ...having.filter((one) => !isFirst(one))];
  return { values: values.slice(0, MAX_VALUES), total: values.length, hasMore: values.length > MAX_VALUES };
}
