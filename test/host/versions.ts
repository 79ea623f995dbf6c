/** What the real hosts are made of. This is the one place to raise a version. */
export const versions = {
  /** VS Code's server build, whole and from npm; the minor version is VS Code's own. */
  'code-server': '4.139.1',
  /** That build runs on Node 24, whatever Node the developer has. */
  node: '24.21.0',
  /** The newest 24 that npm has for it, under another package name. */
  nodeOnAppleSilicon: '24.0.0',
  '@sparticuz/chromium': '153.0.0',
  /** Of its packages the one for this platform. */
  'claude-code': '2.1.197',
  'dejavu-fonts-ttf': '2.37.3',
} as const;
