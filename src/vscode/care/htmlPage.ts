/** A page of ours, made from what the built-in Markdown extension rendered. It runs nothing and loads nothing. */
export function htmlPage(title: string, body: string, ownStyle: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}${ownStyle}</style>
</head>
<body><main>${body}</main></body>
</html>`;
}

const style = `
body { padding: 0 26px 26px; line-height: 1.5; }
main { max-width: 1100px; margin: 0 auto; }
h1 { font-size: 1.6em; font-weight: 600; margin: 0.9em 0 0.5em; overflow-wrap: anywhere; }
h2 { font-size: 1.2em; font-weight: 600; margin: 1.6em 0 0.4em; }
h1 code { font-size: 0.9em; }
code { font-family: var(--vscode-editor-font-family); overflow-wrap: anywhere; }
a { color: var(--vscode-textLink-foreground); }
table { border-collapse: collapse; width: 100%; margin: 1em 0; }
th, td { padding: 6px 10px; vertical-align: top; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
th { text-align: left; font-weight: 600; }
ul { padding-left: 1.3em; }
li { margin: 0.35em 0; }
em { color: var(--vscode-descriptionForeground); font-style: normal; }
`;
