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
  const typeFrom = (module: string): string =>
    `import type { X } from '${module}';\nexport type Planted = X;\n`;
  /** Each in a file of its own, so that one run shows which of them are seen. */
  const violations: [rule: string, folder: string, text: string][] = [
    ['core-is-pure', 'src/core', "import { join } from 'node:path';\nexport const planted = join;\n"],
    ['core-is-pure', 'src/core', typeFrom('fs')],
    ['core-without-vscode', 'src/core', typeFrom('vscode')],
    ['core-stands-alone', 'src/core', typeFrom('../node/files')],
    ['cli-knows-only-core-and-node', 'src/cli', typeFrom('../core/thing')],
    ['cli-knows-only-core-and-node', 'src/cli', typeFrom('../../scripts/tool')],
    ['cli-knows-only-core-and-node', 'src/cli', typeFrom('../shared')],
    ['mcp-knows-only-core-and-node', 'src/mcp', typeFrom('../cli/main')],
    ['webview-knows-only-core-and-node', 'src/webview', typeFrom('../node/files')],
    ['node-knows-only-the-door', 'src/node', typeFrom('../core/thing')],
    ['node-knows-only-the-door', 'src/node', typeFrom('../cli/main')],
    ['vscode-only-in-the-extension', 'src/serve', typeFrom('vscode')],
    ['no-cycles', 'src/core', typeFrom('./circle')],
    ['resolvable', 'src/core', typeFrom('no-such-package')],
  ];
  const fileOf = (index: number): string => `${violations[index]?.[1] ?? ''}/planted${index}.ts`;
  const circle = violations.findIndex(([rule]) => rule === 'no-cycles');
  let planted = { status: null as number | null, output: '' };

  before(() => {
    planted = cruise({
      'scripts/tool.ts': 'export type X = string;\n',
      'src/shared.ts': 'export type X = string;\n',
      'src/core/circle.ts': `export type { Planted as X } from './planted${circle}';\n`,
      ...Object.fromEntries(violations.map(([, , text], index) => [fileOf(index), text])),
    });
  });

  it('passes a tree that keeps the rules', () => {
    const { status, output } = cruise({});
    assert.equal(status, 0, output);
  });

  it('fails on a tree that does not', () => assert.notEqual(planted.status, 0));

  for (const [index, [rule, folder, text]] of violations.entries()) {
    it(`reports ${rule} for ${text.split('\n')[0] ?? ''} in ${folder}`, () => {
      assert.match(
        planted.output,
        new RegExp(`error ${rule}: (src/core/circle.ts → \\n +)?${fileOf(index)} `),
      );
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
