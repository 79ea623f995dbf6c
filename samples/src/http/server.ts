import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { log } from '../log.ts';
import { RequestError, sendError } from './respond.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const PROXY_IDLE_TIMEOUT_MS = 60_000;

/** Wraps the routes with what every request needs: a method check, a log line and a last-resort error answer. */
export function createTideServer(handle: Handler): Server {
  const server = createServer((request, response) => {
    const startedAt = performance.now();
    response.on('finish', () => {
      log('info', 'request', {
        method: request.method ?? '',
        url: request.url ?? '',
        status: response.statusCode,
        ms: Math.round(performance.now() - startedAt),
      });
    });
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new RequestError(405, 'This service only answers GET and HEAD.');
      }
      handle(request, response);
    } catch (error) {
      if (!(error instanceof RequestError)) {
        log('error', 'request.failed', { url: request.url ?? '', reason: String(error) });
      }
      sendError(response, error);
    }
  });

  // We must outlast the proxy on an idle connection, and wait for headers longer than that again.
  server.keepAliveTimeout = PROXY_IDLE_TIMEOUT_MS + 5_000;
  server.headersTimeout = PROXY_IDLE_TIMEOUT_MS + 10_000;
  return server;
}
