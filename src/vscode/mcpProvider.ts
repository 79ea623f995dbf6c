import * as vscode from 'vscode';

import { mcpServerName } from './ids';
import type { Workspace } from './workspace';

/** What VS Code has since 1.101 and its types of 1.95 do not: an extension may say how a server is started. */
interface McpApi {
  readonly registerMcpServerDefinitionProvider?: (
    id: string,
    provider: {
      readonly onDidChangeMcpServerDefinitions: vscode.Event<void>;
      provideMcpServerDefinitions(): readonly object[];
    },
  ) => vscode.Disposable;
}

type StdioDefinition = new (
  label: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  version: string,
) => object;

/** Offers our MCP server to VS Code, where there are learnings in folders that somebody trusts. */
export function registerMcpServer(
  workspace: Workspace,
  { extension }: Pick<vscode.ExtensionContext, 'extension'>,
): vscode.Disposable[] {
  const { registerMcpServerDefinitionProvider: register } = vscode.lm as unknown as McpApi;
  const { McpStdioServerDefinition: Definition } = vscode as unknown as {
    McpStdioServerDefinition?: StdioDefinition;
  };
  if (!register || !Definition) return [];

  const program = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'mcp.js').fsPath;
  const roots = (): readonly string[] =>
    vscode.workspace.isTrusted ? workspace.all().map(({ root }) => root) : [];
  const changed = new vscode.EventEmitter<void>();
  let offered = '';
  return [
    changed,
    workspace.onDidChange(() => {
      const now = roots().join('\n');
      if (now === offered) return;
      offered = now;
      changed.fire();
    }),
    register(mcpServerName, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        const open = roots();
        if (open.length === 0) return [];
        const { version } = extension.packageJSON as { version: string };
        return [
          // VS Code's own Node, so that nobody needs another.
          new Definition(
            mcpServerName,
            process.execPath,
            [program, '--no-tools-for', vscode.env.appName, ...open.flatMap((root) => ['--root', root])],
            { ELECTRON_RUN_AS_NODE: '1' },
            version,
          ),
        ];
      },
    }),
  ];
}
