import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';

import { listFiles, PackageManager } from '@vscode/vsce';

import { builtVsix } from '../host/workbench';
import { bundle, productFolder } from './product';

const expected = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'agent-plugin/.claude-plugin/plugin.json',
  'agent-plugin/skills/project-learnings/SKILL.md',
  'dist/cli.js',
  'dist/extension.js',
  'dist/hook.js',
  'dist/mcp.js',
  'dist/serve.js',
  'dist/sql-wasm.wasm',
  'dist/webview/dashboard.css',
  'dist/webview/dashboard.js',
  'media/activity.svg',
  'media/icon.png',
  'media/screenshots/this-file-light.png',
  'package.json',
];

describe('the .vsix', () => {
  it('holds exactly the files it should', async () => {
    assert.deepEqual(
      (await listFiles({ cwd: productFolder(), packageManager: PackageManager.None })).toSorted(),
      expected,
    );
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
