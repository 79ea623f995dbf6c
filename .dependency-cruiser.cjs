// Who may import whom; docs/architecture.md has the picture. Type-only imports count.
const hosts = ['vscode', 'cli', 'mcp', 'hook', 'serve', 'webview'];

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
      to: { path: '^(src|test|scripts|bench)/', pathNot: '^src/core/' },
    },
    {
      name: 'one-door-to-core',
      comment: 'Outside the core, only core/api is imported of it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/' },
      to: { path: '^src/core/', pathNot: '^src/core/api\\.ts$' },
    },
    {
      name: 'node-serves-hosts',
      severity: 'error',
      from: { path: '^src/node/' },
      to: { path: `^src/(${hosts.join('|')})/` },
    },
    ...hosts.map((host) => ({
      name: `${host}-imports-no-other-host`,
      severity: 'error',
      from: { path: `^src/${host}/` },
      to: { path: `^src/(${hosts.filter((other) => other !== host).join('|')})/` },
    })),
    {
      name: 'vscode-only-in-the-extension',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/vscode/' },
      to: { path: ['^vscode$', '(^|/)node_modules/@types/vscode/'] },
    },
    {
      name: 'page-without-node',
      severity: 'error',
      from: { path: '^src/webview/' },
      to: { path: '^src/node/' },
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
