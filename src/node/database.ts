// A bundle of its own, dist/database.js: sql.js takes 60 to 90 ms to load, and no match needs it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import initSqlJs, { type Database as SqlDatabase, type SqlJsStatic } from 'sql.js';

import type { IndexRow, Problem } from '../core/api';

/** Rises with every change of the tables below: a file of another version is made anew. */
const VERSION = 2;

const schema = `
  CREATE TABLE learnings_index (
    folder TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    status TEXT NOT NULL,
    kind TEXT NOT NULL,
    priority INTEGER NOT NULL,
    paths TEXT NOT NULL,
    tags TEXT NOT NULL,
    symbols TEXT NOT NULL,
    summary TEXT NOT NULL,
    rationale TEXT NOT NULL,
    body TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    vote_count INTEGER NOT NULL,
    last_voted_at TEXT NOT NULL,
    stamp TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX learnings_active ON learnings_index(updated_at) WHERE status = 'active';
  CREATE TABLE problems (
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    message TEXT NOT NULL,
    hint TEXT NOT NULL
  );
  PRAGMA user_version = ${VERSION};`;

const columns: readonly (keyof IndexRow)[] = [
  'folder',
  'id',
  'status',
  'kind',
  'priority',
  'paths',
  'tags',
  'symbols',
  'summary',
  'rationale',
  'body',
  'updated_at',
  'vote_count',
  'last_voted_at',
  'stamp',
];

const problemColumns = ['file', 'line', 'column', 'code', 'severity', 'message', 'hint'] as const;

/** The index as tables, in memory until it is exported. All SQL is in this file. */
export interface Database {
  /** The stamp of every row, by folder. */
  stamps(): Map<string, string>;
  /** What is put and removed between the two is there all at once, or not at all. */
  begin(): void;
  put(row: IndexRow): void;
  remove(folder: string): void;
  /** All that is wrong now, instead of what was. False if that is the same. */
  putProblems(problems: readonly Problem[]): boolean;
  commit(): void;
  export(): Uint8Array;
  close(): void;
}

/** Opens the bytes of a database, or an empty one if there are none or they are of no use. */
export async function openDatabase(bytes?: Uint8Array): Promise<Database> {
  const sql = await loadSql();
  const database = (bytes && openExisting(sql, bytes)) ?? new sql.Database();
  if (versionOf(database) !== VERSION) database.run(schema);
  const remove = database.prepare('DELETE FROM learnings_index WHERE folder = ?');
  const insert = database.prepare(
    `INSERT OR REPLACE INTO learnings_index (${columns.join()}) VALUES (${columns.map(placeholder).join()})`,
  );
  const problem = database.prepare('INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?)');
  return {
    stamps() {
      const found = new Map<string, string>();
      const select = database.prepare('SELECT folder, stamp FROM learnings_index');
      while (select.step()) {
        const [folder, stamp] = select.get();
        found.set(String(folder), String(stamp));
      }
      select.free();
      return found;
    },
    begin: () => void database.run('BEGIN'),
    put: (row) => insert.run(columns.map((column) => bindable(row[column]))),
    remove: (folder) => remove.run([folder]),
    putProblems(problems) {
      const rows = problems.map((one) => problemColumns.map((column) => one[column]));
      const known = database.exec('SELECT * FROM problems')[0]?.values ?? [];
      if (JSON.stringify(known) === JSON.stringify(rows)) return false;
      database.run('DELETE FROM problems');
      for (const row of rows) problem.run(row);
      return true;
    },
    commit: () => void database.run('COMMIT'),
    export: () => database.export(),
    close: () => database.close(),
  };
}

const numeric = new Set<keyof IndexRow>(['priority', 'vote_count']);
const encoder = new TextEncoder();

/** sql.js copies a text into its memory character by character, but bytes at once: half the time of an insertion. */
const placeholder = (column: keyof IndexRow): string => (numeric.has(column) ? '?' : 'CAST(? AS TEXT)');
const bindable = (value: string | number): Uint8Array | number =>
  typeof value === 'number' ? value : encoder.encode(value);

let loading: Promise<SqlJsStatic> | undefined;

function loadSql(): Promise<SqlJsStatic> {
  const beside = join(__dirname, 'sql-wasm.wasm');
  return (loading ??= initSqlJs({
    locateFile: (name) =>
      existsSync(beside) ? join(__dirname, name) : require.resolve(`sql.js/dist/${name}`),
  }));
}

/** Undefined unless it is a whole database of this version. */
function openExisting(sql: SqlJsStatic, bytes: Uint8Array): SqlDatabase | undefined {
  let database: SqlDatabase | undefined;
  try {
    database = new sql.Database(bytes);
    if (versionOf(database) === VERSION) return database;
  } catch {
    // Not a database.
  }
  database?.close();
  return undefined;
}

function versionOf(database: SqlDatabase): unknown {
  return database.exec('PRAGMA user_version')[0]?.values[0]?.[0];
}
