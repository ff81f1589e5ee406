CREATE FUNCTION @extschema@.hilo_guard()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard IS
	'keeps the tables of hilo from being changed but by hilo, and merges the rows of a dump';

REVOKE ALL ON FUNCTION @extschema@.hilo_guard FROM PUBLIC;

DO $$
DECLARE
	name pg_catalog.text;
BEGIN
	FOREACH name IN ARRAY '{hilo_hi, hilo_generator, hilo_gapless, hilo_privilege, hilo_source, hilo_id_key, hilo_launches, hilo_ledger, hilo_node}'::pg_catalog.text[] LOOP
		EXECUTE pg_catalog.format('
			CREATE TRIGGER hilo_guard_rows
				BEFORE INSERT OR UPDATE OR DELETE ON %2$s.%1$I
				FOR EACH ROW EXECUTE FUNCTION %2$s.hilo_guard();
			CREATE TRIGGER hilo_guard_truncate
				BEFORE TRUNCATE ON %2$s.%1$I
				FOR EACH STATEMENT EXECUTE FUNCTION %2$s.hilo_guard();
			ALTER TABLE %2$s.%1$I
				ENABLE ALWAYS TRIGGER hilo_guard_rows, ENABLE ALWAYS TRIGGER hilo_guard_truncate',
			name, '@extschema@');
	END LOOP;
END $$;

CREATE FUNCTION @extschema@.hilo_guard_worker()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard_worker IS
	'keeps rows of other servers out of the tables of hilo that users change';

REVOKE ALL ON FUNCTION @extschema@.hilo_guard_worker FROM PUBLIC;
