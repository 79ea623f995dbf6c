-- One row per tidal constant. phase_deg is the lag behind the equilibrium tide at Greenwich.
CREATE TABLE constituents (
  station_id   TEXT NOT NULL REFERENCES stations (id) ON DELETE CASCADE,
  name         TEXT NOT NULL CHECK (name IN ('M2', 'S2', 'N2', 'K2', 'K1', 'O1', 'P1', 'Q1', 'M4')),
  amplitude_m  REAL NOT NULL CHECK (amplitude_m >= 0),
  phase_deg    REAL NOT NULL CHECK (phase_deg >= 0 AND phase_deg < 360),
  PRIMARY KEY (station_id, name)
) WITHOUT ROWID;
