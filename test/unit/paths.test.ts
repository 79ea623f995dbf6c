import assert from 'node:assert/strict';

import { relativeTo } from '../../src/core/paths';

describe('relativeTo', () => {
  const cases: [root: string, path: string, expected: string | undefined][] = [
    ['/repo', '/repo/src/a.ts', 'src/a.ts'],
    ['/repo/', './src//a.ts', 'src/a.ts'],
    ['/repo', 'src/../test/a.ts', 'test/a.ts'],
    ['/repo', '../other/a.ts', undefined],
    ['/repo', '/repository/a.ts', undefined],
    ['/repo', 'file:///repo/with%20space/a.ts', 'with space/a.ts'],
    ['/repo', 'file:///100%', undefined],
    ['C:\\repo', 'c:\\repo\\src\\a.ts', 'src/a.ts'],
    ['C:\\repo', 'file:///c:/repo/src/a.ts', 'src/a.ts'],
    ['C:\\repo', 'D:\\repo\\a.ts', undefined],
  ];
  for (const [root, path, expected] of cases) {
    it(`brings ${path} below ${root} to ${String(expected)}`, () => {
      assert.equal(relativeTo(root, path), expected);
    });
  }
});
