/*
 * The greatest value of a column: of any type, wherever the rows are
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/column_max_setup.sql'
\i :setup

-- whole numbers of any type, at a first use, a resync and an attach
CREATE DOMAIN whole AS numeric(20);
CREATE TYPE found AS (first text, resynced bigint, attached text, max_value bigint);
CREATE FUNCTION of_type(type text, ids text) RETURNS found LANGUAGE plpgsql AS $$
DECLARE
	result found;
BEGIN
	EXECUTE format('CREATE TABLE typed (id %s DEFAULT hilo_next(''typed''), note text)', type);
	EXECUTE format('INSERT INTO typed SELECT unnest(%L::text[])::%s', ids, type);
	INSERT INTO typed (note) VALUES ('first') RETURNING id::text INTO result.first;
	EXECUTE format('INSERT INTO typed VALUES (''300''::%s)', type);
	result.resynced := hilo_resync('typed', 'id');
	result.max_value := max_value FROM hilo_generators() WHERE name = 'typed';
	BEGIN
		PERFORM hilo_attach('typed', 'id', concat(type, ids));
		INSERT INTO typed (note) VALUES ('attached') RETURNING id::text INTO result.attached;
	EXCEPTION WHEN datatype_mismatch THEN
		result.attached := SQLERRM;
	END;
	DROP TABLE typed;
	RETURN result;
END $$;
SELECT type, f.*
  FROM unnest('{smallint,int,bigint,numeric,numeric(38),whole,id53,id63,text,varchar(40),char(12),name,docid}'::text[]) type, of_type(type, '{200,7}') f;
-- what is no whole number, or none that an id could be
SELECT ids, f.* FROM unnest('{"{41.5,NaN,-7,1e30}","{NaN,-1e30}"}'::text[]) ids, of_type('numeric', ids) f;
SELECT f.* FROM of_type('text', '{x,41.5,-7,99999999999999999999,others/95-A}') f;
-- other types are refused
CREATE TABLE floats (id float8 DEFAULT hilo_next('floats'), oid oid DEFAULT hilo_next('floats'));
INSERT INTO floats (oid) VALUES (1);
INSERT INTO floats (id) VALUES (1);
SELECT hilo_create('floats'), hilo_seed('floats', 100);
INSERT INTO floats (oid) VALUES (1) RETURNING id;
DROP TABLE floats;

-- a column that is added to rows, with an index in the making
CREATE TABLE notes (body text);
INSERT INTO notes SELECT 'x' FROM generate_series(1, 10);
ALTER TABLE notes ADD COLUMN id bigint PRIMARY KEY DEFAULT hilo_next('notes');
SELECT min(id), max(id), count(DISTINCT id) FROM notes;
CREATE TABLE parted (k int) PARTITION BY LIST (k);
CREATE TABLE parted_0 PARTITION OF parted FOR VALUES IN (0);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
INSERT INTO parted SELECT 1 + g % 2 FROM generate_series(1, 10) g;
ALTER TABLE parted ADD COLUMN id bigint DEFAULT hilo_next('parted'), ADD PRIMARY KEY (k, id);
SELECT min(id), max(id), count(DISTINCT id) FROM parted;
-- but none with rows that have ids
CREATE TABLE numbered (body text, id int PRIMARY KEY DEFAULT hilo_next('numbered'));
INSERT INTO numbered SELECT 'x', g FROM generate_series(1, 10) g;
ALTER TABLE numbered ALTER id TYPE numeric USING hilo_next('numbered');
ALTER TABLE numbered ADD more bigint UNIQUE DEFAULT hilo_next('numbered');
INSERT INTO numbered (body) VALUES ('y') RETURNING id;
-- be they in no row, as a constant default that was added later
CREATE TABLE missing AS SELECT 1 AS k;
ALTER TABLE missing ADD id bigint DEFAULT 3;
ALTER TABLE missing ALTER id SET DEFAULT hilo_next('missing');
ALTER TABLE missing ADD more bigint DEFAULT hilo_next('missing');
INSERT INTO missing (k) VALUES (2) RETURNING id;
-- a relation that only has the name of what ALTER TABLE makes changes nothing
CREATE TABLE planted (id bigint DEFAULT hilo_next('planted'));
INSERT INTO planted VALUES (50);
DO $$ BEGIN EXECUTE format('CREATE VIEW cm.pg_temp_%s AS SELECT 1', 'cm.planted'::regclass::oid); END $$;
INSERT INTO planted DEFAULT VALUES RETURNING id;

-- a table that is made anew begins anew, above its own rows
CREATE TABLE anew (id bigint DEFAULT hilo_next('anew'), k int);
INSERT INTO anew SELECT 100 FROM generate_series(1, 3);
INSERT INTO anew (k) VALUES (1) RETURNING id;
DROP TABLE anew;
CREATE TABLE anew (id bigint PRIMARY KEY DEFAULT hilo_next('anew'), k int);
INSERT INTO anew SELECT g FROM generate_series(1, 20) g;
INSERT INTO anew (k) VALUES (1) RETURNING id;
DROP TABLE anew;
CREATE TABLE anew (id serial PRIMARY KEY, k int);
INSERT INTO anew SELECT g FROM generate_series(1, 30) g;
SELECT hilo_attach('anew', 'id');
INSERT INTO anew (k) VALUES (1) RETURNING id;

-- rows that other software keeps elsewhere: see test/t/column; here on another server
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE TABLE far (id text DEFAULT hilo_next('far'), k int) PARTITION BY LIST (k);
CREATE TABLE far_1 PARTITION OF far FOR VALUES IN (1);
CREATE FOREIGN TABLE far_2 PARTITION OF far FOR VALUES IN (2) SERVER nowhere;
INSERT INTO far (k) VALUES (1);
SELECT hilo_resync('far', 'id');
SELECT hilo_create('far'), hilo_seed('far', 100);
INSERT INTO far (k) VALUES (1) RETURNING id;
CREATE FOREIGN TABLE farther (id bigint DEFAULT hilo_next('farther')) SERVER nowhere;
SELECT hilo_next('farther');
-- or behind a view, unless it is one of the table
CREATE TABLE viewed (id bigint, k int);
CREATE VIEW view AS SELECT * FROM viewed;
ALTER VIEW view ALTER id SET DEFAULT hilo_next_tag('viewed');
INSERT INTO viewed VALUES (5);
INSERT INTO view (k) VALUES (1);
ALTER TABLE viewed ADD PRIMARY KEY (id);
ALTER VIEW view ALTER id SET DEFAULT hilo_next('viewed');
INSERT INTO view (k) VALUES (1) RETURNING id;
SELECT hilo_drop('#viewed');
ALTER TABLE viewed ALTER id SET DEFAULT hilo_next('viewed');
INSERT INTO view (k) VALUES (1) RETURNING id;
-- rows that row security hides from the owner, too
SET ROLE regress_hilo_clerk;
CREATE TABLE hidden (id bigint DEFAULT hilo_next('cm.hidden'), note text);
INSERT INTO hidden VALUES (70);
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY nobody ON hidden FOR INSERT WITH CHECK (true);
INSERT INTO hidden (note) VALUES ('x');
SELECT last FROM hilo_generators() WHERE name = 'hidden';
RESET ROLE;

DROP SCHEMA cm CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators() WHERE name NOT LIKE 'limits%';
DROP ROLE regress_hilo_clerk;
