// Who may import whom; docs/architecture.md has the picture. Type-only imports count.
const hosts = ['vscode', 'cli', 'mcp', 'hook', 'serve', 'webview'];

const ours = '^(src|test|scripts|bench)/';

module.exports = {
  forbidden: [
    {
      name: 'core-is-pure',
      comment: 'The core knows neither VS Code nor Node: it gets the world through its ports.',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'core-without-vscode',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: ['^vscode$', '(^|/)node_modules/@types/vscode/'] },
    },
    {
      name: 'core-stands-alone',
      severity: 'error',
      from: { path: '^src/core/' },
      to: { path: ours, pathNot: '^src/core/' },
    },
    {
      name: 'node-knows-only-the-door',
      severity: 'error',
      from: { path: '^src/node/' },
      to: { path: ours, pathNot: ['^src/node/', '^src/core/api\\.ts$'] },
    },
    ...hosts.map((host) => ({
      name: `${host}-knows-only-core-and-node`,
      comment: 'A host imports itself, the one door to the core, and node; the page not even that.',
      severity: 'error',
      from: { path: `^src/${host}/` },
      to: {
        path: ours,
        pathNot: [`^src/${host}/`, '^src/core/api\\.ts$', ...(host === 'webview' ? [] : ['^src/node/'])],
      },
    })),
    {
      name: 'vscode-only-in-the-extension',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/vscode/' },
      to: { path: ['^vscode$', '(^|/)node_modules/@types/vscode/'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'types'],
    },
  },
};
