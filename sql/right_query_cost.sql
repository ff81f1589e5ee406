/*
 * What one role puts into its tables costs no other role much
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/right_planted_setup.sql'
\i :setup

-- 200 columns of others, among them one of an expression that is too long for a call
SET ROLE regress_hilo_alice;
CREATE TABLE shop.planted (id bigint DEFAULT hilo_next_tag('planted'), n text);
INSERT INTO shop.planted DEFAULT VALUES;
GRANT INSERT ON shop.planted TO regress_hilo_web;
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	EXECUTE format('CREATE TABLE bob.p (%s, long bigint DEFAULT hilo_next_tag(''planted'')%s, word text DEFAULT hilo_next_tag(%L)::text)',
		(SELECT string_agg(format('p%s bigint DEFAULT hilo_next_tag(''planted'')', n), ', ') FROM generate_series(1, 200) n),
		repeat('+1', 1000), repeat('x', 100000));
END $$;
GRANT INSERT ON bob.p TO PUBLIC;
\c -
SET client_min_messages = warning;
BEGIN;
SET LOCAL ROLE regress_hilo_web;
INSERT INTO shop.planted (n) VALUES ('web');
SELECT seq_scan + idx_scan < 1000 AS reads_others_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attrdef';
INSERT INTO shop.planted (n) VALUES ('web');
INSERT INTO shop.planted (n) VALUES ('web');
-- nor again when one of them has changed
RESET ROLE;
ALTER TABLE shop.planted ALTER n SET DEFAULT 'n';
SET LOCAL ROLE regress_hilo_web;
INSERT INTO shop.planted (n) VALUES ('web');
SELECT seq_scan + idx_scan < 1000 AS reads_others_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_attrdef';
COMMIT;
RESET ROLE;
SELECT hilo_generator_of('bob.p', 'long'), hilo_generator_of('bob.p', 'word'), hilo_generator_of('bob.p', 'p200');
SELECT count(*) FROM hilo_check('bob.p') WHERE generator IS NULL;

-- names and arguments that are too long, tables that inherit many columns, groups of a table with parts
SET ROLE regress_hilo_bob;
CREATE TABLE bob.p1 () INHERITS (bob.p);
CREATE TABLE bob.p2 () INHERITS (bob.p);
DO $$
BEGIN
	EXECUTE format('CREATE TABLE bob.q (id text, name bigint DEFAULT hilo_next_tag(%L), grp int, n int)', repeat('x', 600));
	EXECUTE format('CREATE TRIGGER id BEFORE INSERT ON bob.q FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'', %L)', repeat('x', 100000));
END $$;
SELECT hilo_generator_of('bob.q', 'id') IS NULL AS id, hilo_generator_of('bob.q', 'name') IS NULL AS name;
DROP TRIGGER id ON bob.q;
CREATE TRIGGER number BEFORE INSERT ON bob.q FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('n', 'gapless', 'grp');
INSERT INTO bob.q (name, grp) SELECT 1, g FROM generate_series(1, 50) g;
CREATE TABLE bob.q1 () INHERITS (bob.q);
-- two tables with parts, with generators that take turns in the order of their names
DO $$
BEGIN
	FOR i IN 0 .. 1 LOOP
		EXECUTE format('CREATE TABLE bob.turn (%s)',
			(SELECT string_agg(format('c%1$s bigint DEFAULT hilo_next_tag(''bob.turn.%1$s'')', n), ', ') FROM generate_series(10 + i, 29, 2) n));
		INSERT INTO bob.turn DEFAULT VALUES;
		EXECUTE format('CREATE TABLE bob.turn_%1$s () INHERITS (bob.turn); ALTER TABLE bob.turn RENAME TO turned_%1$s', i);
	END LOOP;
END $$;
\c -
SET client_min_messages = warning;
SET ROLE regress_hilo_alice;
-- What a query reads of a catalog in a transaction.  A change of any relation by another session, such
-- as an autovacuum's of a catalog, has it look again: then the next transaction counts.
CREATE PROCEDURE shop.cost(query text, catalog name, counter text, most bigint, INOUT result bigint DEFAULT NULL, INOUT is_cheap bool DEFAULT false)
LANGUAGE plpgsql AS $$
DECLARE
	count text := format('SELECT %I FROM pg_stat_xact_sys_tables WHERE relname = %L', counter, catalog);
	before bigint;
	after bigint;
BEGIN
	FOR i IN 1 .. 100 LOOP
		EXECUTE count INTO before;
		EXECUTE query INTO result;
		EXECUTE count INTO after;
		is_cheap := after - coalesce(before, 0) < most;
		COMMIT;
		EXIT WHEN is_cheap;
	END LOOP;
END $$;
-- one look for all generators, which reads each default once
CALL shop.cost('SELECT count(*) FROM hilo_stats()', 'pg_inherits', 'idx_scan', 1000);
CALL shop.cost('SELECT count(columns) FROM hilo_generators()', 'pg_attrdef', 'idx_tup_fetch', 5000);
-- nor what names the generator of another's table, after each change of a relation
CREATE TABLE shop.own (id bigint PRIMARY KEY DEFAULT hilo_next('shop.own'), n int);
CREATE FUNCTION shop.change_and_insert() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
	ALTER TABLE shop.own ALTER n SET DEFAULT 7;
	INSERT INTO shop.own DEFAULT VALUES;
	RETURN 1;
END $$;
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	EXECUTE format('CREATE TABLE bob.own (%s)',
		(SELECT string_agg(format('p%s bigint DEFAULT hilo_next(''shop.own'')', n), ', ') FROM generate_series(1, 300) n));
END $$;
SET ROLE regress_hilo_alice;
CALL shop.cost('SELECT shop.change_and_insert()', 'pg_attrdef', 'idx_scan', 150);
DROP FUNCTION shop.change_and_insert;
SET ROLE regress_hilo_bob;
DROP TABLE bob.own;
SET ROLE regress_hilo_alice;
DROP TABLE shop.own;
-- tables with generators that have not been used, only named
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	FOR i IN 1 .. 30 LOOP
		EXECUTE format('CREATE TABLE bob.unused_%s (id bigint DEFAULT hilo_next(''bob.unused_%1$s''))', i);
	END LOOP;
END $$;
RESET ROLE;
BEGIN;
SELECT count(*) FROM hilo_check() WHERE generator ~ 'unused';
SELECT seq_scan < 30 AS looks_at_all_relations_once FROM pg_stat_xact_sys_tables WHERE relname = 'pg_class';
COMMIT;
DO $$
BEGIN
	FOR i IN 1 .. 30 LOOP
		EXECUTE format('DROP TABLE bob.unused_%s', i);
	END LOOP;
END $$;
-- triggers that parts of a table have from the whole
SET ROLE regress_hilo_bob;
CREATE TABLE bob.deep_0 (id text, n int) PARTITION BY RANGE (n);
DO $$
BEGIN
	FOR i IN 1 .. 15 LOOP
		EXECUTE format('CREATE TABLE bob.deep_%s PARTITION OF bob.deep_%s FOR VALUES FROM (0) TO (%s) PARTITION BY RANGE (n)', i, i - 1, 100 - i);
	END LOOP;
	FOR i IN 1 .. 15 LOOP
		EXECUTE format('CREATE TRIGGER id_%s BEFORE INSERT ON bob.deep_0 FOR EACH ROW EXECUTE FUNCTION document_id_assign(''id'')', i);
	END LOOP;
END $$;
\c -
SET client_min_messages = warning;
SET ROLE regress_hilo_alice;
CALL shop.cost('SELECT count(columns) FROM hilo_generators()', 'pg_inherits', 'idx_scan', 2000);
SET ROLE regress_hilo_bob;
DROP TABLE bob.deep_0;
SET ROLE regress_hilo_alice;
-- views that show each other in more and more ways
SET ROLE regress_hilo_bob;
CREATE TABLE bob.seen (id bigint DEFAULT hilo_next('bob.seen'));
CREATE VIEW bob.view_0 AS TABLE bob.seen;
DO $$
BEGIN
	FOR i IN 1 .. 40 LOOP
		EXECUTE format('CREATE VIEW bob.view_%s AS SELECT a.* FROM bob.view_%s a, bob.view_%2$s b', i, i - 1);
	END LOOP;
END $$;
ALTER VIEW bob.view_40 ALTER id SET DEFAULT hilo_next('bob.seen');
RESET ROLE;
SET statement_timeout = '60s';
SELECT hilo_resync('bob.seen', 'id');
RESET statement_timeout;
DROP TABLE bob.seen CASCADE;
SET ROLE regress_hilo_alice;
-- views of another owner's table, of a role that may insert there, take no locks of a role
-- that inserts through another view
SET ROLE regress_hilo_alice;
CREATE TABLE shop.watched (id bigint DEFAULT hilo_next('shop.watched'), n int);
GRANT INSERT ON shop.watched TO regress_hilo_bob;
SET ROLE regress_hilo_bob;
DO $$
BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('CREATE VIEW bob.watches_%s AS SELECT n FROM shop.watched', i);
	END LOOP;
END $$;
SET ROLE regress_hilo_alice;
CREATE VIEW shop.written AS SELECT n FROM shop.watched;
GRANT INSERT ON shop.written TO regress_hilo_web;
SET ROLE regress_hilo_web;
BEGIN;
SELECT hilo_next('shop.watched');
SELECT count(*) < 50 AS few FROM pg_locks WHERE pid = pg_backend_pid();
COMMIT;
SET ROLE regress_hilo_alice;
DROP TABLE shop.watched CASCADE;
-- children of children that each have a sequence of their own, and a trigger
SET ROLE regress_hilo_bob;
CREATE TABLE bob.chain_0 (id serial, code text);
DO $$
BEGIN
	FOR i IN 1 .. 200 LOOP
		EXECUTE format('CREATE TABLE bob.chain_%s (id serial) INHERITS (bob.chain_%s)', i, i - 1);
	END LOOP;
	FOR i IN 0 .. 200 LOOP
		EXECUTE format($t$CREATE TRIGGER coded BEFORE INSERT ON bob.chain_%s
			FOR EACH ROW EXECUTE FUNCTION document_id_assign('code')$t$, i);
	END LOOP;
END $$;
SET ROLE regress_hilo_alice;
CREATE TABLE shop.flat (id serial);
SELECT pg_stat_force_next_flush();
BEGIN;
SELECT hilo_attach('shop.flat', 'id');
SELECT idx_scan < 1000 AS climbs_no_chain FROM pg_stat_xact_sys_tables WHERE relname = 'pg_inherits';
SELECT count(*) FROM hilo_check('shop.flat');
COMMIT;
DROP TABLE shop.flat;
SET ROLE regress_hilo_bob;
DROP TABLE bob.chain_0 CASCADE;
RESET ROLE;

DROP SCHEMA bob, shop CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP OWNED BY regress_hilo_bob, regress_hilo_alice, regress_hilo_both;
DROP ROLE regress_hilo_bob, regress_hilo_alice, regress_hilo_web, regress_hilo_both;
