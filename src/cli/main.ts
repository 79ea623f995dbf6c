import { parseArgs } from 'node:util';

import { LearningsError, type Learnings, type LearningRecord } from '../core/api';
import { openFrom } from '../node/open';

declare const LEARNINGS_VERSION: string;

const HELP = `Usage: learnings list [--path FILE]... [--tag TAG]... [--json]

Lists the learnings of this repository; with --path or --tag, the active ones about that file or topic, best first.

Options:
  --path FILE   a file, relative to the repository or absolute; may be repeated
  --tag TAG     a topic; may be repeated
  --json        {"results": [{id, summary, tags, matched_by, updated_at}]}
  --version     print the version
  --help        print this text

Exit codes: 0 ok, 1 refused or not found, 2 usage, 3 some records could not be read (the others are listed).

Example:
  learnings list --path src/http/server.ts
`;

const EXIT = { ok: 0, refused: 1, usage: 2, problems: 3 } as const;

async function main(argv: string[]): Promise<number> {
  const args = readArguments(argv);
  if (args === undefined) return EXIT.usage;
  if (args.values.version) return print(LEARNINGS_VERSION);
  const [command] = args.positionals;
  if (args.values.help || command === undefined) return print(HELP.trimEnd());
  if (command !== 'list' || args.positionals.length > 1) {
    console.error(`learnings: unknown command "${args.positionals.join(' ')}". Run learnings --help.`);
    return EXIT.usage;
  }

  const learnings = await openFrom(process.cwd());
  const rows = select(learnings, args.values.path ?? [], args.values.tag ?? []);
  if (args.values.json) print(JSON.stringify({ results: rows.map(toJson) }, null, 2));
  else for (const { record } of rows) print(describe(record));

  for (const problem of learnings.problems()) {
    console.error(`${problem.file}:${problem.line}: ${problem.message}`);
  }
  return learnings.problems().length > 0 ? EXIT.problems : EXIT.ok;
}

function readArguments(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        path: { type: 'string', multiple: true },
        tag: { type: 'string', multiple: true },
        json: { type: 'boolean' },
        version: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    console.error(`learnings: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

interface Row {
  readonly record: LearningRecord;
  readonly matchedBy: readonly string[];
}

function select(learnings: Learnings, paths: readonly string[], tags: readonly string[]): readonly Row[] {
  if (paths.length + tags.length > 0) return learnings.find({ paths, tags });
  return learnings.all().map((record) => ({ record, matchedBy: [] }));
}

function toJson({ record, matchedBy }: Row) {
  return {
    id: record.id,
    summary: record.summary,
    tags: record.scope.tags,
    matched_by: matchedBy,
    updated_at: record.updated_at,
  };
}

function describe(record: LearningRecord): string {
  return `${record.id}  ${record.status === 'superseded' ? '(superseded) ' : ''}${record.summary}`;
}

function print(text: string): number {
  console.log(text);
  return EXIT.ok;
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    if (!(error instanceof LearningsError)) throw error;
    console.error(`learnings: ${error.message}`);
    process.exitCode = EXIT.refused;
  },
);
