import { spawn } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { isRunning } from './lifeline';
import { versions } from './versions';

/** Where the parts of the real hosts are. */
export interface Hosts {
  /** The Node binary that VS Code's server runs on. */
  readonly node: string;
  /** VS Code's server build. */
  readonly vscode: string;
}

/** One thing kept in the cache: a folder that appears whole or not at all. */
interface Part {
  readonly name: string;
  /** Shown while it is fetched. */
  readonly title: string;
  /** Files that must be there, or the part is fetched again. */
  readonly needs: readonly string[];
  fill(folder: string): Promise<void>;
}

const cacheFolder = process.env['LEARNINGS_CACHE'] ?? join(platformCache(), 'project-learnings');

function platformCache(): string {
  if (process.env['XDG_CACHE_HOME']) return process.env['XDG_CACHE_HOME'];
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32') return process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  return join(homedir(), '.cache');
}

const windows = process.platform === 'win32';
const appleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
// The platform's own package holds the binary; the package called `node` would need an install script to fetch it.
const nodePackage = `${appleSilicon ? 'node-bin' : 'node'}-${windows ? 'win' : process.platform}-${process.arch}`;
const nodeVersion = appleSilicon ? versions.nodeOnAppleSilicon : versions.node;
const nodeBinary = `node_modules/${nodePackage}/bin/node${windows ? '.exe' : ''}`;

const nodePart: Part = {
  name: `node-${nodeVersion}`,
  title: `Node ${nodeVersion} for VS Code's server (190 MB)`,
  needs: [nodeBinary],
  fill: (folder) => install(folder, [`${nodePackage}@${nodeVersion}`]),
};

const vscodeBuild = 'node_modules/code-server/lib/vscode';
const vscodePart: Part = {
  name: `code-server-${versions['code-server']}`,
  title: `VS Code's server from code-server ${versions['code-server']} (600 MB)`,
  needs: [
    `${vscodeBuild}/out/server-main.js`,
    `${vscodeBuild}/node_modules/@vscode/proxy-agent/package.json`,
    `${vscodeBuild}/extensions/copilot/package.json`,
    `${vscodeBuild}/extensions/node_modules/typescript/package.json`,
  ],
  async fill(folder) {
    await install(folder, [`code-server@${versions['code-server']}`]);
    await install(join(folder, vscodeBuild), ['--omit=dev']);
    // TypeScript itself, without which the editor complains about every .ts file.
    await install(join(folder, vscodeBuild, 'extensions'), ['--omit=dev']);
  },
};

const chromiumPart: Part = {
  name: `chromium-${versions['@sparticuz/chromium']}`,
  title: `Chromium ${versions['@sparticuz/chromium']} (290 MB)`,
  needs: ['unpacked/chromium', 'unpacked/al2023/lib', 'unpacked/fonts', 'node_modules/dejavu-fonts-ttf/ttf'],
  async fill(folder) {
    const { '@sparticuz/chromium': chromium, 'dejavu-fonts-ttf': fonts } = versions;
    await install(folder, [`@sparticuz/chromium@${chromium}`, `dejavu-fonts-ttf@${fonts}`]);
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    // The package unpacks itself into the temporary folder, so that is where we point it.
    const script = `
      import chromium, { inflate } from '@sparticuz/chromium';
      await chromium.executablePath();
      await inflate(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')).pathname);`;
    await run(nodePath(), ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { TMPDIR: unpacked },
    });
    rmSync(join(folder, 'node_modules/@sparticuz/chromium/bin'), { recursive: true });
  },
};

function partFolder(part: Part): string {
  return join(cacheFolder, part.name);
}

function nodePath(): string {
  return join(partFolder(nodePart), nodeBinary);
}

/** VS Code and the Node it runs on, fetched from npm on the first call on a machine. */
export async function fetchHosts(): Promise<Hosts> {
  await ensure([nodePart, vscodePart]);
  return { node: nodePath(), vscode: join(partFolder(vscodePart), vscodeBuild) };
}

export interface ChromiumFiles {
  readonly executable: string;
  readonly libraries: string;
  readonly fonts: readonly string[];
}

/** A headless Chromium with the libraries and fonts it needs, fetched from npm on the first call on a machine. */
export async function fetchChromium(): Promise<ChromiumFiles> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `npm has no Chromium for ${process.platform} ${process.arch}. Set CHROME_PATH to an installed Chrome or Chromium and run again.`,
    );
  }
  await ensure([nodePart, chromiumPart]);
  const folder = partFolder(chromiumPart);
  return {
    executable: join(folder, 'unpacked/chromium'),
    libraries: join(folder, 'unpacked/al2023/lib'),
    fonts: [join(folder, 'unpacked/fonts/fonts'), join(folder, 'node_modules/dejavu-fonts-ttf/ttf')],
  };
}

async function ensure(parts: readonly Part[]): Promise<void> {
  const missing = parts.filter((part) => !isWhole(part));
  if (missing.length === 0) return;
  mkdirSync(cacheFolder, { recursive: true });
  const release = await takeLock(join(cacheFolder, 'filling.lock'));
  try {
    // Another run may have filled it while we waited for the lock.
    for (const part of missing) if (!isWhole(part)) await fetchPart(part);
  } finally {
    release();
  }
}

function isWhole(part: Part): boolean {
  return part.needs.every((file) => {
    const stat = statSync(join(partFolder(part), file), { throwIfNoEntry: false });
    return stat !== undefined && stat.size > 0;
  });
}

async function fetchPart(part: Part): Promise<void> {
  for (const name of readdirSync(cacheFolder)) {
    // We hold the lock, so whatever is half-filled belongs to a run that died.
    if (name.startsWith(`${part.name}.partial`)) rmSync(join(cacheFolder, name), { recursive: true });
  }
  const partial = join(cacheFolder, `${part.name}.partial`);
  mkdirSync(partial);
  const started = Date.now();
  say(`Fetching ${part.title} from npm into ${cacheFolder}, once …`);
  const ticker = setInterval(() => say(`  … ${seconds(started)} s`), 10_000);
  try {
    await part.fill(partial);
  } catch (cause) {
    throw new Error(
      `Could not fetch ${part.title}.\n${String(cause)}\n` +
        'It comes from the npm registry alone: check the network and the registry and proxy in `npm config list`, then run the same command again. What was fetched so far is kept.',
      { cause },
    );
  } finally {
    clearInterval(ticker);
  }
  rmSync(partFolder(part), { recursive: true, force: true });
  renameSync(partial, partFolder(part));
  say(`  done in ${seconds(started)} s`);
}

async function install(folder: string, args: readonly string[]): Promise<void> {
  const npm = process.env['npm_execpath'];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const command = ['install', ...flags, ...args];
  // A registry that does not answer should say so soon, not after npm's ten minutes.
  const env = {
    npm_config_fetch_timeout: '60000',
    npm_config_fetch_retries: '2',
    npm_config_omit_lockfile_registry_resolved: 'false',
  };
  if (npm?.endsWith('.js')) await run(process.execPath, [npm, ...command], { cwd: folder, env });
  else await run(windows ? 'npm.cmd' : 'npm', command, { cwd: folder, env });
}

async function run(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<void> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: [dirname(nodePath()), process.env['PATH']].join(delimiter),
      ...options.env,
    },
    shell: windows && command.endsWith('.cmd'),
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk));
  }
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${output.join('').trim()}`);
}

/**
 * One run fills the cache at a time. A lock whose holder is dead is taken over; if two runs should ever do that at
 * once, the worst is a part fetched twice, because parts are renamed into place whole.
 */
async function takeLock(file: string): Promise<() => void> {
  for (let told = false; ; await wait(500)) {
    try {
      const handle = openSync(file, 'wx');
      writeSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
    if (holder !== undefined && !(holder > 0 && isRunning(holder))) rmSync(file, { force: true });
    else if (!told) {
      say(`Another run (process ${String(holder)}) is filling ${cacheFolder}; waiting for it …`);
      told = true;
    }
  }
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1000);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
