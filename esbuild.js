// Builds what ships into dist/. With --production minified; with --tests also the extension-host suites, into out/;
// with --watch again on every change.
const {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const esbuild = require('esbuild');

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const common = {
  bundle: true,
  logLevel: 'warning',
  minify: production,
  sourcemap: production ? false : 'linked',
  legalComments: 'none',
  define: { LEARNINGS_VERSION: JSON.stringify(version) },
  // Its other build loads its own parts by names that no bundler can follow.
  alias: { 'jsonc-parser': require.resolve('jsonc-parser/lib/esm/main.js') },
};
/** Code that only some commands need stays in a file of its own, loaded when it is first called for. */
const loadedLate = {
  name: 'loaded-late',
  setup(build) {
    build.onResolve({ filter: /^\.\/(secretRules|database|hookWork)$/ }, ({ path }) => ({
      path: `${path}.js`,
      external: true,
    }));
  },
};
/** Agents copy the plugin's folder to a place of their own, so what it runs must be in it. */
const inPlugin = ['hook.js', 'hookWork.js', 'secretRules.js', 'mcp.js'];
const copiedToPlugin = {
  name: 'copied-to-plugin',
  setup(build) {
    build.onEnd(() => {
      for (const name of inPlugin)
        if (existsSync(`dist/${name}`)) copyFileSync(`dist/${name}`, `agent-plugin/dist/${name}`);
    });
  },
};
/**
 * The SDK's server loads a validator for the answers to questions that it may ask its client. We ask none, and it would
 * be a third of the program.
 */
const withoutValidator = {
  name: 'without-validator',
  setup(build) {
    build.onLoad({ filter: /[/\\]validation[/\\]ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
      loader: 'js',
    }));
  },
};
const forNode = { ...common, platform: 'node', format: 'cjs', target: 'node20', outdir: 'dist' };
const programs = ['cli', 'mcp', 'hook', 'serve'];

const builds = [
  {
    ...forNode,
    entryPoints: { extension: 'src/vscode/extension.ts' },
    external: ['vscode'],
    plugins: [loadedLate],
  },
  {
    ...forNode,
    outbase: 'src',
    entryPoints: { secretRules: 'src/node/secretRules.ts', database: 'src/node/database.ts' },
    plugins: [copiedToPlugin],
  },
  { ...forNode, entryPoints: ['src/hook/hookWork.ts'], plugins: [loadedLate, copiedToPlugin] },
  {
    // vscode is not external here: a program that must run without VS Code fails to build if it imports it.
    ...forNode,
    entryPoints: Object.fromEntries(programs.map((name) => [name, `src/${name}/main.ts`])),
    banner: { js: '#!/usr/bin/env node' },
    plugins: [loadedLate, withoutValidator, copiedToPlugin],
  },
  {
    ...common,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    entryPoints: ['src/webview/dashboard.ts', 'src/webview/dashboard.css'],
    outdir: 'dist/webview',
  },
];

if (flags.has('--tests')) {
  // One file each, so that mocha loads them the way it loads any suite. Mocha itself stays outside the bundle.
  const folders = ['test/extension', 'test/fixtures/hostSuites', 'test/torture'];
  const entryPoints = folders.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  builds.push({
    ...forNode,
    entryPoints,
    outdir: 'out/test',
    outbase: 'test',
    external: ['vscode', 'mocha'],
  });
}

async function main() {
  for (const folder of ['dist', 'agent-plugin/dist']) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  // Wherever the folder ends up, a package.json above it must not make these programs modules.
  writeFileSync('agent-plugin/dist/package.json', '{ "type": "commonjs" }\n');
  copyFileSync(require.resolve('sql.js/dist/sql-wasm.wasm'), 'dist/sql-wasm.wasm');
  if (!flags.has('--watch')) return Promise.all(builds.map((options) => esbuild.build(options)));
  for (const options of builds) {
    const context = await esbuild.context({ ...options, logLevel: 'info' });
    await context.watch();
  }
}

main().catch((error) => {
  // What is wrong with the code esbuild has already printed, with file and line.
  if (!error.errors) console.error(error);
  process.exitCode = 1;
});
