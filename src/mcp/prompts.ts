import { LearningsError, oneLine, type ToolStore } from '../core/api';
import { runGit } from '../node/git';
import { aboutFiles } from './about';
import { storesIn, type DeskWorld } from './desk';

type Write = (world: DeskWorld, given: Readonly<Record<string, string>>) => Promise<string>;

interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly write: Write;
}

const MAX_PATHS = 200;

const aboutFile: Write = async (world, { path = '' }) => {
  const { text, count } = await aboutFiles({ world, stores: storesIn(world), paths: [path] }, 'prompt');
  return count === 0
    ? `Nothing is recorded about ${named([path])} yet.`
    : `This repository's team has recorded the following about ${named([path])}. Keep to it while you work on that file; where you cannot, say which and why. show_learning gives a record whole.\n\n${text}`;
};

const review: Write = async (world, { paths }) => {
  const stores = storesIn(world);
  const asked = listed(paths);
  const changed = asked.length > 0 ? asked : await changedFiles(stores);
  if (changed.length === 0) return 'git sees no changed files, so there is nothing to review. Say so.';
  const { text, count } = await aboutFiles({ world, stores, paths: changed }, 'prompt');
  if (count === 0) return `Nothing is recorded about the changed files (${named(changed)}). Say so.`;
  return [
    `Review the changes in ${named(changed)} against what this repository's team has recorded about these files. Look at the changes themselves before you judge.`,
    'For each learning below that the changes break, name it by its id, say where (file and line) and what to do instead. Then name those that they keep to, in one line. Leave out those that they do not touch.',
    'Where one proved true, call upvote_learning. Where one seems no longer true, say so and change nothing.',
    text,
  ].join('\n\n');
};

const remember: Write = (world, { what = '', paths }) => {
  storesIn(world);
  const about = listed(paths);
  const words = oneLine(what, 4000);
  if (words === '') throw new LearningsError('input-invalid', 'Nothing to remember. Pass what.');
  const text = [
    `Record this as a learning of this repository, with add_learning: “${words}”`,
    'The summary is one sentence that says what to do or to know and that will still be understood in a year; the rationale says why, if I said so or the code shows it. Put my words into evidence as a quote, word for word.',
    about.length > 0
      ? `It is about ${named(about)}.`
      : 'Find out which files it is about and give the narrowest paths that cover them.',
    'Then tell me what was saved, or which learning says the same already.',
  ];
  return Promise.resolve(text.join('\n\n'));
};

/** What a person can start with, from the menu of a client. */
export const prompts: readonly PromptDefinition[] = [
  {
    name: 'learnings_for_file',
    title: 'Learnings for a File',
    description: 'Tell the model what is recorded about a file before work on it starts',
    arguments: [
      { name: 'path', description: 'The file, relative to the repository or absolute', required: true },
    ],
    write: aboutFile,
  },
  {
    name: 'review_changes',
    title: 'Review Changes Against Learnings',
    description: 'Check changed files against what is recorded about them',
    arguments: [
      {
        name: 'paths',
        description: 'The files, separated by commas; those that git says have changed unless given',
        required: false,
      },
    ],
    write: review,
  },
  {
    name: 'remember',
    title: 'Remember as a Learning',
    description: 'Have something recorded for everybody who works on this repository',
    arguments: [
      { name: 'what', description: 'What should not have to be learned twice', required: true },
      { name: 'paths', description: 'Files or globs it is about, separated by commas', required: false },
    ],
    write: remember,
  },
];

const listed = (paths: string | undefined): string[] =>
  (paths ?? '').split(/[,\n]/).flatMap((path) => path.trim() || []);

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 10).map((path) => oneLine(path, 200));
  return shown.join(', ') + (paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '');
}

/** What git says differs from the last commit, new files too. */
async function changedFiles(stores: readonly ToolStore[]): Promise<string[]> {
  const found = await Promise.all(
    stores.map(async ({ learnings: { root } }) => {
      const [changed, added] = await Promise.all([
        runGit(root, ['diff', '--name-only', '--relative', '-z', 'HEAD', '--', '.']),
        runGit(root, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
      ]);
      const paths = [...changed.split('\0'), ...added.split('\0')].filter(
        (path) => path !== '' && !path.startsWith('.learnings/'),
      );
      // Relative to one of several repositories it would be looked for in each.
      return stores.length > 1 ? paths.map((path) => `${root}/${path}`) : paths;
    }),
  );
  return found.flat().slice(0, MAX_PATHS);
}
