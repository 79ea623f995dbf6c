import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { LearningsError } from '../core/api';
import { openFrom } from '../node/open';

const HOST = '127.0.0.1';
const token = randomBytes(16).toString('hex');
const pageFolder = join(__dirname, 'webview');

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Project Learnings</title>
<link rel="stylesheet" href="dashboard.css?token=${token}">
<body><main id="dashboard"></main><script src="dashboard.js?token=${token}"></script></body>
</html>
`;

/** The dashboard on loopback: every request must carry the token that only the printed address holds. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${HOST}`);
  const send = (status: number, type: string, body: string | Buffer): void => {
    response.writeHead(status, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'self'",
    });
    response.end(body);
  };

  if (!isAllowed(request, url))
    return send(403, 'text/plain', 'Open the address that was printed at the start.');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return send(200, 'text/html; charset=utf-8', page);
    case 'GET /dashboard.js':
      return send(200, 'text/javascript', readFileSync(join(pageFolder, 'dashboard.js')));
    case 'GET /dashboard.css':
      return send(200, 'text/css', readFileSync(join(pageFolder, 'dashboard.css')));
    case 'GET /api/learnings': {
      const learnings = await openFrom(process.cwd());
      return send(
        200,
        'application/json',
        JSON.stringify({ learnings: learnings.list().map(({ record }) => record) }),
      );
    }
    default:
      return send(404, 'text/plain', `Nothing at ${url.pathname}.`);
  }
}

function isAllowed(request: IncomingMessage, url: URL): boolean {
  // A page elsewhere may reach a loopback port by rebinding its own name; the Host header gives it away.
  const host = request.headers.host ?? '';
  const given = Buffer.from(url.searchParams.get('token') ?? '');
  return (
    host.startsWith(`${HOST}:`) && given.length === token.length && timingSafeEqual(given, Buffer.from(token))
  );
}

async function main(): Promise<void> {
  await openFrom(process.cwd());
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
    });
  });
  server.listen(0, HOST, () => {
    const { port } = server.address() as AddressInfo;
    console.log(`Project Learnings at http://${HOST}:${port}/?token=${token} (Ctrl-C ends it)`);
  });
}

main().catch((error: unknown) => {
  if (!(error instanceof LearningsError)) throw error;
  console.error(`learnings: ${error.message}`);
  process.exitCode = 1;
});
