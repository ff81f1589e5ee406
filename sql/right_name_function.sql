/*
 * Functions that a role has put next to hilo's, into its schema, of the same names
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
				WHEN 'regclass' THEN '{text,oid,bigint}' ELSE '{text}' END::text[]) type
		 WHERE (p.proname ~ '^(anchor_|docid_fold|document_id_valid|hilo_marten)')
		   -- but those that are called here
		   AND p.proname NOT IN ('anchor_partitions', 'anchor_report')
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
SELECT count(*) > 50 AS many FROM pg_proc WHERE prosrc LIKE '%trapped in%';

CREATE TABLE overload (id varchar) PARTITION BY RANGE (anchor_bucket(id::text));
SELECT anchor_partitions('overload', 2);
INSERT INTO overload VALUES ('a/1'), ('b/2');
SELECT tableoid::regclass, id FROM overload WHERE anchor_match(id::text, 'b/2'::text);
SELECT sum(rows) FROM anchor_report('overload', 'id');
CREATE SCHEMA overload_marten;
SELECT hilo_provide_marten('overload_marten');
SELECT overload_marten.mt_get_next_hi('users');
CREATE TABLE overload_followed (id int);
SELECT hilo_attach('overload_followed', 'id', follow => true);
INSERT INTO overload_followed VALUES (5);
INSERT INTO overload_followed DEFAULT VALUES RETURNING id;

DROP TABLE overload, overload_followed;
DROP SCHEMA overload_marten CASCADE;
DO $$
DECLARE
	f regprocedure;
BEGIN
	FOR f IN SELECT oid FROM pg_proc WHERE prosrc LIKE '%trapped in%' AND pronamespace = 'public'::regnamespace LOOP
		EXECUTE format('DROP FUNCTION %s', f);
	END LOOP;
END $$;
