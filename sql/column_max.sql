/*
 * The greatest value of a column: of any type, wherever the rows are; and ids above
 * those that a rollback brings back
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cm;
SET search_path = cm, public;
CREATE ROLE regress_hilo_clerk;
GRANT CREATE, USAGE ON SCHEMA cm TO regress_hilo_clerk;

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
-- but none whose rows have ids
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

-- rows that a rollback brings back
CREATE TABLE come_back (id bigint PRIMARY KEY DEFAULT hilo_next('come_back'), note text);
INSERT INTO come_back SELECT g FROM generate_series(1, 10) g;
BEGIN; TRUNCATE come_back; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN; ALTER TABLE come_back ALTER id TYPE numeric USING id - 5; INSERT INTO come_back (note) VALUES ('a'); ROLLBACK;
BEGIN;
INSERT INTO come_back SELECT g FROM generate_series(11, 20) g;
SAVEPOINT s;
UPDATE come_back SET id = id - 10 WHERE id > 10 AND false;
DELETE FROM come_back WHERE id > 10;
INSERT INTO come_back (note) VALUES ('a');
ROLLBACK;
-- the hint is right: what resync makes goes with a rollback
BEGIN;
TRUNCATE come_back;
SELECT hilo_resync('come_back', 'id');
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
SELECT count(*) FROM hilo_generators() WHERE name = 'come_back';
-- deleted and changed rows count, those of the transaction, too
BEGIN;
DELETE FROM come_back WHERE id > 8;
UPDATE come_back SET id = -id;
INSERT INTO come_back VALUES (9);
SAVEPOINT s;
INSERT INTO come_back (note) VALUES ('a') RETURNING id;
ROLLBACK;
INSERT INTO come_back (note) VALUES ('b') RETURNING id;
SELECT count(*), count(DISTINCT id) FROM come_back;
-- as the test runners of frameworks do
CREATE TABLE fixture (id bigint PRIMARY KEY DEFAULT hilo_next('fixture'), note text);
INSERT INTO fixture SELECT g FROM generate_series(1, 3) g;
BEGIN;
SAVEPOINT test_1;
DELETE FROM fixture;
INSERT INTO fixture (note) VALUES ('a') RETURNING id;
ROLLBACK TO test_1;
SAVEPOINT test_2;
INSERT INTO fixture (note) VALUES ('b') RETURNING id;
ROLLBACK;
-- nothing comes back to a table that this transaction has made
BEGIN;
CREATE TABLE made (id bigint DEFAULT hilo_next('made'), note text);
INSERT INTO made SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made ALTER id TYPE int;
TRUNCATE made;
INSERT INTO made (note) VALUES ('a') RETURNING id;
COMMIT;
-- but for a savepoint
BEGIN;
CREATE TABLE made_before (id bigint DEFAULT hilo_next('made_before'), note text);
INSERT INTO made_before SELECT g FROM generate_series(1, 10) g;
ALTER TABLE made_before ALTER note TYPE int USING 0;
SAVEPOINT s;
TRUNCATE made_before;
INSERT INTO made_before (note) VALUES (1);
ROLLBACK TO s;
ALTER TABLE made_before ALTER id DROP DEFAULT;
SELECT hilo_next('made_before');
ROLLBACK;

-- columns that a rollback brings back
CREATE TABLE comes_back (id bigint DEFAULT hilo_next('comes_back'), k int) PARTITION BY LIST (k);
CREATE TABLE comes_back_1 PARTITION OF comes_back FOR VALUES IN (1);
CREATE TABLE comes_back_2 PARTITION OF comes_back FOR VALUES IN (2);
CREATE TABLE comes_back_3 (id bigint, k int);
ALTER TABLE comes_back ATTACH PARTITION comes_back_3 FOR VALUES IN (3);
INSERT INTO comes_back SELECT g, 1 + g % 3 FROM generate_series(1, 30) g;
CREATE FUNCTION next_after(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN hilo_next('comes_back');
END $$;
BEGIN; SELECT next_after('DROP TABLE comes_back_1, comes_back_2'); ROLLBACK;
SELECT next_after('') > 30 AS above;
SELECT hilo_drop('comes_back');
BEGIN; SELECT next_after('ALTER TABLE comes_back DETACH PARTITION comes_back_3'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back ALTER id DROP DEFAULT'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back RENAME id TO no; ALTER TABLE comes_back ADD id bigint'); ROLLBACK;
BEGIN; SELECT next_after('ALTER TABLE comes_back OWNER TO regress_hilo_clerk'); ROLLBACK;
SELECT next_after('') > 30 AS above;
CREATE TABLE of_domain (k int);
CREATE DOMAIN domain_id AS bigint DEFAULT hilo_next('of_domain');
ALTER TABLE of_domain ADD id domain_id;
INSERT INTO of_domain SELECT 1, g::bigint FROM generate_series(1, 10) g;
SELECT hilo_next('of_domain') > 10 AS above;
BEGIN; ALTER DOMAIN domain_id DROP DEFAULT; SELECT hilo_next('of_domain') > 10 AS above; ROLLBACK;
BEGIN; DROP DOMAIN domain_id CASCADE; SELECT hilo_next('of_domain') > 10 AS above; ROLLBACK;
INSERT INTO of_domain (k) VALUES (1) RETURNING id > 10 AS above;
-- a type that takes no number has had no ids
CREATE TABLE reborn (id uuid, k int);
INSERT INTO reborn SELECT gen_random_uuid(), g FROM generate_series(1, 3) g;
ALTER TABLE reborn DROP id, ADD id bigint DEFAULT hilo_next('reborn');
SELECT max(id) FROM reborn;
DROP TABLE reborn;
-- what a resync or an attach makes lies above all that draws from it, as a first use does
CREATE TABLE one (id bigint DEFAULT hilo_next_tag('of two'), no int DEFAULT hilo_next_tag('of two'), k int);
CREATE TABLE other (id bigint DEFAULT hilo_next_tag('of two'), k int);
INSERT INTO one VALUES (3, 40);
INSERT INTO other VALUES (70);
BEGIN;
TRUNCATE one, other;
SELECT hilo_resync('one', 'id');
ROLLBACK;
SELECT hilo_resync('one', 'id');
SELECT max_value FROM hilo_generators() WHERE name = 'of two';
INSERT INTO other (k) VALUES (1) RETURNING id;
-- also one of a part; the generator is the whole's, whose owner may have no other name
SET ROLE regress_hilo_clerk;
CREATE TABLE cm.tree (id bigint DEFAULT hilo_next('cm.tree'), k int) PARTITION BY LIST (k);
CREATE TABLE cm.branch PARTITION OF cm.tree FOR VALUES IN (1);
CREATE TABLE cm.other_branch PARTITION OF cm.tree DEFAULT;
INSERT INTO cm.tree VALUES (20, 1), (30, 2);
BEGIN;
TRUNCATE cm.branch;
SAVEPOINT s;
INSERT INTO cm.tree (k) VALUES (1);
ROLLBACK TO s;
SELECT hilo_resync('cm.branch', 'id');
SELECT columns, owner FROM hilo_generators() WHERE name = 'tree';
ROLLBACK;
RESET ROLE;
CREATE TABLE attached (id bigint DEFAULT hilo_next_tag('of three'), k int);
CREATE VIEW attached_view AS SELECT * FROM attached;
ALTER VIEW attached_view ALTER id SET DEFAULT hilo_next_tag('of three');
INSERT INTO attached VALUES (700);
SELECT hilo_attach('other', 'id', 'of three');
INSERT INTO attached (k) VALUES (1) RETURNING id > 700 AS above;

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
ALTER VIEW view ALTER id SET DEFAULT hilo_next('viewed');
INSERT INTO viewed VALUES (5);
INSERT INTO view (k) VALUES (1);
ALTER TABLE viewed ADD PRIMARY KEY (id);
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

-- code of a table's owner runs as the owner, restricted
CREATE FUNCTION tell() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE mine ();
	RAISE 'not restricted';
EXCEPTION WHEN insufficient_privilege THEN
	RAISE '% in %: %', current_user, current_setting('search_path'), SQLERRM;
END $$;
CREATE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT true';
CREATE TABLE owned (id bigint DEFAULT hilo_next('cm.owned'));
ALTER TABLE owned OWNER TO regress_hilo_clerk;
CREATE INDEX ON owned (id) WHERE cm.tell(1);
INSERT INTO owned VALUES (77);
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT cm.tell()';
\set SHOW_CONTEXT never
INSERT INTO owned DEFAULT VALUES;
SELECT current_user = session_user AS same, current_setting('search_path');
-- and may be the first to use the generator itself
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('cm.told', true) IS NULL THEN
		PERFORM set_config('cm.told', 'yes', true), public.hilo_next('cm.owned');
	END IF;
	RETURN true;
END $$;
INSERT INTO owned DEFAULT VALUES RETURNING id;
-- and the session ends, which has the generator once
CREATE FUNCTION ends(ended int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. 600 LOOP
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.02);
		IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ended) THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$;
SELECT pg_backend_pid() AS pid \gset
\c -
SET client_min_messages = warning;
SELECT cm.ends(:pid);

DROP SCHEMA cm CASCADE;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators() WHERE name NOT LIKE 'limits%';
DROP ROLE regress_hilo_clerk;
