import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

import { withLock } from '../../src/core/store/lock';
import { nodePorts } from '../../src/node/open';
import type { Lifeline } from './lifeline';
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
  fill(folder: string, lifeline: Lifeline): Promise<void>;
}

export const cacheFolder = process.env['LEARNINGS_CACHE'] ?? join(platformCache(), 'project-learnings');

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
  fill: (folder, lifeline) => install(lifeline, folder, [`${nodePackage}@${nodeVersion}`]),
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
  async fill(folder, lifeline) {
    await install(lifeline, folder, [`code-server@${versions['code-server']}`]);
    await install(lifeline, join(folder, vscodeBuild), ['--omit=dev']);
    // TypeScript itself, without which the editor complains about every .ts file.
    await install(lifeline, join(folder, vscodeBuild, 'extensions'), ['--omit=dev']);
  },
};

const chromiumPart: Part = {
  name: `chromium-${versions['@sparticuz/chromium']}`,
  title: `Chromium ${versions['@sparticuz/chromium']} (290 MB)`,
  needs: ['unpacked/chromium', 'unpacked/al2023/lib', 'unpacked/fonts', 'node_modules/dejavu-fonts-ttf/ttf'],
  async fill(folder, lifeline) {
    const { '@sparticuz/chromium': chromium, 'dejavu-fonts-ttf': fonts } = versions;
    await install(lifeline, folder, [`@sparticuz/chromium@${chromium}`, `dejavu-fonts-ttf@${fonts}`]);
    const unpacked = join(folder, 'unpacked');
    mkdirSync(unpacked);
    // The package unpacks itself into the temporary folder, so that is where we point it.
    const script = `
      import chromium, { inflate } from '@sparticuz/chromium';
      await chromium.executablePath();
      await inflate(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium')).pathname);`;
    await lifeline.run(nodePath(), ['--input-type=module', '--eval', script], {
      cwd: folder,
      env: { ...process.env, TMPDIR: unpacked },
    });
    rmSync(join(folder, 'node_modules/@sparticuz/chromium/bin'), { recursive: true });
  },
};

/** The platform's own package holds the binary, as with Node. */
const claudePackage = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
const claudeBinary = `node_modules/${claudePackage}/claude${windows ? '.exe' : ''}`;
const claudePart: Part = {
  name: `claude-code-${versions['claude-code']}`,
  title: `Claude Code ${versions['claude-code']} (230 MB)`,
  needs: [claudeBinary],
  fill: (folder, lifeline) => install(lifeline, folder, [`${claudePackage}@${versions['claude-code']}`]),
};

function partFolder(part: Part): string {
  return join(cacheFolder, part.name);
}

function nodePath(): string {
  return join(partFolder(nodePart), nodeBinary);
}

/** VS Code and the Node it runs on, fetched from npm on the first call on a machine. */
export async function fetchHosts(lifeline: Lifeline): Promise<Hosts> {
  await ensure(lifeline, [nodePart, vscodePart]);
  return { node: nodePath(), vscode: join(partFolder(vscodePart), vscodeBuild) };
}

export interface ChromiumFiles {
  readonly executable: string;
  readonly libraries: string;
  readonly fonts: readonly string[];
}

/** A headless Chromium with the libraries and fonts it needs, fetched from npm on the first call on a machine. */
export async function fetchChromium(lifeline: Lifeline): Promise<ChromiumFiles> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `npm has no Chromium for ${process.platform} ${process.arch}. Set CHROME_PATH to an installed Chrome or Chromium and run again.`,
    );
  }
  await ensure(lifeline, [nodePart, chromiumPart]);
  const folder = partFolder(chromiumPart);
  return {
    executable: join(folder, 'unpacked/chromium'),
    libraries: join(folder, 'unpacked/al2023/lib'),
    fonts: [join(folder, 'unpacked/fonts/fonts'), join(folder, 'node_modules/dejavu-fonts-ttf/ttf')],
  };
}

/** Claude Code's own program, fetched from npm on the first call on a machine. */
export async function fetchClaude(lifeline: Lifeline): Promise<string> {
  await ensure(lifeline, [nodePart, claudePart]);
  return join(partFolder(claudePart), claudeBinary);
}

async function ensure(lifeline: Lifeline, parts: readonly Part[]): Promise<void> {
  const missing = parts.filter((part) => !isWhole(part));
  if (missing.length === 0) return;
  mkdirSync(cacheFolder, { recursive: true });
  // The product's own lock: it outlives no crash and never admits two.
  const lock = {
    folder: 'locks',
    patienceMs: Infinity,
    onWait: (pid: number) => say(`Another run (process ${pid}) is filling ${cacheFolder}; waiting for it …`),
  };
  await withLock(nodePorts(cacheFolder), lock, async () => {
    // Another run may have filled it while we waited for the lock.
    for (const part of missing) if (!isWhole(part)) await fetchPart(lifeline, part);
  });
}

function isWhole(part: Part): boolean {
  return part.needs.every((file) => {
    const stat = statSync(join(partFolder(part), file), { throwIfNoEntry: false });
    return stat !== undefined && stat.size > 0;
  });
}

async function fetchPart(lifeline: Lifeline, part: Part): Promise<void> {
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
    await part.fill(partial, lifeline);
  } catch (cause) {
    throw new Error(
      `Could not fetch ${part.title}.\n${String(cause)}\n` +
        'It comes from the npm registry alone: check the network and the registry and proxy in `npm config list`, then run the same command again. Parts that were fetched whole are kept.',
      { cause },
    );
  } finally {
    clearInterval(ticker);
  }
  rmSync(partFolder(part), { recursive: true, force: true });
  renameSync(partial, partFolder(part));
  say(`  done in ${seconds(started)} s`);
}

async function install(lifeline: Lifeline, folder: string, args: readonly string[]): Promise<void> {
  const npm = process.env['npm_execpath'];
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', folder];
  const command = ['install', ...flags, ...args];
  const env = {
    ...process.env,
    PATH: [dirname(nodePath()), process.env['PATH']].join(delimiter),
    // A registry that does not answer should say so soon, not after npm's ten minutes.
    npm_config_fetch_timeout: '60000',
    npm_config_fetch_retries: '2',
  };
  if (npm?.endsWith('.js')) await lifeline.run(process.execPath, [npm, ...command], { cwd: folder, env });
  else await lifeline.run(windows ? 'npm.cmd' : 'npm', command, { cwd: folder, env });
}

function seconds(since: number): number {
  return Math.round((Date.now() - since) / 1000);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
