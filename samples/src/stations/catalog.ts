import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import type { HarmonicSet } from '../predict/harmonics.ts';
import type { DatumOffsets } from './datum.ts';

export interface Station {
  readonly id: string;
  readonly name: string;
  /** Raised by the database whenever the station or one of its constants changes. */
  readonly revision: number;
  readonly harmonics: HarmonicSet;
  readonly datumOffsets: DatumOffsets;
}

export interface Catalog {
  readonly version: string;
  readonly stations: readonly Station[];
  find(id: string): Station | undefined;
}

type Constants = HarmonicSet['constituents'];
type StationRow = { id: string; name: string; revision: number; meanLevelM: number; ordnanceM: number; constants: string };

const STATIONS_SQL = `
  SELECT s.id, s.name, s.revision, s.mean_level_m AS meanLevelM, s.ordnance_above_chart_m AS ordnanceM,
         json_group_array(json_object('name', c.name, 'amplitudeM', c.amplitude_m, 'phaseDeg', c.phase_deg)) AS constants
  FROM stations s JOIN constituents c ON c.station_id = s.id
  GROUP BY s.id ORDER BY s.name`;

/** Reads every station into memory; there are a few hundred, and a request must not wait for the disk. */
export async function loadCatalog(databasePath: string): Promise<Catalog> {
  const { stdout } = await promisify(execFile)('sqlite3', ['-readonly', '-json', databasePath, STATIONS_SQL]);
  // With no rows, sqlite3 prints nothing at all rather than an empty list.
  const rows = JSON.parse(stdout.trim() || '[]') as StationRow[];
  const stations = rows.map(toStation);
  const byId = new Map(stations.map((station) => [station.id, station]));
  const version = createHash('sha256').update(stdout).digest('hex').slice(0, 12);
  return { version, stations, find: (id) => byId.get(id) };
}

function toStation({ id, name, revision, meanLevelM, ordnanceM, constants }: StationRow): Station {
  return {
    id,
    name,
    revision,
    harmonics: { meanLevelM, constituents: JSON.parse(constants) as Constants },
    datumOffsets: { chart: 0, msl: meanLevelM, ordnance: ordnanceM },
  };
}
