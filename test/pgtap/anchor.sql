-- The SQL contract of anchors and shards.
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
('anchor_match(integer,text,text)', 'row_bucket integer, row_id text, id text', 'boolean', '(i,s,f)');

SELECT set_eq($$
	SELECT signature, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), (provolatile, proparallel, proisstrict)::text
	  FROM contract c JOIN pg_proc p ON p.oid = c.signature::regprocedure
	$$, 'SELECT * FROM contract', 'the functions of anchors and shards');

SELECT * FROM finish();
ROLLBACK;
