import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';

import { checkout } from '../../scripts/product';
import { fetchHosts } from './cache';
import { collectOutput, type Lifeline } from './lifeline';

const START_TIMEOUT_MS = 60_000;

/** A real VS Code, serving its workbench on loopback. */
export interface VsCodeServer {
  /** The address of the workbench with a folder or a .code-workspace file open, and what else the page should know. */
  address(folder: string, payload?: Record<string, string>): string;
  /** A URI of a file on this machine, as the page names it. */
  uri(path: string): string;
  /** The extension that is built into VS Code under this name. */
  builtIn(name: string): string;
  /** Resolves with what happened if the server ends before it is asked to. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** What to install: .vsix files, or folders of test extensions. */
  readonly extensions?: readonly string[];
  /** Needed to load an extension in development mode. It hides notifications, so it is off where users look. */
  readonly testDriver?: boolean;
  /** Opens what it opens as something that nobody has said yes to. */
  readonly untrusted?: boolean;
  readonly settings?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly extensionsFolder?: string;
  readonly userDataFolder?: string;
}

const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'telemetry.telemetryLevel': 'off',
  'security.workspace.trust.enabled': false,
  'git.openRepositoryInParentFolders': 'never',
};

/** In restricted mode, as after a No. */
const untrustedSettings = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Packs a test extension: VS Code loads only what it has installed itself, and it installs only a .vsix. */
const vscePackage = [
  join(checkout, 'node_modules', '@vscode', 'vsce', 'vsce'),
  ...['package', '--no-dependencies', '--allow-missing-repository', '--skip-license'],
];

/** Starts VS Code's server with a home, a profile and extensions of its own, on a port the system chooses. */
export async function startVsCode(lifeline: Lifeline, options: ServerOptions = {}): Promise<VsCodeServer> {
  const { node, vscode } = await fetchHosts(lifeline);
  const home = lifeline.makeFolder('home');
  const userData = options.userDataFolder ?? join(home, 'data');
  const extensions = options.extensionsFolder ?? join(home, 'extensions');
  mkdirSync(join(userData, 'User'), { recursive: true });
  mkdirSync(extensions, { recursive: true });
  writeFileSync(
    join(userData, 'User', 'settings.json'),
    JSON.stringify(
      { ...quietSettings, ...(options.untrusted && untrustedSettings), ...options.settings },
      null,
      2,
    ),
  );

  const shared = {
    cwd: home,
    env: { ...process.env, ...options.env, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  };
  const main = join(vscode, 'out', 'server-main.js');
  const profile = [
    '--user-data-dir',
    userData,
    '--extensions-dir',
    extensions,
    '--accept-server-license-terms',
  ];

  for (const extension of options.extensions ?? []) {
    let vsix = extension;
    if (!extension.endsWith('.vsix')) {
      vsix = join(home, `${basename(extension)}.vsix`);
      await lifeline.run(process.execPath, [...vscePackage, '--out', vsix], { ...shared, cwd: extension });
    }
    await lifeline.run(node, [main, ...profile, '--install-extension', vsix], shared);
  }

  // Whoever reaches the port gets this machine's files, so only who has the address may.
  const token = randomBytes(16).toString('hex');
  const server = lifeline.spawn(
    node,
    [
      main,
      ...profile,
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token],
      '--disable-telemetry',
      ...(options.untrusted ? [] : ['--disable-workspace-trust']),
      ...(options.testDriver ? ['--enable-smoke-test-driver'] : []),
    ],
    { ...shared, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const output = collectOutput(server);
  let stopping = false;
  const ended = new Promise<string>((resolve) => {
    server.once('exit', (code, signal) => {
      if (!stopping && !lifeline.closing) resolve(`VS Code's server ended (${signal ?? code}):\n${output()}`);
    });
  });
  const port = await Promise.race([
    portOf(server),
    ended.then((reason) => Promise.reject(new Error(reason))),
    new Promise<never>((_, reject) => {
      setTimeout(
        () => reject(new Error(`VS Code's server did not start:\n${output()}`)),
        START_TIMEOUT_MS,
      ).unref();
    }),
  ]);

  const uri = (path: string): string => `vscode-remote://127.0.0.1:${port}${path}`;
  return {
    address(folder, payload = {}) {
      const entries = Object.entries({ skipWelcome: 'true', ...payload });
      const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
      const query = new URLSearchParams({ tkn: token, [kind]: folder, payload: JSON.stringify(entries) });
      return `http://127.0.0.1:${port}/?${query.toString()}`;
    },
    uri,
    builtIn: (name) => join(vscode, 'extensions', name),
    ended,
    async stop() {
      stopping = true;
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      const impatience = setTimeout(() => server.kill('SIGKILL'), 3000);
      await exited;
      clearTimeout(impatience);
    },
  };
}

type Child = ReturnType<Lifeline['spawn']>;

function portOf(child: Child): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!child.stdout) return reject(new Error('no standard output'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port) resolve(port);
    });
  });
}

/** The VS Code version that is fetched, for people to read. */
export async function vsCodeVersion(lifeline: Lifeline): Promise<string> {
  const { vscode } = await fetchHosts(lifeline);
  const product = JSON.parse(readFileSync(join(vscode, 'package.json'), 'utf8')) as { version: string };
  return product.version;
}
