import assert from 'node:assert/strict';

import { findDeclarations, lastPart, mentions } from '../../src/core/api';

const linesOf = (text: string, ...names: string[]): number[] =>
  findDeclarations(text, new Set(names)).map(({ offset }) => text.slice(0, offset).split('\n').length);

describe('declarations in a text', () => {
  const languages: Record<string, string> = {
    TypeScript: 'import { other } from "./a";\nexport async function target<T>(x: T) {}',
    'a TypeScript method': 'class A {\n  target(x: number): void {\n  }\n}',
    'a constant': '\nexport const target = () => 1;',
    Python: '# about target\nasync def target(self):',
    Rust: '// target\npub fn target() {}',
    Go: 'package main\nfunc target() {}',
    SQL: '-- x\nCREATE TABLE target (id INTEGER);',
    Ruby: 'module A\n  def target\n  end\nend',
    C: '/* target */\nstatic const char *target(int x)\n{\n}',
    'C#': '{\n  public static target (int x) { }',
  };
  for (const [language, text] of Object.entries(languages))
    it(`finds one of ${language}`, () => assert.deepEqual(linesOf(text, 'target'), [2]));

  it('takes neither a use nor a longer word for a declaration', () => {
    const text =
      'const a = target(1);\ntarget(2);\nfunction targets() {}\nif (target == 1) target.x();\nawait target(() => {\n';
    assert.deepEqual(linesOf(text, 'target'), []);
    assert.equal(mentions('function targets() {}', new Set(['target'])), false);
    assert.equal(mentions('a target b', new Set(['target'])), true);
  });

  it('gives each name once, where it is first declared', () => {
    assert.deepEqual(linesOf('function a() {}\nclass b {}\nfunction a() {}', 'a', 'b'), [1, 2]);
  });

  it('looks for the last part of a qualified name', () => {
    assert.deepEqual(['Cache.get', 'Cache::get', 'Cache#get', 'get'].map(lastPart), Array(4).fill('get'));
  });

  it('stays quick on text that nobody wrote', () => {
    const started = performance.now();
    for (const text of ['target('.repeat(40_000), `target${'<'.repeat(200_000)}`, 'target '.repeat(50_000)])
      findDeclarations(text, new Set(['target']));
    assert.ok(performance.now() - started < 1500);
  });
});
