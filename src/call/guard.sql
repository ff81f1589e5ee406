-- Refuse changes to a table of hilo, or merge those of a restore.
CREATE FUNCTION hilo_internal.hilo_guard()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';

DO $$
DECLARE
	t record;
BEGIN
	-- REPACK (CONCURRENTLY) reads the changes of a table from the WAL and would
	-- miss some.  It refuses a table with replica identity FULL or NOTHING.
	-- Tables with rows that are updated get FULL; NOTHING writes no deleted
	-- row.
	FOR t IN
		SELECT * FROM (VALUES
			('hilo_hi', 'NOTHING'), ('hilo_privilege', 'NOTHING'),
			('hilo_source', 'NOTHING'),
			('hilo_generator', 'FULL'), ('hilo_gapless', 'FULL'),
			('hilo_series', 'FULL')
		) AS guarded (name, identity)
	LOOP
		EXECUTE format('
			CREATE TRIGGER hilo_guard_rows
				BEFORE INSERT OR UPDATE OR DELETE ON hilo_internal.%1$I
				FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
			CREATE TRIGGER hilo_guard_truncate
				BEFORE TRUNCATE ON hilo_internal.%1$I
				FOR EACH STATEMENT EXECUTE FUNCTION hilo_internal.hilo_guard();
			ALTER TABLE hilo_internal.%1$I
				ENABLE ALWAYS TRIGGER hilo_guard_rows,
				ENABLE ALWAYS TRIGGER hilo_guard_truncate,
				REPLICA IDENTITY %2$s',
			t.name, t.identity);
		-- a dump cannot name a table dropped while event triggers were off
		PERFORM pg_extension_config_dump(
			format('hilo_internal.%I', t.name)::regclass,
			CASE t.name WHEN 'hilo_series'
				THEN 'WHERE rel IN (SELECT oid FROM pg_catalog.pg_class)'
				ELSE '' END);
	END LOOP;
END $$;

-- Servers register again after a restore, and with a subscriber.  So no dump
-- and no subscriber has the rows of hilo_node.
CREATE TRIGGER hilo_guard_rows
	BEFORE INSERT OR UPDATE OR DELETE ON hilo_internal.hilo_node
	FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
ALTER TABLE hilo_internal.hilo_node ENABLE ALWAYS TRIGGER hilo_guard_rows;
