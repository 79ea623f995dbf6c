-- Caches and ETags depend on the revision, so the database raises it itself; an import cannot forget to.
ALTER TABLE stations ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;

CREATE TRIGGER stations_updated AFTER UPDATE OF name, mean_level_m, ordnance_above_chart_m ON stations BEGIN
  UPDATE stations SET revision = revision + 1 WHERE id = new.id;
END;

CREATE TRIGGER constituents_inserted AFTER INSERT ON constituents BEGIN
  UPDATE stations SET revision = revision + 1 WHERE id = new.station_id;
END;

CREATE TRIGGER constituents_updated AFTER UPDATE ON constituents BEGIN
  UPDATE stations SET revision = revision + 1 WHERE id IN (old.station_id, new.station_id);
END;

CREATE TRIGGER constituents_deleted AFTER DELETE ON constituents BEGIN
  UPDATE stations SET revision = revision + 1 WHERE id = old.station_id;
END;
