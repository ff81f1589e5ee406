-- The SQL contract of anchors.
BEGIN;
SELECT plan(1);

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
('anchor_partitions(regclass,integer)', 'rel regclass, n integer', 'void', '(v,u,f)'),
('anchor_report(regclass,name,integer,double precision,bigint)',
 'rel regclass, col name, step integer DEFAULT 32768, warn_share double precision DEFAULT 0.01, warn_bytes bigint DEFAULT 1073741824, OUT buckets int4range, OUT rows bigint, OUT bytes bigint, OUT oversized boolean, OUT largest_bucket integer, OUT largest_anchor text, OUT largest_rows bigint, OUT largest_bytes bigint',
 'SETOF record', '(s,u,t)');

SELECT set_eq($$
	SELECT signature, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), (provolatile, proparallel, proisstrict)::text
	  FROM contract c JOIN pg_proc p ON p.oid = c.signature::regprocedure
	$$, 'SELECT * FROM contract', 'the functions of anchors');

SELECT * FROM finish();
ROLLBACK;
