export type LogLevel = 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean>>;

/**
 * Writes one JSON object per line, the form that the harbour office's collector reads.
 * Errors go to stderr, so that they show up in the service manager's own log as well.
 */
export function log(level: LogLevel, event: string, fields: LogFields = {}): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields });
  const stream = level === 'error' ? process.stderr : process.stdout;
  stream.write(`${line}\n`);
}
