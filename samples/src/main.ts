import { createRoutes } from './http/routes.ts';
import { createTideServer } from './http/server.ts';
import { log } from './log.ts';
import { loadCatalog } from './stations/catalog.ts';

const port = Number(process.env['PORT'] ?? 8080);
const databasePath = process.env['TIDE_DB'] ?? 'tide.sqlite';

let catalog = await loadCatalog(databasePath);
const server = createTideServer(createRoutes(() => catalog));

// The harbour office sends SIGHUP after an import, so that open connections survive it.
process.on('SIGHUP', async () => {
  try {
    catalog = await loadCatalog(databasePath);
    log('info', 'catalog.reloaded', { stations: catalog.stations.length });
  } catch (error) {
    log('error', 'catalog.reload-failed', { reason: String(error) });
  }
});

process.on('SIGTERM', () => {
  server.close(() => log('info', 'server.stopped'));
  server.closeIdleConnections();
});

server.listen(port, () => log('info', 'server.listening', { port, stations: catalog.stations.length }));
