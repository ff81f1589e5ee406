/*
 * Where hilo_next is called from: defaults, loops, prepared statements, cursors
 */
SET hilo.prefetch = off;

-- DEFAULT, one row and many
CREATE TABLE parent (id bigint PRIMARY KEY DEFAULT hilo_next_tag('callers_parent'), name text);
CREATE TABLE child (id text PRIMARY KEY DEFAULT hilo_next_id('callers_child'),
                    parent_id bigint REFERENCES parent);
INSERT INTO parent (name) VALUES ('a'), ('b') RETURNING id;
WITH p AS (INSERT INTO parent (name) VALUES ('c') RETURNING id)
INSERT INTO child (parent_id) SELECT id FROM p RETURNING id, parent_id;
INSERT INTO parent (name) SELECT 'd' FROM generate_series(1, 1000);
SELECT count(*), min(id), max(id) FROM parent;
COPY parent (name) FROM stdin;
e
f
\.
SELECT max(id) FROM parent;
-- an id that is assigned before the insert
INSERT INTO child (parent_id) SELECT id FROM parent WHERE name = 'e';
INSERT INTO parent VALUES (hilo_next_tag('callers_parent'), 'g'), (DEFAULT, 'h') RETURNING *;
INSERT INTO parent (id, name) VALUES (1, 'again') ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING *;
UPDATE child SET id = DEFAULT WHERE parent_id = 3 RETURNING id;
ALTER TABLE parent ADD COLUMN more bigint DEFAULT hilo_next_tag('callers_more');
SELECT count(DISTINCT more) = count(*) AS one_each FROM parent;
DROP TABLE child, parent;

-- a name that changes from call to call
SELECT n, hilo_next_tag('callers_' || n) FROM (VALUES ('a'), ('b'), ('a'), ('A'), ('b'), ('b')) t (n);
SELECT hilo_next_tag(NULL::text);
SELECT n, hilo_next_tag(n) FROM (VALUES ('callers_a'), (NULL), ('callers_a')) t (n);
CREATE FUNCTION pg_temp.loop() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	name text;
	id bigint;
BEGIN
	FOREACH name IN ARRAY '{callers_a,callers_b,callers_long_name,callers_a,callers_b,callers_aa}'::text[] LOOP
		id := hilo_next_tag(name);
		RETURN NEXT name || ' ' || id;
		-- same length, same place in memory
		name := translate(name, 'ab', 'ba');
		SELECT hilo_next_tag(name) INTO id;
		RETURN NEXT name || ' ' || id || ' ' || hilo_next_id(name);
	END LOOP;
END $$;
SET client_min_messages = warning;
SELECT * FROM pg_temp.loop();
RESET client_min_messages;
-- a bad name after a good one, and the good one again
DO $$
DECLARE
	name text;
BEGIN
	FOREACH name IN ARRAY ARRAY['callers_a', '', 'callers_a', NULL, 'callers_a'] LOOP
		BEGIN
			RAISE NOTICE '%', hilo_next_tag(name);
		EXCEPTION WHEN OTHERS THEN
			RAISE NOTICE '%', SQLERRM;
		END;
	END LOOP;
END $$;

-- prepared, with a parameter, by a custom and by a generic plan
PREPARE p (text) AS SELECT hilo_next_tag($1);
SET plan_cache_mode = force_custom_plan;
EXECUTE p ('callers_b');
EXECUTE p ('callers_a');
SET plan_cache_mode = force_generic_plan;
EXECUTE p ('callers_b');
EXECUTE p ('callers_a');
RESET plan_cache_mode;
PREPARE q AS SELECT hilo_next_tag('callers_b'), hilo_next_tag(tag => 'callers_b'), hilo_next_tag('callers_b'::varchar);
EXECUTE q;
EXECUTE q;
SELECT hilo_drop('callers_b');
EXECUTE q;

-- cursors: ids go on between their fetches
SELECT hilo_drop('callers_a'), hilo_create('callers_a');
BEGIN;
DECLARE c CURSOR FOR SELECT hilo_next_tag('callers_a') FROM generate_series(1, 100);
DECLARE d CURSOR FOR SELECT * FROM hilo_next_tag('callers_a', 50);
DECLARE h CURSOR WITH HOLD FOR SELECT hilo_next_tag('callers_a') FROM generate_series(1, 3);
FETCH 2 FROM c;
SELECT hilo_next_tag('callers_a');
FETCH 1 FROM c;
FETCH 1 FROM d;
SELECT hilo_seed('callers_a', 1000);
FETCH 1 FROM c;
SAVEPOINT s;
FETCH 1 FROM c;
ROLLBACK TO s;
FETCH 1 FROM c;
COMMIT;
FETCH ALL FROM h;
-- an id is not given out again by a cursor that is scrolled back
BEGIN;
DECLARE c SCROLL CURSOR FOR SELECT hilo_next_tag('callers_a') FROM generate_series(1, 3);
FETCH ALL FROM c;
FETCH BACKWARD 1 FROM c;
COMMIT;

-- in a set, a join, an aggregate, a CASE, an unused branch
SELECT hilo_drop('callers_a'), hilo_create('callers_a');
SELECT a.id, b.id FROM hilo_next_tag('callers_a', 2) a (id), hilo_next_tag('callers_a', 2) b (id);
SELECT array_agg(hilo_next_tag('callers_a')) FROM generate_series(1, 3);
SELECT CASE WHEN i = 2 THEN hilo_next_tag('callers_a') END FROM generate_series(1, 3) i;
SELECT coalesce(1, hilo_next_tag('callers_a'));
SELECT hilo_current('callers_a');
-- volatile: neither folded nor moved
SELECT count(DISTINCT id) FROM (SELECT hilo_next_tag('callers_a') AS id FROM generate_series(1, 10)) t;
SELECT count(*) FROM generate_series(1, 10) WHERE hilo_next_tag('callers_a') > 0 AND hilo_next_tag('callers_a') > 0;
SELECT hilo_current('callers_a');

SELECT hilo_drop(name) FROM hilo_generators() WHERE name ILIKE 'c_llers%';
