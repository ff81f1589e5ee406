CREATE FUNCTION hilo_internal.hilo_guard()
RETURNS trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION hilo_internal.hilo_guard IS
	'keeps the tables of hilo from being changed but by hilo, and merges the rows of a dump';

CREATE FUNCTION @extschema@.hilo_guard_worker()
RETURNS trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard_worker IS
	'keeps rows of other servers out of the tables of hilo that users change';

DO $$
DECLARE
	t record;
BEGIN
	-- What follows the changes of a table in the WAL while it rewrites it, and would miss
	-- some, refuses replica identities FULL and NOTHING.  FULL is for those with rows that
	-- are updated; NOTHING keeps what is deleted to itself.
	FOR t IN
		SELECT 'hilo_internal' AS schema, name, 'hilo_guard' AS function, 'hilo_guard_rows' AS trigger, 'NOTHING' AS identity
		  FROM unnest('{hilo_hi, hilo_privilege, hilo_source, hilo_launches, hilo_ledger}'::text[]) name
		UNION ALL
		SELECT 'hilo_internal', name, 'hilo_guard', 'hilo_guard_rows', 'FULL'
		  FROM unnest('{hilo_generator, hilo_gapless, hilo_node}'::text[]) name
		UNION ALL
		SELECT '@extschema@', name, 'hilo_guard_worker', 'hilo_guard_worker', 'DEFAULT'
		  FROM unnest('{hilo_shards, hilo_prefixes, hilo_move}'::text[]) name
	LOOP
		EXECUTE format('
			CREATE TRIGGER %4$I
				BEFORE INSERT OR UPDATE OR DELETE ON %1$s.%2$I
				FOR EACH ROW EXECUTE FUNCTION %1$s.%3$I();
			CREATE TRIGGER hilo_guard_truncate
				BEFORE TRUNCATE ON %1$s.%2$I
				FOR EACH STATEMENT EXECUTE FUNCTION %1$s.%3$I();
			ALTER TABLE %1$s.%2$I
				ENABLE ALWAYS TRIGGER %4$I, ENABLE ALWAYS TRIGGER hilo_guard_truncate,
				REPLICA IDENTITY %5$s',
			t.schema, t.name, t.function, t.trigger, t.identity);
	END LOOP;
END $$;
