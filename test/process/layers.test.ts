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

  const violations: [rule: string, path: string, text: string][] = [
    [
      'core-is-pure',
      'src/core/thing.ts',
      "import { join } from 'node:path';\nexport const thing = join;\nexport type Thing = string;\n",
    ],
    ['core-is-pure', 'src/core/thing.ts', "import type { Stats } from 'fs';\nexport type Thing = Stats;\n"],
    [
      'core-without-vscode',
      'src/core/thing.ts',
      "import type { Uri } from 'vscode';\nexport type Thing = Uri;\n",
    ],
    [
      'core-stands-alone',
      'src/core/thing.ts',
      "import type { Files } from '../node/files';\nexport type Thing = Files;\n",
    ],
    [
      'one-door-to-core',
      'src/cli/main.ts',
      "import type { Thing } from '../core/thing';\nexport type Main = Thing;\n",
    ],
    [
      'one-door-to-core',
      'src/node/files.ts',
      "import type { Thing } from '../core/thing';\nexport type Files = Thing;\n",
    ],
    [
      'mcp-imports-no-other-host',
      'src/mcp/main.ts',
      "import type { Main } from '../cli/main';\nexport type Mcp = Main;\n",
    ],
    [
      'node-serves-hosts',
      'src/node/other.ts',
      "import type { Main } from '../cli/main';\nexport type Other = Main;\n",
    ],
    [
      'vscode-only-in-the-extension',
      'src/serve/main.ts',
      "import type { Uri } from 'vscode';\nexport type Serve = Uri;\n",
    ],
    [
      'page-without-node',
      'src/webview/page.ts',
      "import type { Files } from '../node/files';\nexport type Page = Files;\n",
    ],
    [
      'no-cycles',
      'src/core/thing.ts',
      "import type { Other } from './other';\nexport type Thing = Other | string;\n",
    ],
  ];
  for (const [rule, path, text] of violations) {
    it(`fails on ${rule}, planted as ${text.split('\n')[0] ?? ''} in ${path}`, () => {
      const helper = {
        'src/core/other.ts': "import type { Thing } from './thing';\nexport type Other = Thing;\n",
      };
      const { status, output } = cruise({ ...(rule === 'no-cycles' && helper), [path]: text });
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
