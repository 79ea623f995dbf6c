import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

import yauzl from 'yauzl';

/** Unpacks a .vsix as VS Code does when it installs one, and gives the folder of the extension. */
export async function unpackVsix(file: string, folder: string): Promise<string> {
  const zip = await promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open)(file, { lazyEntries: true });
  const openEntry = promisify<yauzl.Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip));
  const ended = once(zip, 'end');
  zip.on('entry', (entry: yauzl.Entry) => {
    const path = join(folder, entry.fileName);
    const unpack = async (): Promise<void> => {
      if (!entry.fileName.endsWith('/')) {
        mkdirSync(dirname(path), { recursive: true });
        await pipeline(await openEntry(entry), createWriteStream(path));
      }
      zip.readEntry();
    };
    unpack().catch((error: unknown) => zip.emit('error', error));
  });
  zip.readEntry();
  await ended;
  return join(folder, 'extension');
}
