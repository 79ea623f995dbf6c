import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium, type Browser } from 'playwright-core';

import { fetchChromium, fetchHosts } from './cache';
import type { Lifeline } from './lifeline';

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless browser: the Chrome or Chromium that CHROME_PATH names, else the Chromium from npm. */
export async function startBrowser(lifeline: Lifeline): Promise<Browser> {
  const installed = process.env['CHROME_PATH'];
  if (installed) return chromium.launch({ executablePath: installed, args: quiet });

  const { executable, libraries, fonts } = await fetchChromium(lifeline);
  const folder = lifeline.makeFolder('fonts');
  writeFileSync(join(folder, 'fonts.conf'), fontConfiguration(fonts, folder));
  return chromium.launch({
    executablePath: executable,
    args: quiet,
    env: { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  });
}

/** Fetches what is missing on this machine now, so that no test has to wait for it. */
export async function prepareHosts(lifeline: Lifeline): Promise<void> {
  await fetchHosts(lifeline);
  if (!process.env['CHROME_PATH']) await fetchChromium(lifeline);
}

/** Without a font for code and one for text, Chromium crashes on a machine that has none installed. */
function fontConfiguration(folders: readonly string[], cache: string): string {
  const prefer = (family: string, ...fonts: string[]): string =>
    `<alias><family>${family}</family><prefer>${fonts.map((font) => `<family>${font}</family>`).join('')}</prefer></alias>`;
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((folder) => `<dir>${folder}</dir>`).join('\n')}
<cachedir>${cache}</cachedir>
${prefer('monospace', 'DejaVu Sans Mono')}
${prefer('sans-serif', 'Open Sans', 'DejaVu Sans')}
${prefer('system-ui', 'Open Sans', 'DejaVu Sans')}
</fontconfig>
`;
}
