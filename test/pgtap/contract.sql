-- The SQL contract of the generators: what tests and ORMs call.
BEGIN;
SELECT * FROM no_plan();

-- Signatures, with the names of the arguments, defaults and result columns.
CREATE TEMP TABLE contract (signature text, arguments text, result text);
INSERT INTO contract VALUES
('hilo_create(text,text,bigint,bigint,bigint,bigint,integer,name,boolean)',
 'name text, ordering text DEFAULT ''session''::text, first bigint DEFAULT 1, max_value bigint DEFAULT ''9223372036854775807''::bigint, range_size bigint DEFAULT 32, max_range_size bigint DEFAULT 1048576, domain_bits integer DEFAULT 63, hub name DEFAULT NULL::name, if_not_exists boolean DEFAULT false',
 'void'),
('hilo_alter(text,text,bigint,bigint,bigint,bigint,integer,name,name)',
 'name text, ordering text DEFAULT NULL::text, first bigint DEFAULT NULL::bigint, max_value bigint DEFAULT NULL::bigint, range_size bigint DEFAULT NULL::bigint, max_range_size bigint DEFAULT NULL::bigint, domain_bits integer DEFAULT NULL::integer, hub name DEFAULT NULL::name, owner name DEFAULT NULL::name',
 'void'),
('hilo_rename(text,text)', 'name text, new_name text', 'void'),
('hilo_drop(text,boolean)', 'name text, if_exists boolean DEFAULT false', 'void'),
('hilo_next(regclass)', 'rel regclass', 'bigint'),
('hilo_next(regclass,bigint)', 'rel regclass, count bigint', 'SETOF bigint'),
('hilo_next_tag(text)', 'tag text', 'bigint'),
('hilo_next_tag(text,bigint)', 'tag text, count bigint', 'SETOF bigint'),
('hilo_next_id(text)', 'name text', 'text'),
('hilo_current(text)', 'name text', 'bigint'),
('hilo_next_range(text,bigint,bigint,timestamptz,bigint,text)',
 'name text, size bigint DEFAULT NULL::bigint, last_size bigint DEFAULT 0, last_range_at timestamp with time zone DEFAULT NULL::timestamp with time zone, last_max bigint DEFAULT 0, separator text DEFAULT NULL::text, OUT prefix text, OUT low bigint, OUT high bigint, OUT last_size bigint, OUT server_tag text, OUT last_range_at timestamp with time zone, OUT range_no bigint',
 'record'),
('hilo_return_range(text,bigint,bigint,bigint)',
 'name text, high bigint, last_used bigint, range_no bigint DEFAULT NULL::bigint', 'boolean'),
('hilo_next_hi(text,bigint)', 'name text, max_lo bigint', 'bigint'),
('hilo_release(text)', 'name text DEFAULT NULL::text', 'bigint'),
('hilo_seed(text,bigint,boolean)', 'name text, value bigint, force boolean DEFAULT false', 'bigint'),
('hilo_grant(text,name)', 'name text, role name', 'void'),
('hilo_revoke(text,name)', 'name text, role name', 'void'),
('hilo_generators()',
 'OUT name text, OUT ordering text, OUT owner regrole, OUT is_public boolean, OUT first bigint, OUT last bigint, OUT max_value bigint, OUT range_size bigint, OUT max_range_size bigint, OUT domain_bits integer, OUT created timestamp with time zone, OUT used_ratio double precision, OUT grants name[], OUT hub name, OUT columns text[]',
 'SETOF record'),
('hilo_session()',
 'OUT name text, OUT current bigint, OUT next bigint, OUT high bigint, OUT node_tag text',
 'SETOF record'),
('hilo_sources()',
 'OUT name text, OUT source regclass, OUT style text, OUT block bigint, OUT initial bigint, OUT hi_column name, OUT key_column name, OUT key_value text',
 'SETOF record'),
('hilo_stats()',
 'OUT name text, OUT ranges bigint, OUT ids bigint, OUT handed_out bigint, OUT prefetched bigint, OUT prefetch_hits bigint, OUT prefetch_misses bigint, OUT prefetch_busy bigint, OUT returned bigint, OUT lost bigint, OUT windows bigint, OUT flush_waits bigint, OUT flush_time double precision, OUT stats_reset timestamp with time zone',
 'SETOF record'),
('hilo_stats_server()',
 'OUT ranges bigint, OUT ids bigint, OUT handed_out bigint, OUT prefetched bigint, OUT prefetch_hits bigint, OUT prefetch_misses bigint, OUT prefetch_busy bigint, OUT returned bigint, OUT lost bigint, OUT windows bigint, OUT flush_waits bigint, OUT flush_time double precision, OUT stats_reset timestamp with time zone',
 'record'),
('hilo_identities()', 'OUT name text, OUT last bigint', 'SETOF record'),
('hilo_stats_reset()', '', 'void'),
('identity_next(text)', 'name text', 'bigint'),
('identity_next(text,bigint)', 'name text, count bigint, OUT low bigint, OUT high bigint', 'record'),
('identity_next_id(text)', 'pattern text', 'text'),
('identity_current(text)', 'name text', 'bigint'),
('identity_seed(text,bigint,boolean)', 'name text, value bigint, force boolean DEFAULT false', 'bigint'),
('hilo_attach(regclass,name,text,boolean)', 'rel regclass, col name, generator text DEFAULT NULL::text, follow boolean DEFAULT NULL::boolean', 'void'),
('hilo_detach(regclass,name)', 'rel regclass, col name', 'void'),
('hilo_resync(regclass,name)', 'rel regclass, col name', 'bigint'),
('hilo_resync_all()', 'OUT rel regclass, OUT col name, OUT generator text, OUT last bigint', 'SETOF record'),
('hilo_check(regclass)', 'rel regclass DEFAULT NULL::regclass, OUT rel regclass, OUT col name, OUT generator text, OUT problem text, OUT detail text, OUT hint text, OUT used_ratio double precision, OUT sequence regclass', 'SETOF record'),
('hilo_generator_of(regclass,name)', 'rel regclass, col name', 'SETOF text'),
('hilo_move(regclass,regclass)', '"from" regclass, "to" regclass', 'void'),
('hilo_adopt_sequence(regclass,name,regclass,text,bigint)',
 'rel regclass, col name, sequence regclass, style text, block bigint DEFAULT NULL::bigint', 'void'),
('hilo_adopt_table(regclass,name,regclass,text,bigint,name,text,name,bigint)',
 'rel regclass, col name, source regclass, style text, block bigint DEFAULT NULL::bigint, key_column name DEFAULT NULL::name, key_value text DEFAULT NULL::text, hi_column name DEFAULT NULL::name, initial bigint DEFAULT NULL::bigint',
 'void'),
('hilo_adopt_sequence_tag(text,regclass,text,bigint)',
 'tag text, sequence regclass, style text, block bigint DEFAULT NULL::bigint', 'void'),
('hilo_adopt_table_tag(text,regclass,text,bigint,name,text,name,bigint)',
 'tag text, source regclass, style text, block bigint DEFAULT NULL::bigint, key_column name DEFAULT NULL::name, key_value text DEFAULT NULL::text, hi_column name DEFAULT NULL::name, initial bigint DEFAULT NULL::bigint',
 'void');

SELECT has_function(split_part(signature, '(', 1)::name,
                    CASE WHEN signature LIKE '%()' THEN '{}' ELSE string_to_array(rtrim(split_part(signature, '(', 2), ')'), ',') END::name[])
  FROM contract;
SELECT is(pg_get_function_arguments(signature::regprocedure), arguments, 'arguments of ' || signature)
  FROM contract;
SELECT is(pg_get_function_result(signature::regprocedure), result, 'result of ' || signature)
  FROM contract;
SELECT is((SELECT (provolatile, proparallel, proisstrict, prosecdef, proleakproof)::text FROM pg_proc WHERE oid = signature::regprocedure),
          '(v,u,f,f,f)', signature || ' is volatile, parallel unsafe, called on null, not SECURITY DEFINER')
  FROM contract;
SELECT is(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), signature !~ 'stats_reset', 'who may call ' || signature)
  FROM contract;

-- Document ids; the last column is of volatility, parallel safety and strictness.
CREATE TEMP TABLE document_contract (signature text, arguments text, result text, kind text);
INSERT INTO document_contract VALUES
('document_id(text)', 'pattern text DEFAULT NULL::text', 'text', '(v,u,f)'),
('document_id_strategy(text)', 'pattern text', 'text', '(s,s,f)'),
('document_id_valid(text,text)', 'id text, separator text DEFAULT ''/''::text', 'boolean', '(i,s,t)'),
('document_id_parts(text)',
 'id text, OUT prefix text, OUT number bigint, OUT node_tag text, OUT anchor text, OUT strategy text', 'record', '(s,s,t)'),
('artificial_id(text,"any")', 'collection text, VARIADIC key "any"', 'text', '(s,s,f)'),
('hilo_tag(text)', 'collection text', 'text', '(i,s,t)'),
('document_id_assign()', '', 'trigger', '(v,u,f)'),
('hilo_follow()', '', 'trigger', '(v,u,f)'),
('hilo_number_assign()', '', 'trigger', '(v,u,f)'),
('hilo_group_last(regclass,name)', 'rel regclass, col name', 'bigint', '(v,u,f)'),
('hilo_group_last(regclass,name,"any")', 'rel regclass, col name, VARIADIC group_values "any"', 'bigint', '(v,u,f)'),
('hilo_group_seed(regclass,name,bigint)', 'rel regclass, col name, value bigint', 'void', '(v,u,f)'),
('hilo_group_seed(regclass,name,bigint,"any")', 'rel regclass, col name, value bigint, VARIADIC group_values "any"', 'void', '(v,u,f)'),
('hilo_import_ravendb(jsonb,jsonb)', 'hilo jsonb, identities jsonb, OUT name text, OUT last bigint', 'SETOF record', '(v,u,f)');
SELECT is((SELECT (pg_get_function_arguments(oid), pg_get_function_result(oid),
                   (provolatile, proparallel, proisstrict)::text, prosecdef, proleakproof)::text
             FROM pg_proc WHERE oid = signature::regprocedure),
          (arguments, result, kind, false, false)::text, signature || ' is as agreed')
  FROM document_contract;
SELECT ok(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), 'any role may call ' || signature)
  FROM document_contract;
SELECT domain_type_is('docid', 'text', 'docid is a domain over text');
SELECT is((SELECT (conname, pg_get_constraintdef(oid))::text FROM pg_constraint WHERE contypid = 'docid'::regtype),
          '(docid_valid,"CHECK (document_id_valid(VALUE, ''/''::text))")', 'its check looks at no setting');

-- No role has rights to the tables; they have a guard that cannot be gone round by the
-- replica role, and are dumped.
CREATE TEMP TABLE our_table AS SELECT unnest(ARRAY['hilo_hi', 'hilo_gapless', 'hilo_generator', 'hilo_privilege', 'hilo_source', 'hilo_series', 'hilo_taken']::name[]) AS name;
SELECT schema_privs_are('hilo_internal', 'public', ARRAY[]::name[], 'hilo_internal is not for PUBLIC');
SELECT table_privs_are('hilo_internal', name, 'public', ARRAY[]::name[], name || ' is not for PUBLIC') FROM our_table;
SELECT has_pk('hilo_internal', name, name || ' has a primary key') FROM our_table;
SELECT is((SELECT string_agg(tgname || ' ' || tgenabled::text || ' ' || tgtype, ', ' ORDER BY tgname COLLATE "C")
             FROM pg_trigger WHERE tgrelid = format('hilo_internal.%I', name)::regclass AND NOT tgisinternal),
          'hilo_guard_rows A 31, hilo_guard_truncate A 34', name || ' has its triggers, always on')
  FROM our_table;
SELECT ok(format('hilo_internal.%I', name)::regclass = ANY (extconfig), name || ' is dumped') FROM our_table, pg_extension WHERE extname = 'hilo';
SELECT is(array_length(extconfig, 1), 7, 'nothing else is dumped') FROM pg_extension WHERE extname = 'hilo';
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
	 WHERE classid = 'pg_proc'::regclass AND p.proname IN ('hilo_generators', 'hilo_session', 'hilo_sources', 'hilo_stats', 'hilo_stats_server', 'hilo_identities')
	   AND (p.provolatile, p.proparallel, p.proisstrict) <> ('v', 'u', false)
	$$, 'what shows generators is volatile and parallel unsafe too');
-- stable, as they look at the roles that there are
SELECT is_empty($$
	SELECT what FROM member JOIN pg_proc p ON p.oid = objid
	 WHERE classid = 'pg_proc'::regclass AND p.proname ~ '^hilo_(column|role|table|key)_'
	   AND (p.provolatile, p.proparallel, p.proisstrict) <> ('s', 's', true)
	$$, 'the I/O functions of hilo_column, hilo_role, hilo_table and hilo_key are stable, parallel safe and strict');
SELECT set_eq($$SELECT what FROM member JOIN pg_type t ON t.oid = objid WHERE classid = 'pg_type'::regclass AND t.typtype <> 'c' AND t.typcategory <> 'A'$$,
	ARRAY['type hilo_internal.hilo_column', 'type hilo_internal.hilo_key', 'type hilo_internal.hilo_role', 'type hilo_internal.hilo_table', 'type docid', 'type id53', 'type id63'], 'hilo_column, hilo_key, hilo_role, hilo_table and the domains are its only types');
SELECT is((SELECT (typlen, typbyval, typalign, typinput::text, typoutput::text, typreceive::text, typsend::text)::text
             FROM pg_type WHERE oid = 'hilo_internal.hilo_role'::regtype),
          '(4,t,i,hilo_internal.hilo_role_in,hilo_internal.hilo_role_out,-,-)', 'hilo_role is an OID, written as a role');
SELECT results_eq($$
	SELECT castsource::regtype::text, casttarget::regtype::text, castmethod, castcontext
	  FROM pg_cast WHERE oid IN (SELECT objid FROM member WHERE classid = 'pg_cast'::regclass)
	 ORDER BY 1
	$$, $$VALUES ('hilo_internal.hilo_column', 'bigint', 'b'::"char", 'i'::"char"), ('hilo_internal.hilo_key', 'text', 'b', 'i'), ('hilo_internal.hilo_role', 'oid', 'b', 'i'), ('hilo_internal.hilo_table', 'oid', 'b', 'i')$$, 'its only casts are those to a number, an OID or a text');
-- One word for one argument: what an argument of a public function means, and its types.
CREATE TEMP TABLE word (name name, types text, meaning text);
INSERT INTO word VALUES
('bits', 'int4', 'the width of the domain of a permutation'),
('block', 'int8', 'the setting of an ORM that says how many ids a hi has'),
('chunk', 'int4', 'a part of a trace id'),
('col', 'name', 'a column, by its name'),
('collection', 'text', 'a collection of documents'),
('count', 'int8', 'how many ids'),
('counter', 'int4 int8', 'the counted part of an id'),
('domain_bits', 'int4', 'the width of the domain of a generator'),
('entity', 'text', 'a row of Marten''s'),
('first', 'int8', 'the first id of a generator'),
('follow', 'bool', 'whether a generator is raised by rows'),
('force', 'bool', 'whether a seed may lower'),
('from', 'regclass', 'a table whose generator goes to another'),
('generator', 'text', 'the generator of a column'),
('generator_id', 'int4', 'a part of a decimal id'),
('group_values', '"any"', 'the values that a group of rows has in common'),
('hi_column', 'name', 'the column of an ORM''s hi'),
('high', 'int8', 'the last id of a range'),
('hilo', 'jsonb', 'documents of RavenDB''s HiLo'),
('hub', 'name', 'a foreign server'),
('id', 'int8 text', 'an id'),
('identities', 'jsonb', 'RavenDB''s identities'),
('if_exists', 'bool', 'whether a missing generator is no error'),
('if_not_exists', 'bool', 'whether an existing generator is no error'),
('initial', 'int8', 'the first value of an ORM''s optimizer'),
('key', '"any" bytea', 'what an id is computed from'),
('key_column', 'name', 'the column of the key of an ORM''s row'),
('key_value', 'text', 'the key of an ORM''s row'),
('last_max', 'int8', 'the highest id that a client knows of'),
('last_range_at', 'timestamptz', 'when a client got its last range'),
('last_size', 'int8', 'the size of a client''s last range'),
('last_used', 'int8', 'the last id of a range that was used'),
('launch_id', 'int4', 'a part of a decimal id'),
('max_lo', 'int8', 'the greatest lo'),
('max_range_size', 'int8', 'the ids of the largest range'),
('max_skew', 'interval', 'how far an id may be ahead of the clock'),
('max_value', 'int8', 'the last id of a generator'),
('mt_hilo', 'regclass', 'a table of Marten''s'),
('n', 'int4', 'how many partitions'),
('name', 'text', 'a generator or an identity'),
('near', 'timestamptz', 'about when an id was taken'),
('new_name', 'text', 'what a generator will be called'),
('node_no', 'int4', 'a part of a trace id'),
('node_tag', 'text', 'the mark of a server'),
('ordering', 'text', 'who holds reserved ids'),
('owner', 'name', 'the role that owns a generator'),
('pattern', 'text', 'the text that a text id is made from'),
('range_no', 'int8', 'a range'),
('range_size', 'int8', 'the ids of the first range of a generator'),
('rel', 'regclass', 'a table'),
('role', 'name', 'a role that is granted a right'),
('row_bucket', 'int4', 'the bucket of a row'),
('row_id', 'text', 'the id of a row'),
('schema', 'name', 'a schema'),
('separator', 'text', 'what stands between the parts of a text id'),
('sequence', 'regclass', 'a sequence'),
('source', 'regclass', 'the table of an ORM''s hi'),
('shards', 'int4', 'how many shards'),
('size', 'int8', 'how many ids of a range a client asks for'),
('source', 'regclass', 'a table with a row of an ORM''s'),
('step', 'int4', 'how many buckets make a row of a report'),
('style', 'text', 'the formula of an ORM'),
('system_identifier', 'int8', 'a cluster of PostgreSQL'),
('tag', 'text', 'a generator that is no table''s'),
('target', 'text', 'the id that another one is anchored to'),
('to', 'regclass', 'the table that gets the generator'),
('ts', 'timestamptz', 'a part of a trace id'),
('tweak', 'int8', 'what makes permutations under one key differ'),
('value', 'int8', 'the number that a generator or a source is at'),
('warn_bytes', 'int8', 'the bytes above which a bucket is oversized'),
('warn_share', 'float8', 'the share of a table above which a bucket is oversized'),
('with_check', 'bool', 'whether a text ends with a check character');
SELECT set_eq($$
	SELECT argument, string_agg(DISTINCT coalesce(t.typelem::regtype::text || '[]', t.typname), ' ')
	  FROM member JOIN pg_proc p ON p.oid = objid,
		   unnest(p.proargnames[1:p.pronargs], p.proargtypes::oid[]) a (argument, type)
	  JOIN LATERAL (SELECT CASE typname WHEN 'any' THEN '"any"' ELSE typname::text END AS typname,
						   CASE WHEN typcategory = 'A' THEN typelem END AS typelem
					  FROM pg_type WHERE oid = type) t ON true
	 WHERE classid = 'pg_proc'::regclass AND pronamespace <> 'hilo_internal'::regnamespace
	 GROUP BY argument
	$$, $$SELECT name::text, types FROM word$$, 'one word for one argument');
SELECT is((SELECT proargnames[1:8] FROM pg_proc WHERE proname = 'hilo_alter'),
		  (SELECT proargnames[1:8] FROM pg_proc WHERE proname = 'hilo_create'), 'hilo_alter has the order of hilo_create');
-- every function that is ours is in the contract, or is said to be inner
SELECT is_empty($$
	SELECT what FROM member
	 WHERE classid = 'pg_proc'::regclass
	   AND objid::regprocedure NOT IN (SELECT signature::regprocedure FROM contract
	                                   UNION SELECT signature::regprocedure FROM document_contract)
	   AND what !~ '^function anchor_' -- anchor.sql has those
	   AND what !~ '^function hilo_internal\.hilo_next' -- copy_nested has those
	   AND (SELECT proname FROM pg_proc WHERE oid = objid) NOT IN ('hilo_guard', 'hilo_copy_support',
			'docid_fold', 'hilo_column_in', 'hilo_column_out', 'hilo_role_in', 'hilo_role_out', 'hilo_table_in', 'hilo_table_out', 'hilo_key_in', 'hilo_key_out',
			'hilo_forget_tables', 'hilo_join_tables',
			'hilo_provide_marten', 'hilo_marten_next_hi',
			-- of hilo_import_ravendb
			'hilo_ravendb_counters', 'hilo_raise_counter', 'hilo_columns', 'hilo_generator_list', 'anchor_report_rows', 'hilo_look', 'hilo_check_sources', 'hilo_check_references', 'hilo_check_subjects', 'hilo_try_resync',
			-- see schemes.sql
			'id_scatter', 'id_gather', 'id_encrypt', 'id_decrypt',
			'id_text', 'id_from_text', 'decimal_id', 'decimal_id_parts', 'trace_id', 'trace_id_parts', 'trace_id_valid',
			'decimal_id_next', 'trace_id_next',
			-- see hub.sql
			'hilo_hub_define', 'hilo_citus_setup', 'hilo_citus_join',
			'hilo_hub_take', 'hilo_hub_last', 'hilo_hub_seed', 'hilo_hub_number', 'hilo_hub_register', 'hilo_setting',
			'hilo_node_forget', 'hilo_nodes')
	$$, 'no other function');

SELECT * FROM finish();
ROLLBACK;
