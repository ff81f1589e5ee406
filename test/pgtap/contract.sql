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
SELECT is(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), signature !~ 'stats_reset', 'whether any role may call ' || signature)
  FROM contract;

SELECT is((SELECT proargnames[1:8] FROM pg_proc WHERE proname = 'hilo_alter'),
		  (SELECT proargnames[1:8] FROM pg_proc WHERE proname = 'hilo_create'), 'hilo_alter has the order of hilo_create');

CREATE TEMP TABLE member AS
	SELECT classid, objid, pg_describe_object(classid, objid, 0) AS what
	  FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'hilo');
-- every function that is ours is in the contract, or is said to be inner
SELECT is_empty($$
	SELECT what FROM member
	 WHERE classid = 'pg_proc'::regclass
	   AND objid::regprocedure NOT IN (SELECT signature::regprocedure FROM contract)
	   AND what !~ '^function anchor_' -- anchor.sql has those
	   AND what !~ '^function hilo_internal\.hilo_next' -- copy_nested has those
	   AND (SELECT proname FROM pg_proc WHERE oid = objid) NOT IN ('hilo_guard', 'hilo_copy_support',
			'docid_fold', 'hilo_role_in', 'hilo_role_out', 'hilo_table_in', 'hilo_table_out', 'hilo_key_in', 'hilo_key_out',
			'hilo_forget_tables', 'hilo_join_tables', 'hilo_mend',
			'hilo_provide_marten', 'hilo_marten_next_hi',
			-- of hilo_import_ravendb
			'hilo_ravendb_counters', 'hilo_raise_counter', 'hilo_columns', 'hilo_followed', 'hilo_generator_list', 'anchor_report_rows', 'hilo_check_column', 'hilo_orm_sequence', 'hilo_check_sources', 'hilo_check_references', 'hilo_check_subjects', 'hilo_try_resync',
			-- see documents.sql
			'document_id', 'document_id_strategy', 'document_id_valid', 'document_id_parts', 'artificial_id', 'hilo_tag', 'document_id_assign',
			'hilo_follow', 'hilo_number_assign', 'hilo_group_last', 'hilo_group_seed', 'hilo_import_ravendb',
			-- see schemes.sql
			'id_scatter', 'id_gather', 'id_encrypt', 'id_decrypt',
			'id_text', 'id_from_text', 'decimal_id', 'decimal_id_parts', 'trace_id', 'trace_id_parts', 'trace_id_valid',
			'decimal_id_next', 'trace_id_next',
			-- see hub.sql
			'hilo_hub_define', 'hilo_citus_setup', 'hilo_citus_join', 'hilo_citus_recall', 'hilo_citus_forget',
			'hilo_hub_take', 'hilo_hub_last', 'hilo_hub_seed', 'hilo_hub_register', 'hilo_setting',
			'hilo_node_forget', 'hilo_nodes')
	$$, 'no other function');

SELECT * FROM finish();
ROLLBACK;
