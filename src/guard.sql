CREATE FUNCTION @extschema@.hilo_guard()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard IS
	'keeps the tables of hilo from being changed but by hilo, and merges the rows of a dump';

REVOKE ALL ON FUNCTION @extschema@.hilo_guard FROM PUBLIC;

CREATE FUNCTION @extschema@.hilo_guard_worker()
RETURNS pg_catalog.trigger
AS 'MODULE_PATHNAME'
LANGUAGE C;

COMMENT ON FUNCTION @extschema@.hilo_guard_worker IS
	'keeps rows of other servers out of the tables of hilo that users change';

REVOKE ALL ON FUNCTION @extschema@.hilo_guard_worker FROM PUBLIC;

DO $$
DECLARE
	t pg_catalog.record;
BEGIN
	FOR t IN
		SELECT name, 'hilo_guard' AS function, 'hilo_guard_rows' AS trigger
		  FROM pg_catalog.unnest('{hilo_hi, hilo_generator, hilo_gapless, hilo_privilege, hilo_source, hilo_id_key, hilo_launches, hilo_ledger, hilo_node}'::pg_catalog.text[]) name
		UNION ALL
		SELECT name, 'hilo_guard_worker', 'hilo_guard_worker'
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
				ENABLE ALWAYS TRIGGER %4$I, ENABLE ALWAYS TRIGGER hilo_guard_truncate',
			'@extschema@', t.name, t.function, t.trigger);
	END LOOP;
END $$;

-- What a database gives on all new tables is not meant for these.
DO $$
DECLARE
	t pg_catalog.record;
BEGIN
	FOR t IN
		SELECT c.relname, a.privilege_type, pg_catalog.pg_get_userbyid(a.grantee) AS role
		  FROM pg_catalog.pg_extension e, pg_catalog.pg_class c, pg_catalog.aclexplode(c.relacl) a
		 WHERE e.extname OPERATOR(pg_catalog.=) 'hilo'
		   AND c.relnamespace OPERATOR(pg_catalog.=) e.extnamespace
		   AND c.relname OPERATOR(pg_catalog.=) ANY ('{hilo_hi, hilo_generator, hilo_gapless, hilo_privilege, hilo_source, hilo_id_key, hilo_launches, hilo_ledger, hilo_node, hilo_shards, hilo_prefixes, hilo_move}'::pg_catalog.name[])
		   AND a.grantee OPERATOR(pg_catalog.<>) ALL (ARRAY[0::pg_catalog.oid, c.relowner])
		   AND (a.grantee OPERATOR(pg_catalog.<>) e.extowner
				OR c.relname OPERATOR(pg_catalog.=) ANY ('{hilo_id_key, hilo_ledger, hilo_move}'::pg_catalog.name[])
				OR c.relname OPERATOR(pg_catalog.<>) ALL ('{hilo_shards, hilo_prefixes}'::pg_catalog.name[])
				   AND a.privilege_type OPERATOR(pg_catalog.<>) ALL ('{SELECT, INSERT}'::pg_catalog.text[]))
	LOOP
		EXECUTE pg_catalog.format('REVOKE %s ON @extschema@.%I FROM %I', t.privilege_type, t.relname, t.role);
	END LOOP;
END $$;
