import type { ServerResponse } from 'node:http';

/** Says that the process is up and its event loop turns. It says nothing about the data, on purpose. */
export function answerHealth(response: ServerResponse): void {
  const body = JSON.stringify({ status: 'ok', uptimeSeconds: Math.floor(process.uptime()) });
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(body);
}
