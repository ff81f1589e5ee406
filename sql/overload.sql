/*
 * Functions that somebody has put beside hilo's, into its schema, of the same names
 * and with types that would match better: hilo calls its own
 */
SET client_min_messages = warning;
DO $$
DECLARE
	f record;
	arguments text;
BEGIN
	-- one type of each changed in all ways, the others as they are; or the last ones left
	-- out, with a type changed too where they have defaults
	FOR f IN
		SELECT p.oid, p.proname, p.proargtypes::oid[] AS types, given, n, type
		  FROM pg_proc p
		  JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		  JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'hilo',
			   generate_series(p.pronargs::int - p.pronargdefaults, p.pronargs) given,
			   generate_series(0, given - 1) n,
			   unnest(p.proargtypes[n]::regtype::text || CASE p.proargtypes[n]::regtype::text
				WHEN 'text' THEN '{varchar,name,bpchar,""}' WHEN 'name' THEN '{text,varchar,""}'
				WHEN 'integer' THEN '{bigint,smallint,""}' WHEN 'bigint' THEN '{int,smallint,""}'
				WHEN 'regclass' THEN '{text,oid,bigint}' WHEN 'regprocedure' THEN '{text,oid}' WHEN 'int4range' THEN '{text,anyrange}'
				WHEN 'integer[]' THEN '{bigint[],anyarray}' WHEN 'text[]' THEN '{varchar[],name[],anyarray}'
				WHEN 'name[]' THEN '{text[],anyarray}' ELSE '{text}' END::text[]) type
		 WHERE (p.proname ~ '^(anchor_|docid_fold|document_id_valid|as_owner|hilo_marten|hilo_shards|hilo_move)')
		   -- but those that are called here
		   AND p.proname NOT IN ('anchor_partition', 'anchor_partition_in_steps', 'anchor_move', 'anchor_prefix_set', 'anchor_prefix_drop', 'anchor_report')
	LOOP
		SELECT string_agg(CASE WHEN no - 1 = f.n THEN f.type ELSE t::regtype::text END, ', ' ORDER BY no) INTO arguments
		  FROM unnest(f.types) WITH ORDINALITY a(t, no) WHERE no <= f.given AND (f.type <> '' OR no - 1 < f.n);
		BEGIN
			EXECUTE format('CREATE FUNCTION %I(%s) RETURNS text LANGUAGE plpgsql AS %L', f.proname, arguments,
						   format('BEGIN RAISE EXCEPTION %L; END', 'trapped in ' || f.proname || ' of ' || coalesce(arguments, 'nothing')));
		EXCEPTION WHEN duplicate_function THEN
			NULL;
		END;
	END LOOP;
END $$;
SELECT count(*) > 200 AS many FROM pg_proc WHERE prosrc LIKE '%trapped in%';

CREATE TABLE overload (id varchar PRIMARY KEY);
INSERT INTO overload VALUES ('a/1'), ('b/2');
SELECT anchor_partition('overload', 2);
SELECT tableoid::regclass, id FROM overload ORDER BY id;
CREATE TABLE overload_steps (id varchar PRIMARY KEY);
INSERT INTO overload_steps VALUES ('a/1'), ('b/2');
CALL anchor_partition_in_steps('overload_steps', 2);
CREATE TABLE overload_column (id varchar PRIMARY KEY);
INSERT INTO overload_column VALUES ('a/1'), ('b/2');
SELECT anchor_partition('overload_column', 2, bucket_column => 'bucket');
INSERT INTO overload_column_anchored (id) VALUES ('c/3');
INSERT INTO hilo_shards VALUES (0, 0), (524288, 1);
SELECT anchor_prefix_set('p/', '{1}');
CREATE TABLE overload_prefixed (id varchar PRIMARY KEY);
INSERT INTO overload_prefixed VALUES ('a/1'), ('p/2');
SELECT anchor_partition('overload_prefixed', 2);
SELECT tableoid::regclass, id FROM overload_prefixed ORDER BY id;
SELECT anchor_prefix_set('q/', '{0,1}');
SELECT anchor_prefix_drop('q/');
SELECT sum(rows) FROM anchor_report('overload_prefixed', 'id');
SELECT sum(rows) FROM anchor_report('overload', 'id');
SELECT anchor_move('overload', '[0,1)', 'nowhere');
CREATE SCHEMA overload_marten;
SELECT hilo_provide_marten('overload_marten');
SELECT overload_marten.mt_get_next_hi('users');

DROP TABLE overload, overload_steps, overload_column, overload_prefixed CASCADE;
DELETE FROM hilo_prefixes;
DELETE FROM hilo_shards;
DROP SCHEMA overload_marten CASCADE;
DROP FUNCTION overload_prefixed_bucket, overload_prefixed_match, overload_column_anchored;
DO $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid FROM pg_proc WHERE prosrc LIKE '%trapped in%' AND pronamespace = 'public'::regnamespace LOOP
		EXECUTE format('DROP FUNCTION %s', f);
	END LOOP;
END $$;
