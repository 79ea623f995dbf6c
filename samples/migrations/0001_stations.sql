-- A station is a place with its own chart datum. Levels are metres above that datum.
CREATE TABLE stations (
  id                      TEXT PRIMARY KEY CHECK (id GLOB '[a-z]*'),
  name                    TEXT NOT NULL,
  mean_level_m            REAL NOT NULL,
  ordnance_above_chart_m  REAL NOT NULL
);
