import { WindowCache } from '../cache/windowCache.ts';
import { findExtrema, type Extremum } from '../predict/extrema.ts';
import { MODEL_VERSION, createPredictor, sampleHeights, type HeightAt } from '../predict/harmonics.ts';
import type { Catalog, Station } from '../stations/catalog.ts';
import { convertHeight, isDatum, type Datum } from '../stations/datum.ts';
import { answerHealth } from './health.ts';
import { parseWindow } from './parseWindow.ts';
import { RequestError, sendJson } from './respond.ts';
import type { Handler } from './server.ts';

const HEIGHT_STEP_MS = 10 * 60_000;

/** The catalog is asked for anew on each request, because SIGHUP replaces it. */
export function createRoutes(currentCatalog: () => Catalog): Handler {
  const extrema = new WindowCache<readonly Extremum[]>(500);
  const heights = new WindowCache<readonly HeightAt[]>(100);

  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [resource, stationId, view] = url.pathname.split('/').filter(Boolean);
    if (resource === 'health') return answerHealth(response);
    if (resource !== 'stations') throw new RequestError(404, 'Start from /stations.');

    const catalog = currentCatalog();
    if (stationId === undefined) {
      const body = catalog.stations.map(({ id, name }) => ({ id, name }));
      return sendJson(request, response, { body, version: catalog.version });
    }
    const station = catalog.find(stationId);
    if (!station) throw new RequestError(404, `No station "${stationId}". GET /stations lists them.`);

    if (view !== 'heights' && view !== 'extrema') throw new RequestError(404, 'Ask for /heights or /extrema.');
    const datum = parseDatum(url.searchParams);
    const window = parseWindow(url.searchParams);
    const predictor = () => createPredictor(station.harmonics, window);
    const points =
      view === 'extrema'
        ? extrema.getOrCompute({ station, window }, () => findExtrema(predictor(), window))
        : heights.getOrCompute({ station, window }, () => sampleHeights(predictor(), window, HEIGHT_STEP_MS));

    const body = { station: station.id, datum, points: points.map((point) => present(point, station, datum)) };
    sendJson(request, response, { body, version: `m${MODEL_VERSION}-r${station.revision}` });
  };
}

function parseDatum(query: URLSearchParams): Datum {
  const datum = query.get('datum') ?? 'chart';
  if (!isDatum(datum)) throw new RequestError(400, '"datum" must be chart, msl or ordnance.');
  return datum;
}

function present({ timeMs, heightM, ...rest }: HeightAt, station: Station, datum: Datum) {
  const height = convertHeight(heightM, { from: 'chart', to: datum, offsets: station.datumOffsets });
  return { time: new Date(timeMs).toISOString(), height: Number(height.toFixed(2)), ...rest };
}
