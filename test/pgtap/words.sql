-- One word for one argument: what an argument of a public function means, and its types.
BEGIN;
SELECT plan(1);

CREATE TEMP TABLE member AS
	SELECT classid, objid, pg_describe_object(classid, objid, 0) AS what
	  FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
	   AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'hilo');
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
('from', 'regclass', 'the table that gives its generator away'),
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
('ordering', 'text', 'where reserved ids are held'),
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

SELECT * FROM finish();
ROLLBACK;
