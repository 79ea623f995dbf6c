import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';

import yauzl from 'yauzl';

import { builtVsix } from '../host/workbench';
import { bundle } from './product';

const expected = [
  '.claude-plugin/marketplace.json',
  'LICENSE.txt',
  ...[
    '.claude-plugin/plugin.json',
    '.mcp.json',
    'bin/learnings.cmd',
    'bin/learnings.sh',
    'bin/run.cjs',
    'dist/hook.js',
    'dist/hookWork.js',
    'dist/mcp.js',
    'dist/package.json',
    'dist/secretRules.js',
    'hooks/hooks.json',
    'skills/project-learnings/SKILL.md',
  ].map((name) => `agent-plugin/${name}`),
  'changelog.md',
  'dist/cli.js',
  'dist/database.js',
  'dist/extension.js',
  'dist/hook.js',
  'dist/hookWork.js',
  'dist/mcp.js',
  'dist/secretRules.js',
  'dist/serve.js',
  'dist/sql-wasm.wasm',
  'dist/webview/dashboard.css',
  'dist/webview/dashboard.js',
  'media/activity.svg',
  'media/icon.png',
  'media/learning.schema.json',
  'media/screenshots/this-file-light.png',
  ...['add', 'agents', 'find', 'keep', 'open'].map((name) => `media/walkthrough/${name}.png`),
  'package.json',
  'package.nls.json',
  'readme.md',
];

describe('the .vsix', () => {
  it('holds exactly the files it should', async () => {
    const names = await entryNames(builtVsix());
    const shipped = names.flatMap((name) =>
      name.startsWith('extension/') ? [name.slice('extension/'.length)] : [],
    );
    assert.deepEqual(shipped.toSorted(), expected);
  });

  it('stays under 2 MB', () => {
    const { size } = statSync(builtVsix());
    assert.ok(size < 2 * 1024 * 1024, `${size} bytes`);
  });

  it('ships minified code without source maps', () => {
    const text = readFileSync(bundle('extension'), 'utf8');
    assert.doesNotMatch(text, /sourceMappingURL/);
    assert.ok(text.length / text.split('\n').length > 200, 'the lines are too short for minified code');
  });
});

async function entryNames(file: string): Promise<string[]> {
  const zip = await promisify<string, yauzl.ZipFile>(yauzl.open)(file);
  const names: string[] = [];
  zip.on('entry', ({ fileName }: yauzl.Entry) => names.push(fileName));
  await once(zip, 'end');
  return names;
}
