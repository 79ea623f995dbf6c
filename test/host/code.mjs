#!/usr/bin/env node
// Stands in for the `code` executable that @vscode/test-electron starts: same arguments, npm-fetched VS Code.
import { register } from 'tsx/cjs/api';
import { createRequire } from 'node:module';

register();
createRequire(import.meta.url)('./launcher.ts');
