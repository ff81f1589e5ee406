CREATE FUNCTION @extschema@.hilo_guard()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard IS
	'keeps the tables of hilo from being changed but by hilo, and merges the rows of a dump';

CREATE FUNCTION @extschema@.hilo_guard_worker()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard_worker IS
	'keeps rows of other servers out of the tables of hilo that users change';

DO $$
DECLARE
	t pg_catalog.record;
BEGIN
	-- What follows the changes of a table in the WAL while it rewrites it, and would miss
	-- some, refuses replica identities FULL and NOTHING.  FULL is for those with rows that
	-- are updated; NOTHING keeps what is deleted to itself.
	FOR t IN
		SELECT name, 'hilo_guard' AS function, 'hilo_guard_rows' AS trigger, 'NOTHING' AS identity
		  FROM pg_catalog.unnest('{hilo_hi, hilo_privilege, hilo_source, hilo_launches, hilo_ledger}'::pg_catalog.text[]) name
		UNION ALL
		SELECT name, 'hilo_guard', 'hilo_guard_rows', 'FULL'
		  FROM pg_catalog.unnest('{hilo_generator, hilo_gapless, hilo_node}'::pg_catalog.text[]) name
		UNION ALL
		SELECT name, 'hilo_guard_worker', 'hilo_guard_worker', 'DEFAULT'
		  FROM pg_catalog.unnest('{hilo_shards, hilo_prefixes, hilo_move}'::pg_catalog.text[]) name
	LOOP
		EXECUTE pg_catalog.format('
			CREATE TRIGGER %4$I
				BEFORE INSERT OR UPDATE OR DELETE ON %1$s.%2$I
				FOR EACH ROW EXECUTE FUNCTION %1$s.%3$I();
			CREATE TRIGGER hilo_guard_truncate
				BEFORE TRUNCATE ON %1$s.%2$I
				FOR EACH STATEMENT EXECUTE FUNCTION %1$s.%3$I();
			ALTER TABLE %1$s.%2$I
				ENABLE ALWAYS TRIGGER %4$I, ENABLE ALWAYS TRIGGER hilo_guard_truncate,
				REPLICA IDENTITY %5$s',
			'@extschema@', t.name, t.function, t.trigger, t.identity);
	END LOOP;
END $$;
