-- Refuse changes to a table of hilo, or merge those of a restore.
CREATE FUNCTION hilo_internal.hilo_guard()
RETURNS trigger LANGUAGE C AS 'MODULE_PATHNAME';

-- Have hilo's tables as the library needs them: when they are made, and after
-- a statement that ran while event triggers were off.
CREATE FUNCTION hilo_internal.hilo_mend()
RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	statements text;
BEGIN
	-- two at once would alter the event trigger without waiting for each other
	LOCK TABLE pg_event_trigger IN SHARE ROW EXCLUSIVE MODE;
	ALTER EVENT TRIGGER hilo_join_tables DISABLE;
	FOR statements IN
		-- A column that a trigger names is neither dropped nor altered.
		--
		-- REPACK (CONCURRENTLY) reads the changes of a table from the WAL and
		-- would miss some.  It refuses a table with replica identity FULL or
		-- NOTHING.  Tables with rows that are updated get FULL; NOTHING writes
		-- no deleted row.
		SELECT concat((
				SELECT string_agg(format('DROP TRIGGER %I ON %s;',
					t.tgname, c.oid::regclass), '')
				  FROM pg_trigger t
				 WHERE t.tgrelid = c.oid AND NOT t.tgisinternal
				   AND t.tgname NOT IN ('hilo_guard_rows', 'hilo_guard_truncate')),
			format('
				CREATE OR REPLACE TRIGGER hilo_guard_rows
					BEFORE INSERT OR UPDATE OF %2$s OR DELETE ON %1$s
					FOR EACH ROW EXECUTE FUNCTION hilo_internal.hilo_guard();
				CREATE OR REPLACE TRIGGER hilo_guard_truncate
					BEFORE TRUNCATE ON %1$s
					FOR EACH STATEMENT EXECUTE FUNCTION hilo_internal.hilo_guard();
				ALTER TABLE %1$s ENABLE ALWAYS TRIGGER hilo_guard_rows,
					ENABLE ALWAYS TRIGGER hilo_guard_truncate,
					REPLICA IDENTITY %3$s, SET LOGGED',
				c.oid::regclass, (
				SELECT string_agg(quote_ident(a.attname), ', ')
				  FROM pg_attribute a
				 WHERE a.attrelid = c.oid AND a.attnum > 0
				   AND NOT a.attisdropped),
				CASE WHEN c.relname = 'hilo_node' THEN 'DEFAULT'
					WHEN c.relname
						IN ('hilo_generator', 'hilo_gapless', 'hilo_series')
					THEN 'FULL'
					ELSE 'NOTHING' END))
		  FROM pg_class c
		 WHERE c.relnamespace = 'hilo_internal'::regnamespace
		   AND c.relkind = 'r'
	LOOP
		EXECUTE statements;
	END LOOP;
	ALTER EVENT TRIGGER hilo_join_tables ENABLE ALWAYS;
END $$;
COMMENT ON FUNCTION hilo_internal.hilo_mend IS
	'put the triggers, replica identity and storage of hilo''s tables right';
SELECT hilo_internal.hilo_mend();

-- Servers register again after a restore, so no dump has the rows of hilo_node.
DO $$
DECLARE
	t text;
BEGIN
	FOREACH t IN ARRAY '{hilo_generator, hilo_hi, hilo_gapless, hilo_privilege, hilo_source, hilo_series}'::text[] LOOP
		-- a dump cannot name a table dropped while event triggers were off
		PERFORM pg_extension_config_dump(
			('hilo_internal.' || t)::regclass,
			CASE t WHEN 'hilo_series'
				THEN 'WHERE rel IN (SELECT oid FROM pg_catalog.pg_class)'
				ELSE '' END);
	END LOOP;
END $$;
