-- What the extension has: tables, functions, types and casts, and which rights.
BEGIN;
SELECT * FROM no_plan();

-- No role has rights to the tables; they have a guard that cannot be gone round by the
-- replica role, and are dumped.
CREATE TEMP TABLE our_table AS SELECT unnest(ARRAY['hilo_hi', 'hilo_gapless', 'hilo_generator', 'hilo_privilege', 'hilo_source', 'hilo_series']::name[]) AS name;
SELECT schema_privs_are('hilo_internal', 'public', ARRAY[]::name[], 'hilo_internal is not for PUBLIC');
SELECT table_privs_are('hilo_internal', name, 'public', ARRAY[]::name[], name || ' is not for PUBLIC') FROM our_table;
SELECT has_pk('hilo_internal', name, name || ' has a primary key') FROM our_table;
SELECT is((SELECT string_agg(tgname || ' ' || tgenabled::text || ' ' || tgtype, ', ' ORDER BY tgname COLLATE "C")
             FROM pg_trigger WHERE tgrelid = format('hilo_internal.%I', name)::regclass AND NOT tgisinternal),
          'hilo_guard_rows A 31, hilo_guard_truncate A 34', name || ' has its triggers, always on')
  FROM our_table;
SELECT ok(format('hilo_internal.%I', name)::regclass = ANY (extconfig), name || ' is dumped') FROM our_table, pg_extension WHERE extname = 'hilo';
SELECT is(array_length(extconfig, 1), 6, 'nothing else is dumped') FROM pg_extension WHERE extname = 'hilo';
SELECT is((SELECT count(*) FROM pg_attribute WHERE attrelid = 'hilo_internal.hilo_hi'::regclass AND attnum > 0
              AND (NOT attnotnull OR attisdropped)), 0::bigint, 'hilo_hi has no column that may be null');
SELECT is((SELECT attname::text FROM pg_attribute WHERE attrelid = 'hilo_internal.hilo_hi'::regclass AND attlen = -1), 'name',
          'hilo_hi has one column of variable length');
SELECT is((SELECT max(attnum) FROM pg_attribute WHERE attrelid = 'hilo_internal.hilo_hi'::regclass),
          (SELECT attnum FROM pg_attribute WHERE attrelid = 'hilo_internal.hilo_hi'::regclass AND attname = 'name'), 'the last one');

-- The extension.
CREATE TEMP TABLE member AS
	SELECT classid, objid, pg_describe_object(classid, objid, 0) AS what
	  FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'hilo');
SELECT is((SELECT (extversion, extrelocatable)::text FROM pg_extension WHERE extname = 'hilo'), '(1.0.0,f)', 'version, not relocatable');
SELECT is((SELECT (superuser, trusted)::text FROM pg_available_extension_versions WHERE name = 'hilo' AND version = '1.0.0'), '(t,f)', 'only a superuser installs it');
SELECT is_empty($$
	SELECT what FROM member LEFT JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid
	 WHERE classid IN ('pg_namespace'::regclass, 'pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass)
	   AND coalesce(t.typtype <> 'c' AND t.typcategory <> 'A', true)
	   AND (pg_identify_object(classid, objid, 0)).identity !~ '^hilo_internal\.'
	   AND obj_description(objid, classid::regclass::name) IS NULL
	$$, 'every schema, function and type for users has a comment');
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
	 WHERE p.proname IN ('document_id_assign', 'hilo_number_assign')
	   AND obj_description(objid, 'pg_proc') !~ (E'\n' || proname || '\(')
	$$, 'that of a trigger''s function names its arguments');
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid
	 WHERE classid = 'pg_proc'::regclass AND has_function_privilege('public', p.oid, 'EXECUTE')
	   AND p.prorettype IN ('trigger'::regtype, 'internal'::regtype)
	   AND p.proname NOT IN ('document_id_assign', 'hilo_follow', 'hilo_number_assign')
	$$, 'no role may call a trigger function, except those for tables of users');
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid
	 WHERE classid = 'pg_proc'::regclass
	   AND (p.prosecdef AND p.proname NOT IN ('hilo_hub_register', 'hilo_node_forget') OR p.proparallel = 's' AND p.provolatile = 'v')
	$$, 'no function is SECURITY DEFINER, except for the list of servers, or parallel safe and volatile');
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid JOIN pg_language l ON l.oid = p.prolang
	 WHERE classid = 'pg_proc'::regclass AND l.lanname <> 'c' AND p.prosqlbody IS NULL AND p.prokind <> 'p'
	   AND NOT 'search_path=pg_catalog, pg_temp' = ANY (coalesce(p.proconfig, '{}'))
	$$, 'no function depends on the search_path of its caller');
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid
	 WHERE classid = 'pg_proc'::regclass AND p.proname IN ('hilo_generators', 'hilo_session', 'hilo_sources', 'hilo_stats', 'hilo_stats_server')
	   AND (p.provolatile, p.proparallel, p.proisstrict) <> ('v', 'u', false)
	$$, 'what shows generators is volatile and parallel unsafe too');
-- stable, as they look at the roles that there are
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid
	 WHERE classid = 'pg_proc'::regclass AND p.proname ~ '^hilo_(role|table|key)_'
	   AND (p.provolatile, p.proparallel, p.proisstrict) <> ('s', 's', true)
	$$, 'the I/O functions of hilo_role, hilo_table and hilo_key are stable, parallel safe and strict');
SELECT set_eq($$SELECT what FROM member JOIN pg_type t ON t.oid = objid WHERE classid = 'pg_type'::regclass AND t.typtype <> 'c' AND t.typcategory <> 'A'$$,
	ARRAY['type hilo_internal.hilo_key', 'type hilo_internal.hilo_role', 'type hilo_internal.hilo_table', 'type docid', 'type id53', 'type id63'], 'hilo_key, hilo_role, hilo_table and the domains are its only types');
SELECT is((SELECT (typlen, typbyval, typalign, typinput::text, typoutput::text, typreceive::text, typsend::text)::text
             FROM pg_type WHERE oid = 'hilo_internal.hilo_role'::regtype),
          '(4,t,i,hilo_internal.hilo_role_in,hilo_internal.hilo_role_out,-,-)', 'hilo_role is an OID, written as a role');
SELECT results_eq($$
	SELECT castsource::regtype::text, casttarget::regtype::text, castmethod, castcontext
	  FROM pg_cast WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_cast'::regclass)
	 ORDER BY 1
	$$, $$VALUES ('hilo_internal.hilo_key', 'text', 'b'::"char", 'i'::"char"), ('hilo_internal.hilo_role', 'oid', 'b', 'i'), ('hilo_internal.hilo_table', 'oid', 'b', 'i')$$, 'its only casts are those to an OID or a text');

SELECT * FROM finish();
ROLLBACK;
