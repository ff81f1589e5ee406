/*
 * Everything that returns an id, everywhere that a default can be
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;

-- puts rows into a table whose column id has that default, in every way, and
-- says whether each got its own id and the client saw it
CREATE FUNCTION use_default(id_type text, id_default text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	seen text[];
	id text;
	more text[];
BEGIN
	EXECUTE format('CREATE TABLE made (id %s PRIMARY KEY DEFAULT %s, note text)', id_type, id_default);

	-- RETURNING: one row, many, from a query, from a CTE into another one
	INSERT INTO made (note) VALUES ('one') RETURNING made.id INTO id;
	seen := ARRAY[id];
	WITH i AS (INSERT INTO made (note) VALUES ('a'), ('b') RETURNING made.id),
	     j AS (INSERT INTO made (note) SELECT i.id::text FROM i RETURNING made.id)
	SELECT array_agg(u.id::text) FROM (SELECT i.id FROM i UNION ALL SELECT j.id FROM j) u INTO more;
	seen := seen || more;
	WITH i AS (INSERT INTO made (note) SELECT 'many' FROM generate_series(1, 100) RETURNING made.id)
	SELECT array_agg(i.id::text) FROM i INTO more;
	seen := seen || more;

	-- DEFAULT in the place of a value, by ON CONFLICT, in an UPDATE, of a column that is added
	INSERT INTO made VALUES (DEFAULT, 'x'), (DEFAULT, 'y');
	INSERT INTO made (note) VALUES ('free') ON CONFLICT DO NOTHING RETURNING made.id INTO id;
	seen := seen || id;
	INSERT INTO made (note) VALUES ('free') ON CONFLICT ON CONSTRAINT made_pkey DO UPDATE SET note = 'met' RETURNING made.id INTO id;
	seen := seen || id;
	UPDATE made SET id = DEFAULT WHERE note = 'x';
	EXECUTE format('ALTER TABLE made ADD COLUMN added %s DEFAULT %s', id_type, id_default);
	IF (SELECT count(DISTINCT made.added::text) <> count(*) FROM made) THEN
		RETURN 'added';
	END IF;

	-- MERGE, EXECUTE, a variable's default, an argument's
	MERGE INTO made USING (VALUES ('m'), ('n')) s (note) ON made.note = s.note
		WHEN NOT MATCHED THEN INSERT (note) VALUES (s.note);
	EXECUTE 'INSERT INTO made (note) VALUES ($1) RETURNING id' USING 'dynamic' INTO id;
	seen := seen || id;
	EXECUTE format('CREATE FUNCTION give_id(id %1$s DEFAULT %2$s) RETURNS %1$s LANGUAGE plpgsql AS %3$L', id_type, id_default,
		format('DECLARE own %s := %s; BEGIN RETURN CASE WHEN own::text = id::text THEN NULL ELSE own END; END', id_type, id_default));
	INSERT INTO made VALUES (give_id(), 'function'), (give_id(), 'function');
	DROP FUNCTION give_id;

	-- a trigger, a rule, a view
	EXECUTE format('CREATE FUNCTION log_made() RETURNS trigger LANGUAGE plpgsql AS %L', format(
		'BEGIN IF pg_trigger_depth() < 2 THEN INSERT INTO made (id, note) VALUES (%s, NEW.id::text); END IF; RETURN NULL; END', id_default));
	CREATE TRIGGER log_made AFTER INSERT ON made FOR EACH ROW EXECUTE FUNCTION log_made();
	INSERT INTO made (note) VALUES ('logged'), ('logged');
	CREATE VIEW made_view AS SELECT * FROM made;
	INSERT INTO made_view (note) VALUES ('view') RETURNING made_view.id INTO id;
	seen := seen || id;

	-- a partition, with its own default
	EXECUTE format('CREATE TABLE parted (id %1$s DEFAULT %2$s, n int) PARTITION BY LIST (n)', id_type, id_default);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
	INSERT INTO parted (n) VALUES (1), (1);
	INSERT INTO parted_1 (n) VALUES (1);
	IF (SELECT count(DISTINCT p.id::text) <> 3 FROM parted p) THEN
		RETURN 'parted';
	END IF;

	IF EXISTS (SELECT FROM unnest(seen) s LEFT JOIN made ON made.id::text = s WHERE made.id IS NULL) THEN
		RETURN 'seen';
	END IF;
	RETURN count(*) || ' ids, ' || cardinality(seen) || ' seen' FROM made;
END $$;

SELECT hilo_create('id_default_gapless', ordering => 'gapless'), hilo_create('id_default_gapless|', ordering => 'gapless');
CREATE TABLE maker (n int, id_type text, id_default text);
INSERT INTO maker VALUES
	(1, 'bigint', 'hilo_next_tag(''id_default'')'),
	(2, 'text', 'hilo_next_id(''id_default'')'),
	(3, 'text', 'document_id()'),
	(4, 'text', 'document_id(''id_default/'')'),
	(5, 'docid', 'document_id(''id_default|'')'),
	(6, 'text', 'artificial_id(''id_default'', hilo_next_tag(''id_default''))'),
	(7, 'bigint', 'identity_next(''id_default'')'),
	(8, 'text', 'identity_next_id(''id_default|'')'),
	(9, 'bigint', '(identity_next(''id_default'', 1)).low'),
	(10, 'bigint', 'hilo_next_tag(''id_default_gapless'')'),
	(11, 'text', 'document_id(''id_default_gapless|'')');
CREATE FUNCTION use_and_drop(id_type text, id_default text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := use_default(id_type, id_default);
BEGIN
	DROP TABLE made, parted CASCADE;
	DROP FUNCTION log_made;
	RETURN result;
END $$;
SELECT id_default, use_and_drop(id_type, id_default) FROM maker ORDER BY n;

-- COPY, prepared statements by either plan, and cursors are the client's
CREATE TABLE made (a bigint DEFAULT hilo_next_tag('id_default'), b text DEFAULT hilo_next_id('id_default'), c text DEFAULT document_id(),
                   d text DEFAULT document_id('id_default/'), e docid DEFAULT document_id('id_default|'),
                   f bigint DEFAULT identity_next('id_default'), note text);
COPY made (note) FROM stdin;
copy
copy
copy
\.
PREPARE p AS INSERT INTO made (note) VALUES ('prepared');
SET plan_cache_mode = force_generic_plan;
EXECUTE p;
EXECUTE p;
SET plan_cache_mode = force_custom_plan;
EXECUTE p;
RESET plan_cache_mode;
BEGIN;
DECLARE c CURSOR FOR SELECT document_id('id_default/'), document_id('id_default|'), identity_next('id_default'), hilo_next_id('id_default') FROM generate_series(1, 10);
FETCH 2 FROM c;
INSERT INTO made (note) VALUES ('between');
FETCH 1 FROM c;
ROLLBACK;
INSERT INTO made (note) VALUES ('after');
SELECT note, count(*) FROM made GROUP BY note ORDER BY note;
SELECT count(DISTINCT a), count(DISTINCT b), count(DISTINCT c), count(DISTINCT d), count(DISTINCT e), count(DISTINCT f),
       bool_and(d > lag_d) AS d_in_order
  FROM (SELECT *, lag(d) OVER (ORDER BY a) AS lag_d FROM made) t;
-- a statement that fails half-way has used ids, and none comes again
INSERT INTO made (note) SELECT (1 / (3 - i))::text FROM generate_series(1, 5) i;
INSERT INTO made (note) VALUES ('last');
SELECT count(DISTINCT d) = count(*) AND count(DISTINCT e) = count(*) AS one_each FROM made;

DROP TABLE made, maker;
DROP FUNCTION use_default, use_and_drop;
DO $$ BEGIN PERFORM hilo_drop(name) FROM hilo_generators() WHERE name LIKE '%|' OR name LIKE 'id_default%'; END $$;
