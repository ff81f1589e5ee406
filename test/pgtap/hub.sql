-- The contract of what other servers call, and of what a hub shows of them.
BEGIN;
SELECT * FROM no_plan();

-- The last columns are of volatility, parallel safety, strictness and SECURITY DEFINER, and whether any role may call.
CREATE TEMP TABLE hub_contract (signature text, arguments text, result text, kind text, is_public bool);
INSERT INTO hub_contract VALUES
('hilo_internal.hilo_hub_take(text,text,bigint,boolean,boolean,bigint,bigint,name)',
 'name text, ordering text, size bigint, is_exact boolean, whole_block boolean, last_max bigint, max_value bigint, act_as name DEFAULT ''''::name, OUT low bigint, OUT high bigint', 'record', 'vutf', false),
('hilo_internal.hilo_hub_last(text,name)', 'name text, act_as name DEFAULT ''''::name', 'bigint', 'vutf', false),
('hilo_internal.hilo_hub_seed(text,bigint,name)', 'name text, value bigint, act_as name DEFAULT ''''::name', 'bigint', 'vutf', false),
('hilo_internal.hilo_hub_define(text,name)',
 'name text, act_as name DEFAULT ''''::name, OUT is_global bigint, OUT max_value bigint, OUT range_size bigint, OUT max_range_size bigint, OUT owner text', 'record', 'vutf', false),
('hilo_citus_setup()', 'OUT node text, OUT node_tag text', 'SETOF record', 'vuff', false),
('hilo_internal.hilo_citus_join(text,integer,text,text,text)',
 'host text, port integer, dbname text, role text, tag_of_coordinator text', 'text', 'vutf', false),
('hilo_internal.hilo_hub_register(bigint,text,integer,text)', 'system_identifier bigint, node_tag text, node_no integer, name text', 'text', 'vutt', false),
('hilo_internal.hilo_setting(text)', 'name text', 'text', 'sstf', false),
('hilo_nodes()', 'OUT system_identifier bigint, OUT node_tag text, OUT node_no integer, OUT name text, OUT address text, OUT first_seen timestamp with time zone, OUT last_seen timestamp with time zone, OUT problem text', 'SETOF record', 'ssff', true),
('hilo_node_forget(bigint,text)', 'system_identifier bigint, node_tag text DEFAULT NULL::text', 'integer', 'vuft', false);
SELECT is((SELECT (pg_get_function_arguments(oid), pg_get_function_result(oid),
                   format('%s%s%s%s', provolatile, proparallel, proisstrict, prosecdef))::text
             FROM pg_proc WHERE oid = signature::regprocedure),
          (arguments, result, kind)::text, signature || ' is as agreed')
  FROM hub_contract;
SELECT is(has_function_privilege('public', signature::regprocedure, 'EXECUTE'), is_public, 'who may call ' || signature)
  FROM hub_contract;

SELECT table_privs_are('hilo_internal', 'hilo_node', 'public', ARRAY['SELECT'], 'hilo_nodes reads hilo_node as its caller');
SELECT ok('hilo_internal.hilo_node'::regclass <> ALL (extconfig), 'hilo_node is not dumped') FROM pg_extension WHERE extname = 'hilo';
SELECT is((SELECT string_agg(tgname || ' ' || tgenabled::text || ' ' || tgtype, ', ' ORDER BY tgname COLLATE "C")
             FROM pg_trigger WHERE tgrelid = 'hilo_internal.hilo_node'::regclass AND NOT tgisinternal),
          'hilo_guard_rows A 31, hilo_guard_truncate A 34', 'hilo_node has its triggers, always on');

SELECT * FROM finish();
ROLLBACK;
