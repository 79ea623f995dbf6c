import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Tells the launchers of the agent plugin where a Node is, on a machine that has none on its PATH: in VS Code itself.
 * Where that cannot be written, they look for one.
 */
export function noteNode(extensionPath: string): void {
  if (isOnPath('node')) return;
  const file = join(extensionPath, 'agent-plugin', 'bin', 'node-path');
  const text = `${process.execPath}\n`;
  try {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    writeFileSync(file, text);
  } catch {
    // Read-only, as where an administrator installs extensions for everybody.
  }
}

function isOnPath(program: string): boolean {
  const name = process.platform === 'win32' ? `${program}.exe` : program;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && existsSync(join(folder, name)));
}
