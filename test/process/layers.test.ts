import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkout } from '../../scripts/product';
import { runNode, temporaryFolder } from './product';

/** A small tree that keeps every rule, with one violation planted. */
function cruise(planted: Record<string, string>): { status: number | null; output: string } {
  const folder = temporaryFolder();
  const files = {
    'src/core/api.ts': "export type { Thing } from './thing';\n",
    'src/core/thing.ts': 'export interface Thing { name: string }\n',
    'src/node/files.ts': "import type { Thing } from '../core/api';\nexport type Files = Thing;\n",
    'src/cli/main.ts': "import type { Files } from '../node/files';\nexport type Main = Files;\n",
    ...planted,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  cpSync(join(checkout, 'tsconfig.json'), join(folder, 'tsconfig.json'));
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const { status, stdout, stderr } = runNode(
    [
      join(checkout, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      join(checkout, '.dependency-cruiser.cjs'),
      'src',
    ],
    { cwd: folder },
  );
  return { status, output: stdout + stderr };
}

describe('the layering check', () => {
  it('passes a tree that keeps the rules', () => {
    const { status, output } = cruise({});
    assert.equal(status, 0, output);
  });

  const typeFrom = (module: string): string =>
    `import type { X } from '${module}';\nexport type Thing = X;\n`;
  const violations: [rule: string, path: string, text: string][] = [
    [
      'core-is-pure',
      'src/core/thing.ts',
      "import { join } from 'node:path';\nexport const x = join;\nexport type Thing = string;\n",
    ],
    ['core-is-pure', 'src/core/thing.ts', typeFrom('fs')],
    ['core-without-vscode', 'src/core/thing.ts', typeFrom('vscode')],
    ['core-stands-alone', 'src/core/thing.ts', typeFrom('../node/files')],
    ['cli-knows-only-core-and-node', 'src/cli/main.ts', typeFrom('../core/thing')],
    ['cli-knows-only-core-and-node', 'src/cli/main.ts', typeFrom('../../scripts/tool')],
    ['cli-knows-only-core-and-node', 'src/cli/main.ts', typeFrom('../shared')],
    ['mcp-knows-only-core-and-node', 'src/mcp/main.ts', typeFrom('../cli/main')],
    ['webview-knows-only-core-and-node', 'src/webview/page.ts', typeFrom('../node/files')],
    ['node-knows-only-the-door', 'src/node/files.ts', typeFrom('../core/thing')],
    ['node-knows-only-the-door', 'src/node/other.ts', typeFrom('../cli/main')],
    ['vscode-only-in-the-extension', 'src/serve/main.ts', typeFrom('vscode')],
    ['no-cycles', 'src/core/thing.ts', typeFrom('./other')],
    ['resolvable', 'src/core/thing.ts', typeFrom('no-such-package')],
  ];
  for (const [rule, path, text] of violations) {
    it(`fails on ${rule}, planted as ${text.split('\n')[0] ?? ''} in ${path}`, () => {
      const { status, output } = cruise({
        ...(rule === 'no-cycles' && { 'src/core/other.ts': "export type { Thing as X } from './thing';\n" }),
        'scripts/tool.ts': 'export type X = string;\n',
        'src/shared.ts': 'export type X = string;\n',
        [path]: text,
      });
      assert.notEqual(status, 0, output);
      assert.match(output, new RegExp(`error ${rule}:`));
    });
  }
});

describe('the build', () => {
  it('exits 1 when a program other than the extension imports vscode', () => {
    const folder = temporaryFolder();
    for (const name of ['src', 'esbuild.js', 'package.json', 'tsconfig.json']) {
      cpSync(join(checkout, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const build = () => runNode(['esbuild.js'], { cwd: folder });
    assert.equal(build().status, 0);
    writeFileSync(
      join(folder, 'src/hook/main.ts'),
      "import * as vscode from 'vscode';\nconsole.log(vscode);\n",
    );
    const { status, stderr } = build();
    assert.equal(status, 1);
    assert.match(stderr, /Could not resolve "vscode"/);
  });
});
