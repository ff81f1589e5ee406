-- ALTER DEFAULT PRIVILEGES may have granted more than what follows, such as
-- TRIGGER on a table, by which one role's code runs as another.  Functions in
-- the user's schema keep the database's defaults, except these three.
DO $$
DECLARE
	roles text := concat_ws(', ', 'PUBLIC', (
		SELECT string_agg(DISTINCT a.grantee::regrole::text, ', ')
		  FROM pg_default_acl d, aclexplode(d.defaclacl) a
		 WHERE d.defaclrole = quote_ident(current_user)::regrole AND a.grantee <> ALL (ARRAY[0, d.defaclrole])));
BEGIN
	EXECUTE 'REVOKE ALL ON SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON ALL TABLES IN SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON ALL ROUTINES IN SCHEMA hilo_internal FROM ' || roles;
	EXECUTE 'REVOKE ALL ON FUNCTION @extschema@.hilo_citus_setup, @extschema@.hilo_node_forget, @extschema@.hilo_stats_reset FROM ' || roles;
END $$;

-- The database's owner can dump and restore these; guard.c says which rows.
GRANT USAGE ON SCHEMA hilo_internal TO pg_database_owner;
GRANT SELECT, INSERT ON hilo_internal.hilo_generator, hilo_internal.hilo_hi, hilo_internal.hilo_gapless,
	hilo_internal.hilo_privilege, hilo_internal.hilo_source, hilo_internal.hilo_series
	TO pg_database_owner;

-- hilo_nodes() reads it with the rights of the caller.
GRANT SELECT ON hilo_internal.hilo_node TO PUBLIC;

-- SQL functions call these with the rights of the caller.
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_ravendb_counters, hilo_internal.hilo_raise_counter, hilo_internal.hilo_columns, hilo_internal.hilo_followed,
	hilo_internal.hilo_generator_list, hilo_internal.hilo_check_sources,
	hilo_internal.hilo_check_references, hilo_internal.hilo_check_subjects,
	hilo_internal.hilo_check_column,
	hilo_internal.hilo_orm_sequence,
	hilo_internal.hilo_try_resync,
	hilo_internal.anchor_report_rows TO PUBLIC;

-- COPY calls these in place of functions that the caller may call.
GRANT EXECUTE ON FUNCTION hilo_internal.hilo_next, hilo_internal.hilo_next_tag TO PUBLIC;
