import type { IncomingMessage, ServerResponse } from 'node:http';

/** A mistake of the caller's. The message is sent back, so it says what to do about it. */
export class RequestError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
  }
}

export interface Answer {
  readonly body: unknown;
  /** Names the data that the answer was made from; the same tag means the same bytes. */
  readonly version: string;
}

export function sendJson(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const etag = `"${answer.version}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'public, max-age=3600');
  if (knownTags(request).includes(etag)) {
    response.writeHead(304).end();
    return;
  }
  const body = JSON.stringify(answer.body);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}

export function sendError(response: ServerResponse, error: unknown): void {
  const { status, message } =
    error instanceof RequestError ? error : { status: 500, message: 'The prediction failed; it has been logged.' };
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ error: message }));
}

function knownTags(request: IncomingMessage): string[] {
  // A proxy that compresses marks the tag as weak; the data behind it is still ours.
  return (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
