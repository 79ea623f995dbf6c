import * as z from 'zod';

import { LearningsError } from '../errors';
import type { Session } from '../deliver/session';
import { nameOf, type Held, type Learnings } from '../learnings';
import type { Git, Journal } from '../ports';
import type { Store } from '../store/store';

/** One repository that a tool can look into. */
export interface ToolStore {
  readonly learnings: Learnings;
  /** For changes; throws where nothing may be written, and says why. */
  writer(): Store;
  readonly git: Pick<Git, 'branch' | 'userName'>;
  /** What the asking agent's session was given; undefined if it is not known which session asks. */
  readonly session: Session | undefined;
  readonly receipts: Journal;
  /** Whether something that the learning depends on has changed since. */
  isOutdated(held: Held): Promise<boolean>;
}

/** Who asks, and about what. */
export interface ToolWorld {
  /** One for each open repository. */
  readonly stores: readonly ToolStore[];
  /** The agent family, such as `claude-code`. */
  readonly agent: string;
  readonly sessionId?: string | undefined;
  readonly now: () => Date;
}

/** A tool that a model can call, the same on every surface. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Says to the model when to call it. */
  readonly description: string;
  /** Says to a person what it does. */
  readonly userDescription: string;
  readonly readOnly: boolean;
  /** JSON Schema of the input. */
  readonly inputSchema: object;
  /** What a person is asked before it is run; undefined if it changes nothing. */
  confirmation(input: unknown): string | undefined;
  /** Runs it and gives the text for the model. Throws a LearningsError that says what to do next. */
  run(world: ToolWorld, input: unknown): Promise<string>;
}

interface Definition<S extends z.ZodType> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly userDescription: string;
  /** Made when it is first wanted: the start of a host has no time for it. */
  readonly input: () => S;
  /** What to pass, for a model that passed something else. */
  readonly usage: string;
  readonly confirm?: (input: z.output<S>) => string;
  readonly run: (world: ToolWorld, input: z.output<S>) => Promise<string>;
}

export function defineTool<S extends z.ZodType>(definition: Definition<S>): Tool {
  const { name, title, description, userDescription, usage, confirm } = definition;
  let made: S | undefined;
  const schema = (): S => (made ??= definition.input());
  return {
    name,
    title,
    description,
    userDescription,
    readOnly: confirm === undefined,
    get inputSchema() {
      return z.toJSONSchema(schema(), { io: 'input' });
    },
    confirmation(input) {
      const parsed = schema().safeParse(input ?? {});
      return parsed.success ? confirm?.(parsed.data) : undefined;
    },
    async run(world, input) {
      const parsed = schema().safeParse(input ?? {});
      if (!parsed.success)
        throw new LearningsError('input-invalid', `${z.prettifyError(parsed.error)}\n${usage}`);
      return definition.run(world, parsed.data);
    },
  };
}

// Copilot Chat moves a longer result into a file and shows the model a pointer to it.
export const MAX_RESULT_CHARS = 7900;

export const idInput = z.string().min(1).describe('Its id, such as L-0001.');
export const repositoryInput = z
  .string()
  .optional()
  .describe('Only where several repositories are open: the folder name of the one that is meant.');

/** The repository that is meant, where there may be several. */
export function storeOf(
  { stores }: ToolWorld,
  {
    repository,
    paths = [],
  }: { readonly repository?: string | undefined; readonly paths?: readonly string[] | undefined },
): ToolStore {
  const named = stores.filter(
    ({ learnings }) => repository === undefined || folderOf(learnings) === repository,
  );
  const [only, ...others] = named;
  if (only && others.length === 0) return only;
  const around = named.find(({ learnings: { root } }) => paths.some((path) => path.startsWith(`${root}/`)));
  if (around) return around;
  throw new LearningsError(
    stores.length === 0 ? 'no-store' : 'input-invalid',
    stores.length === 0
      ? 'There is no .learnings folder here, so nothing has been recorded. Go on without.'
      : `Which repository? Pass repository as one of: ${stores.map(({ learnings }) => folderOf(learnings)).join(', ')}.`,
  );
}

/** A learning by its id, in whichever repository has it. */
export function findHeld(
  world: ToolWorld,
  { id, repository }: { readonly id: string; readonly repository?: string | undefined },
): { readonly store: ToolStore; readonly held: Held; readonly name: string } {
  const stores = repository === undefined ? world.stores : [storeOf(world, { repository })];
  const found = stores.flatMap((store) => {
    const held = store.learnings.get(id);
    return held ? [{ store, held, name: nameOf(held.origin, held.record) }] : [];
  });
  const [first, ...others] = found;
  if (!first) {
    const broken = stores
      .flatMap(({ learnings }) => learnings.problems())
      .find(({ file }) => file.includes(`/${id}/`));
    throw new LearningsError(
      'not-found',
      broken
        ? `${id} cannot be read: ${broken.file}:${broken.line}: ${broken.message}. ${broken.hint}`
        : `No learning ${id}. Call find_learnings with a path or a query to see what there is.`,
    );
  }
  return others.length === 0 ? first : { ...first, store: storeOf(world, {}) };
}

const folderOf = ({ root }: Learnings): string => root.slice(root.search(/[^/\\]+$/));
