import { format, parseArgs } from 'node:util';

import { startBrowser } from './browser';
import { openLifeline, type Lifeline } from './lifeline';
import { reportEnd, reportPrefix } from './hostReport';
import { startVsCode } from './vscodeServer';

/** Longer than any single test may take, so that a silent host is a hung one. */
const SILENCE_MS = Number(process.env['LEARNINGS_HOST_SILENCE_MS'] ?? 120_000);
const KEPT_LINES = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
  },
});

function argument(name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Runs an extension-host suite in real VS Code and gives the exit code that desktop VS Code would give. */
async function runSuite(lifeline: Lifeline): Promise<number> {
  const developmentPath = argument('extensionDevelopmentPath');
  const testsPath = argument('extensionTestsPath');
  if (!developmentPath || !testsPath) {
    throw new Error(
      'Give --extensionDevelopmentPath and --extensionTestsPath: this stand-in runs tests only.',
    );
  }
  const userDataFolder = argument('user-data-dir');
  const extensionsFolder = argument('extensions-dir');
  const server = await startVsCode(lifeline, {
    testDriver: true,
    ...(userDataFolder && { userDataFolder }),
    ...(extensionsFolder && { extensionsFolder }),
  });
  const browser = await startBrowser(lifeline);
  const page = await browser.newPage();

  // VS Code says a lot of its own; it is shown only where it may explain a failure.
  const hostLog: string[] = [];
  let finished = false;
  let silence: NodeJS.Timeout | undefined;
  let resolve!: (failure: string | undefined) => void;
  const outcome = new Promise<string | undefined>((settle) => (resolve = settle));
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(
      () => resolve(`The extension host hung: silent for ${SILENCE_MS / 1000} s.`),
      SILENCE_MS,
    );
  };
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    heard();
    const line = format(...args);
    if (line === reportEnd) finished = true;
    else if (line.startsWith(reportPrefix)) console.log(line.slice(reportPrefix.length));
    else hostLog.push(line);
    hostLog.splice(0, hostLog.length - KEPT_LINES);
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    // VS Code exits with 0 when its extension host is killed, so the suite itself must have said that it is through.
    if (code !== 0) resolve(`The suite failed with exit code ${code}.`);
    else resolve(finished ? undefined : 'The extension host ended before its suite did: crashed.');
  });
  page.on('crash', () => resolve('The workbench page crashed.'));
  browser.on('disconnected', () => resolve('The browser ended.'));
  void server.ended.then(resolve);

  heard();
  await page.goto(
    server.address(positionals[0] ?? developmentPath, {
      extensionDevelopmentPath: server.uri(developmentPath),
      extensionTestsPath: server.uri(testsPath),
    }),
  );
  const failure = await outcome;
  clearTimeout(silence);
  if (failure !== undefined) console.error([...hostLog, failure].join('\n'));
  await browser.close();
  await server.stop();
  return failure === undefined ? 0 : 1;
}

async function main(): Promise<void> {
  const lifeline = openLifeline();
  let code = 1;
  try {
    code = await runSuite(lifeline);
  } catch (error) {
    console.error(error);
  }
  await lifeline.close();
  process.exit(code);
}

void main();
