import {
  LearningsError,
  nameOf,
  oneLine,
  renderMarkdown,
  statuses,
  writeReceipt,
  type Held,
  type ToolStore,
} from '../core/api';
import { pageAboutFile } from './about';
import { addressOf, FILE_TEMPLATE, LEARNING_TEMPLATE, parseAddress, STATUS, type Address } from './address';
import { storesIn, type DeskWorld } from './desk';

interface Listed {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

interface Content {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

const MAX_PROBLEMS = 50;

/** Everything that can be read without knowing its name: the status, and the learnings that hold. */
export function listResources({ stores }: DeskWorld): readonly Listed[] {
  const learnings = stores.flatMap((store) =>
    store.learnings.list('active').map(({ record, origin }) => ({
      uri: addressOf(nameOf(origin, record), stores.length > 1 ? store.learnings.root : undefined),
      name: nameOf(origin, record),
      title: oneLine(record.summary, 120),
      description: oneLine([record.kind, ...record.scope.paths, ...record.scope.tags].join(', '), 200),
      mimeType: 'text/markdown',
    })),
  );
  return [
    {
      uri: STATUS,
      name: 'status',
      title: 'Project learnings: status',
      description: 'Stores, counts, problems, caps, and what this session was given',
      mimeType: 'application/json',
    },
    ...learnings,
  ];
}

export const resourceTemplates = [
  {
    uriTemplate: LEARNING_TEMPLATE,
    name: 'learning',
    title: 'A learning',
    description: 'One learning whole, by its id, such as L-0001',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: FILE_TEMPLATE,
    name: 'file',
    title: 'Learnings about a file',
    description: 'What is recorded about a file, and why; the path is relative to the repository or absolute',
    mimeType: 'text/markdown',
  },
] as const;

/** What a client asked for, which is noted as delivered. */
export async function readResource(world: DeskWorld, uri: string): Promise<Content> {
  return render(world, uri, { isDelivery: true });
}

/** The same to compare with what it was before. */
export async function previewResource(world: DeskWorld, uri: string): Promise<Content> {
  return render(world, uri, { isDelivery: false });
}

async function render(
  world: DeskWorld,
  uri: string,
  { isDelivery }: { isDelivery: boolean },
): Promise<Content> {
  const address = parseAddress(uri);
  switch (address?.kind) {
    case 'status':
      return { uri, mimeType: 'application/json', text: `${JSON.stringify(statusOf(world), null, 2)}\n` };
    case 'file': {
      const question = { world, stores: storesIn(world), paths: [address.path] };
      const text = await pageAboutFile(question, isDelivery ? 'resource' : undefined);
      return { uri, mimeType: 'text/markdown', text };
    }
    case 'learning': {
      const { store, held } = findLearning(world, address);
      if (isDelivery) noteOpened(world, store, held);
      return { uri, mimeType: 'text/markdown', text: await pageOf(store, held) };
    }
    case undefined:
      throw new LearningsError(
        'not-found',
        `${uri} is no resource of this server. There are ${STATUS}, ${LEARNING_TEMPLATE} and ${FILE_TEMPLATE}.`,
      );
  }
}

function findLearning(
  world: DeskWorld,
  { id, repository }: Extract<Address, { kind: 'learning' }>,
): { store: ToolStore; held: Held } {
  const all = storesIn(world);
  const stores = repository === undefined ? all : all.filter((store) => isCalled(store, repository));
  // Clients treat what stands there as a host, and may write it in small letters.
  const names = [id, id.toUpperCase()];
  const found = stores.flatMap((store) => {
    const held = names.map((name) => store.learnings.get(name)).find((one) => one !== undefined);
    return held ? [{ store, held }] : [];
  });
  const [first, second] = found;
  if (first && second) {
    const addresses = found.map(({ store }) => addressOf(id, store.learnings.root));
    throw new LearningsError('input-invalid', `Several repositories have ${id}: ${addresses.join(', ')}.`);
  }
  if (first) return first;
  throw new LearningsError('not-found', `No learning ${id}. List the resources, or call find_learnings.`);
}

const isCalled = ({ learnings }: ToolStore, repository: string): boolean =>
  learnings.root.endsWith(`/${repository}`) || learnings.root.endsWith(`\\${repository}`);

/** A record as Markdown, under what has become of it. */
async function pageOf(store: ToolStore, held: Held): Promise<string> {
  const whole = await store.learnings.read(nameOf(held.origin, held.record));
  if (!whole) throw new LearningsError('not-found', `${held.file} cannot be read any more.`);
  const { status, record, votes } = whole;
  const warning =
    status === 'superseded'
      ? `> Superseded by ${record.supersededBy ?? 'another'}: history, not to be followed.\n\n`
      : status === 'archived'
        ? '> Archived: history, not to be followed.\n\n'
        : status === 'candidate'
          ? '> A candidate: nobody has confirmed it yet.\n\n'
          : (await store.isOutdated(whole))
            ? '> Something that it depends on has changed since; check it before you follow it.\n\n'
            : '';
  return warning + renderMarkdown(record, votes.length);
}

function noteOpened({ now, sessionId, agent }: DeskWorld, { receipts }: ToolStore, held: Held): void {
  writeReceipt(receipts, {
    at: now().toISOString(),
    did: 'opened',
    ids: [nameOf(held.origin, held.record)],
    session: sessionId,
    agent,
  });
}

function statusOf({ stores, folders, agent, sessionId }: DeskWorld): object {
  return {
    session: { id: sessionId, agent },
    ...(stores.length === 0 && { note: 'There is no .learnings folder here.', folders }),
    stores: stores.map(({ learnings, session }) => {
      const { settings } = learnings.settings();
      const problems = learnings.problems();
      const { root } = learnings;
      return {
        root,
        enabled: settings.enabled,
        learnings: Object.fromEntries(statuses.map((status) => [status, learnings.list(status).length])),
        also: learnings
          .origins()
          .filter(({ kind }) => kind !== 'repository')
          .map(({ kind, name, root: place }) => ({ kind, name, root: place })),
        caps: {
          per_call: settings['caps.per_call'],
          per_session: settings['caps.per_session'],
          block_bytes: settings['caps.block_bytes'],
          row_chars: settings['caps.row_chars'],
          prompt_tokens: settings['caps.prompt_tokens'],
        },
        given_in_this_session: [...(session?.given() ?? [])],
        problems: problems
          .slice(0, MAX_PROBLEMS)
          .map(({ file, line, severity, message, hint }) => ({ file, line, severity, message, hint })),
        ...(problems.length > MAX_PROBLEMS && { more_problems: problems.length - MAX_PROBLEMS }),
      };
    }),
  };
}
