-- The SQL contract of anchors and shards.
BEGIN;
SELECT plan(14);

-- Signatures, with the names of the arguments, defaults and result columns;
-- volatility, parallel safety and strictness.
CREATE TEMP TABLE contract (signature text, arguments text, result text, kind text);
INSERT INTO contract VALUES
('anchor_bucket(text)', 'id text', 'integer', '(i,s,t)'),
('anchor_of(text)', 'id text', 'text', '(i,s,t)'),
('anchor_to(text,text)', 'id text, target text', 'text', '(i,s,t)'),
('anchor_match(text,text)', 'row_id text, id text', 'boolean', '(i,s,f)'),
('anchor_match(integer,text,text)', 'row_bucket integer, row_id text, id text', 'boolean', '(i,s,f)'),
('anchor_ranges(integer)', 'shards integer, OUT shard integer, OUT buckets int4range', 'SETOF record', '(i,s,t)'),
('anchor_shard(text)', 'id text', 'integer', '(s,s,t)'),
('anchor_bucket_prefixed(text)', 'id text', 'integer', '(s,s,t)'),
('anchor_bucket_prefixed(text,text[],integer[])', 'id text, prefixes text[], bucket_starts integer[]', 'integer', '(i,s,t)'),
('anchor_prefix_set(text,integer[],integer)', 'prefix text, shards integer[], bucket_start integer DEFAULT NULL::integer', 'integer', '(v,u,f)'),
('anchor_prefix_drop(text)', 'prefix text', 'void', '(v,u,t)'),
('anchor_partition(regclass,integer,name[],name)', 'rel regclass, shards integer, servers name[] DEFAULT NULL::name[], bucket_column name DEFAULT NULL::name', 'void', '(v,u,f)'),
('anchor_partition_in_steps(regclass,integer,name[],name)', 'IN rel regclass, IN shards integer, IN servers name[] DEFAULT NULL::name[], IN bucket_column name DEFAULT NULL::name', NULL, '(v,u,f)'),
('anchor_servers(regclass)', 'rel regclass, OUT buckets int4range, OUT partition regclass, OUT server name', 'SETOF record', '(s,u,t)'),
('anchor_move(regclass,int4range,name,integer)', 'rel regclass, buckets int4range, to_server name, chunk_rows integer DEFAULT 5000', 'void', '(v,u,f)'),
('anchor_move_in_steps(regclass,int4range,name,integer)', 'IN rel regclass, IN buckets int4range, IN to_server name, IN chunk_rows integer DEFAULT 5000', NULL, '(v,u,f)'),
('anchor_report(regclass,name,integer,double precision,bigint)',
 'rel regclass, col name, range_size integer DEFAULT 32768, warn_share double precision DEFAULT 0.01, warn_bytes bigint DEFAULT 1073741824, OUT buckets int4range, OUT rows bigint, OUT bytes bigint, OUT shard integer, OUT oversized boolean, OUT largest_bucket integer, OUT largest_anchor text, OUT largest_rows bigint, OUT largest_bytes bigint',
 'SETOF record', '(s,u,f)');

SELECT set_eq($$
	SELECT signature, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), (provolatile, proparallel, proisstrict)::text
	  FROM contract c JOIN pg_proc p ON p.oid = c.signature::regprocedure
	$$, 'SELECT * FROM contract', 'the functions of anchors and shards');

-- The tables anyone may read, and the owner of the extension may change.
SELECT columns_are('hilo_shards', ARRAY['bucket_start', 'shard']);
SELECT columns_are('hilo_prefixes', ARRAY['bucket_start', 'prefix', 'folded']);
SELECT table_privs_are(t, 'public', ARRAY['SELECT'], 'anyone may select from ' || t || ', and no more')
  FROM unnest(ARRAY['hilo_shards', 'hilo_prefixes']::name[]) t;
SELECT ok(t::regclass = ANY (extconfig), t || ' is dumped')
  FROM unnest(ARRAY['hilo_shards', 'hilo_prefixes']) t, pg_extension WHERE extname = 'hilo';

-- Moves: anyone sees how far they are, and the owner of a table sees and notes its own.
SELECT columns_are('hilo_progress_move', ARRAY['rel', 'no', 'buckets', 'from_server', 'to_server', 'state', 'rows_total', 'rows_copied', 'rows_changed', 'started_at', 'changed_at']);
SELECT table_privs_are('hilo_progress_move', 'public', ARRAY['SELECT'], 'anyone may select from hilo_progress_move');
SELECT table_privs_are('hilo_move', 'public', ARRAY['SELECT', 'INSERT', 'UPDATE'], 'hilo_move changes by row security');
SELECT policies_are('hilo_move', ARRAY['owner_moves']);

-- None of them takes rows of another server's, by a trigger that the replica role does not go round.
SELECT is((SELECT string_agg(tgname || ' ' || tgenabled::text || ' ' || tgtype, ', ' ORDER BY tgname COLLATE "C")
             FROM pg_trigger WHERE tgrelid = t AND tgfoid = 'hilo_guard_worker'::regproc),
          'hilo_guard_truncate A 34, hilo_guard_worker A 31', t || ' has its triggers, always on')
  FROM unnest(ARRAY['hilo_shards', 'hilo_prefixes', 'hilo_move']::regclass[]) t;

SELECT * FROM finish();
ROLLBACK;
