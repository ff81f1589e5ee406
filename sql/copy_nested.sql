/*
 * What runs within a COPY, and after it: a twin of hilo_next is for its defaults alone, as
 * ALTER TABLE and others evaluate once for all rows what is not volatile.
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
SET track_functions = 'all';
CREATE ROLE regress_hilo_copier;
CREATE SCHEMA copy;
GRANT USAGE ON SCHEMA copy TO regress_hilo_copier;
GRANT pg_execute_server_program TO regress_hilo_copier;
SET search_path = copy, public;
SELECT hilo_next_tag('copy_loads_the_library') > 0 AS loaded;
CREATE FUNCTION calls(OUT tags bigint, OUT twins bigint) LANGUAGE sql AS $$
	SELECT coalesce(pg_stat_get_xact_function_calls('public.hilo_next_tag(text)'::regprocedure), 0),
		   coalesce(pg_stat_get_xact_function_calls('hilo_internal.hilo_next_tag(internal)'::regprocedure), 0)
$$;
CREATE TABLE loaded (id bigint PRIMARY KEY DEFAULT hilo_next_tag('copy_loaded'), n int);
CREATE TABLE other (id bigint PRIMARY KEY DEFAULT hilo_next_tag('copy_other'));
CREATE TABLE third (LIKE loaded INCLUDING DEFAULTS);
INSERT INTO other SELECT FROM generate_series(1, 100);

-- the trap
ALTER TABLE other ADD COLUMN c1 bigint DEFAULT hilo_next_tag('copy_more');

-- triggers with statements of each kind
CREATE FUNCTION run() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	kind text := lower(concat_ws('_', tg_when, tg_level));
BEGIN
	EXECUTE format('ALTER TABLE other ADD COLUMN %1$s_1 bigint DEFAULT hilo_next_tag(''copy_more'');'
				   'COPY third (n) FROM PROGRAM ''seq 3'';'
				   'ALTER TABLE other ADD COLUMN %1$s_2 bigint DEFAULT 0 + hilo_next_tag(''copy_more'');', kind);
	BEGIN
		COPY third (n) FROM PROGRAM 'echo x';
	EXCEPTION WHEN invalid_text_representation THEN
	END;
	EXECUTE format('ALTER TABLE other ADD COLUMN %1$s_3 bigint DEFAULT hilo_next_tag(''copy_more'');'
				   'CREATE TABLE %1$s AS SELECT hilo_next_tag(''copy_more'') AS id FROM generate_series(1, 100);'
				   'INSERT INTO third (n) SELECT generate_series(1, 3);', kind);
	EXECUTE format('PREPARE p AS INSERT INTO %s SELECT hilo_next_tag(''copy_more'') + 0 * $1 FROM generate_series(1, 100);'
				   'EXECUTE p (hilo_next_tag(''copy_more'')); DEALLOCATE p', kind);
	RETURN new;
END $$;
CREATE TRIGGER a BEFORE INSERT ON loaded FOR EACH STATEMENT EXECUTE FUNCTION run();
CREATE TRIGGER b BEFORE INSERT ON loaded FOR EACH ROW WHEN (new.n = 2) EXECUTE FUNCTION run();
CREATE TRIGGER c AFTER INSERT ON loaded FOR EACH ROW WHEN (new.n = 2) EXECUTE FUNCTION run();
CREATE TRIGGER d AFTER INSERT ON loaded FOR EACH STATEMENT EXECUTE FUNCTION run();
COPY loaded (n) FROM PROGRAM 'seq 3';
SELECT count(*), count(DISTINCT id) FROM loaded;
SELECT count(*), count(DISTINCT id) FROM third;
SELECT key, count(DISTINCT value) FROM other, jsonb_each(to_jsonb(other)) GROUP BY key ORDER BY key;
SELECT count(DISTINCT id) FROM (TABLE before_statement UNION ALL TABLE before_row UNION ALL TABLE after_row UNION ALL TABLE after_statement) t;
ALTER TABLE loaded DISABLE TRIGGER USER;

-- in a function; what a trigger plans, and a constraint after it
CREATE FUNCTION take() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM hilo_next_tag(''copy_more''); RETURN NULL; END';
CREATE TRIGGER take BEFORE INSERT ON loaded FOR EACH STATEMENT EXECUTE FUNCTION take();
CREATE TABLE checked (n int CHECK (hilo_next_tag('copy_checked') > 0));
CREATE FUNCTION load(rows int, OUT tags bigint, OUT twins bigint) LANGUAGE plpgsql AS $$
DECLARE
	before record := calls();
	after record;
BEGIN
	EXECUTE format('COPY loaded (n) FROM PROGRAM ''seq %s''', rows);
	INSERT INTO checked VALUES (1);
	after := calls();
	tags := after.tags - before.tags;
	twins := after.twins - before.twins;
END $$;
SELECT * FROM load(3);
-- not after an error
BEGIN;
SELECT twins AS before FROM calls() \gset
SAVEPOINT s;
COPY loaded (n) FROM PROGRAM 'echo x';
ROLLBACK TO s;
COPY loaded (n) FROM PROGRAM 'echo 1';
INSERT INTO checked VALUES (2);
COPY (INSERT INTO checked VALUES (3) RETURNING n) TO STDOUT;
SELECT twins - :before AS twins FROM calls();
COMMIT;

-- rights are those of the call in the default
CREATE TABLE own (id bigint DEFAULT hilo_next_tag('copy_loaded'), n int);
ALTER TABLE own OWNER TO regress_hilo_copier;
SET ROLE regress_hilo_copier;
COPY own (n) FROM PROGRAM 'echo 1';
RESET ROLE;
GRANT INSERT ON loaded TO regress_hilo_copier;
REVOKE EXECUTE ON FUNCTION hilo_next_tag(text) FROM PUBLIC;
SET ROLE regress_hilo_copier;
COPY own (n) FROM PROGRAM 'echo 1';
RESET ROLE;
GRANT EXECUTE ON FUNCTION hilo_next_tag(text) TO PUBLIC;
SET ROLE regress_hilo_copier;
COPY own (n) FROM PROGRAM 'echo 1';
RESET ROLE;
SELECT count(*) FROM own;

-- and SQL calls no twin
\set VERBOSITY sqlstate
SELECT hilo_internal.hilo_next_tag('copy_loaded'::text);
SELECT hilo_internal.hilo_next('loaded'::regclass);
\set VERBOSITY default
SELECT provolatile FROM pg_proc WHERE oid = ANY ('{hilo_next(regclass), hilo_next_tag(text)}'::regprocedure[]);

DROP SCHEMA copy CASCADE;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE ''copy%''; END';
DROP ROLE regress_hilo_copier;
