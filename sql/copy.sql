-- COPY hands rows to a table in batches: for a whole batch, the table has the size of before.
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE SCHEMA copy;
SET search_path = copy, public;
SELECT hilo_next_tag('copy_loads_the_library') > 0 AS loaded;
CREATE FUNCTION size_of(rel regclass) RETURNS bigint STABLE LANGUAGE plpgsql AS 'BEGIN RETURN pg_relation_size(rel); END';
CREATE FUNCTION show(rel regclass, OUT rows bigint, OUT ids bigint, OUT low text, OUT high text, OUT in_batches bool)
LANGUAGE plpgsql AS $$ BEGIN
	EXECUTE format('SELECT count(*), count(DISTINCT id), min(id)::text, max(id)::text, count(DISTINCT size) = 1 FROM %s', rel)
	   INTO rows, ids, low, high, in_batches;
END $$;

-- a first use in it, from the client and from the server
CREATE TABLE plain (id bigint PRIMARY KEY DEFAULT hilo_next('plain'), n int, size bigint DEFAULT size_of('plain'));
COPY plain (n) FROM STDIN;
1
2
3
\.
SELECT * FROM show('plain');
TRUNCATE plain;
COPY plain (n) FROM PROGRAM 'seq 2500' WHERE n <= 400;
SELECT * FROM show('plain');
CREATE TABLE tag (id bigint PRIMARY KEY DEFAULT hilo_next_tag('copy_tag'), n int, size bigint DEFAULT size_of('tag'));
COPY tag (n) FROM PROGRAM 'seq 3';
SELECT * FROM show('tag');
-- in more than one batch
COPY tag (n) FROM PROGRAM 'seq 2500';
SELECT * FROM show('tag');

-- wrapped; what a function does is not seen, unless it becomes a part of the default
CREATE FUNCTION inlined() RETURNS bigint LANGUAGE sql AS 'SELECT public.hilo_next_tag(''copy_inlined'')';
CREATE FUNCTION opaque() RETURNS bigint LANGUAGE plpgsql AS 'BEGIN RETURN public.hilo_next_tag(''copy_opaque''); END';
DO $$
DECLARE
	wrapped text;
	shown record;
BEGIN
	FOREACH wrapped IN ARRAY ARRAY['''x'' || hilo_next_tag(''copy_text'')', 'hilo_next(''wrapped'') + 0', 'coalesce(NULL, hilo_next(''wrapped''))',
		'hilo_next_tag(''copy_'' || ''joined'')', 'inlined()', 'opaque()', 'document_id(''copydocs|'')'] LOOP
		EXECUTE format('CREATE TABLE wrapped (id text, n int, size bigint DEFAULT size_of(''wrapped''));'
					   'ALTER TABLE wrapped ALTER id SET DEFAULT %s; COPY wrapped (n) FROM PROGRAM ''seq 4'';', wrapped);
		SELECT * INTO shown FROM show('wrapped');
		RAISE INFO '% %', wrapped, shown;
		DROP TABLE wrapped;
	END LOOP;
END $$;

-- two columns of one generator; a domain
CREATE DOMAIN numbered AS bigint DEFAULT hilo_next_tag('copy_two');
CREATE TABLE two (id bigint DEFAULT hilo_next_tag('copy_two'), other numbered, n int, size bigint DEFAULT size_of('two'));
COPY two (n) FROM PROGRAM 'seq 500';
SELECT * FROM show('two');
SELECT count(DISTINCT i) FROM two, unnest(ARRAY[id, other]) i;

-- partitions, of which each has a batch
CREATE TABLE parts (id bigint DEFAULT hilo_next('parts'), n int, size bigint) PARTITION BY LIST (n);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1);
CREATE TABLE parts_2 PARTITION OF parts FOR VALUES IN (2);
ALTER TABLE parts ALTER size SET DEFAULT size_of('parts_1');
COPY parts (n) FROM STDIN;
1
2
1
2
\.
SELECT * FROM show('parts');

-- ids that rows bring: a first use looks at the rows before
DO $$ BEGIN
	CREATE TABLE brought (id bigint PRIMARY KEY DEFAULT hilo_next('brought'), n int, size bigint DEFAULT size_of('brought'));
	IF current_setting('server_version_num')::int >= 160000 THEN
		COPY brought (id, n) FROM PROGRAM 'printf "1 1\n2 2\nd 3\nd 4\n"' (DEFAULT 'd', DELIMITER ' ');
	ELSE
		INSERT INTO brought (id, n) VALUES (1, 1), (2, 2), (DEFAULT, 3), (DEFAULT, 4);
	END IF;
END $$;
SELECT * FROM show('brought');

-- ids of a COPY that failed are not handed out again
COPY plain (n) FROM STDIN;
1
x
\.
TRUNCATE plain;
COPY plain (n) FROM PROGRAM 'seq 2';
SELECT * FROM show('plain');

-- an error of the call
CREATE TABLE missing (id bigint DEFAULT hilo_next(NULL), n int);
COPY missing (n) FROM PROGRAM 'seq 2';

DROP SCHEMA copy CASCADE;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE ''copy%''; END';
