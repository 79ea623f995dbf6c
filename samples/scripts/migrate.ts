import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const databasePath = process.env['TIDE_DB'] ?? 'tide.sqlite';
const folder = join(import.meta.dirname, '..', 'migrations');

/** Runs SQL through the sqlite3 program; `-bail` leaves an open transaction unfinished when a statement fails. */
function runSql(sql: string): string {
  return execFileSync('sqlite3', ['-bail', databasePath], { input: sql, encoding: 'utf8' });
}

runSql('CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL, applied_at TEXT NOT NULL);');

const applied = new Map(
  runSql("SELECT name || '=' || sha256 FROM migrations;")
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('=') as [name: string, sha256: string]),
);

const names = readdirSync(folder)
  .filter((name) => /^\d{4}_[a-z_]+\.sql$/.test(name))
  .sort();

for (const name of names) {
  const sql = readFileSync(join(folder, name), 'utf8');
  const sha256 = createHash('sha256').update(sql).digest('hex');
  if (!applied.has(name)) {
    runSql(`BEGIN;\n${sql}\nINSERT INTO migrations VALUES ('${name}', '${sha256}', datetime('now'));\nCOMMIT;`);
    console.log(`applied ${name}`);
  } else if (applied.get(name) !== sha256) {
    throw new Error(`${name} was changed after it ran here. Restore it and put the change into a new migration.`);
  }
}
