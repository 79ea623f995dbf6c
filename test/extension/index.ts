import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { runInHost } from '../host/hostReport';

/** What VS Code calls inside the extension host. */
export async function run(): Promise<void> {
  const files = readdirSync(__dirname).filter((name) => name.endsWith('.test.js'));
  await runInHost(files.map((name) => join(__dirname, name)));
}
