/*
 * The first use of a table's generator in a transaction that has written before: the
 * definition is the transaction's, and goes with it; the number stays, so that no id
 * comes twice, whichever session had it
 */
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE TABLE written (k int);
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
-- no rollback takes back which ids were handed out: a session may lock twice, so it looks first
CREATE FUNCTION is_new(id bigint) RETURNS bool LANGUAGE sql BEGIN ATOMIC
	SELECT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND objid = id::oid) AND pg_try_advisory_lock(id);
END;
CREATE VIEW state AS
	SELECT count(*) FILTER (WHERE kind = 'definition') AS definitions, count(*) FILTER (WHERE kind = 'number') AS numbers
	  FROM (SELECT 'definition', name::text FROM hilo_internal.hilo_generator UNION ALL SELECT 'number', name::text FROM hilo_internal.hilo_hi) r (kind, name)
	 WHERE name ^@ '#' AND (name = '#' || to_regclass('tfu')::oid OR NOT EXISTS (SELECT FROM pg_class WHERE '#' || oid = name));

/* Rolled back */
BEGIN;
INSERT INTO written VALUES (1);
SELECT low, high, is_new(low) FROM hilo_next_range('tfu', 10);
INSERT INTO tfu (k) VALUES (1) RETURNING id, is_new(id);
TABLE state;
ROLLBACK;
TABLE state;
-- the next one goes on above, and above the rows that came meanwhile
INSERT INTO tfu VALUES (100);
BEGIN;
INSERT INTO written VALUES (1);
INSERT INTO tfu (k) VALUES (2) RETURNING id, is_new(id);
ROLLBACK;
SELECT count(*), every(is_new(id)), min(id) > 100 AS above FROM hilo_next('tfu', 10) id;
TABLE state;
-- that one was final: it had no transaction id before
DROP TABLE tfu;
TABLE state;

/* To a savepoint, released or not, several times */
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
SELECT pg_advisory_unlock_all();
BEGIN;
INSERT INTO written VALUES (1);
SAVEPOINT a;
INSERT INTO tfu (k) VALUES (1) RETURNING id, is_new(id);
ROLLBACK TO a;
TABLE state;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
ROLLBACK TO a;
SAVEPOINT b;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
RELEASE b;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
ROLLBACK TO a;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
COMMIT;
TABLE state;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
SELECT count(*), count(DISTINCT id) FROM tfu;
-- an error in a block of PL/pgSQL, and a cursor that is closed by it
DROP TABLE tfu;
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
SELECT pg_advisory_unlock_all();
DO $$
DECLARE
	first bigint;
	second bigint;
BEGIN
	INSERT INTO written VALUES (1);
	BEGIN
		first := hilo_next('tfu');
		RAISE division_by_zero;
	EXCEPTION WHEN division_by_zero THEN
		second := hilo_next('tfu');
	END;
	RAISE WARNING 'other ids: %', second > first;
END $$;

/* The table is made by the same transaction, or subtransaction: then the number goes with it */
DROP TABLE tfu;
BEGIN;
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
INSERT INTO tfu (k) VALUES (1) RETURNING id;
ROLLBACK;
TABLE state;
BEGIN;
SAVEPOINT a;
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
RELEASE a;
INSERT INTO tfu (k) VALUES (1) RETURNING id;
ROLLBACK;
TABLE state;
-- but not with a savepoint that does not take the table
BEGIN;
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
SAVEPOINT a;
SELECT low, high FROM hilo_next_range('tfu', 10);
ROLLBACK TO a;
SELECT low > 10 AS above FROM hilo_next_range('tfu', 10);
COMMIT;
INSERT INTO tfu (k) VALUES (1) RETURNING id > 20 AS above;
DROP TABLE tfu;

/* What the transaction hides is there again after it, and counts then */
CREATE FUNCTION hidden_by(t regclass, command text, OUT in_it bigint, OUT after_it bigint, OUT doubles bigint) LANGUAGE plpgsql AS $$
DECLARE
	id bigint;
BEGIN
	BEGIN
		EXECUTE format(command, t);
		id := hilo_next(t);
		RAISE division_by_zero;
	EXCEPTION WHEN division_by_zero THEN
		in_it := id;
	END;
	EXECUTE format('INSERT INTO %s (k) SELECT 1 FROM generate_series(1, 70)', t);
	EXECUTE format('SELECT min(id) FILTER (WHERE k = 1), count(*) - count(DISTINCT id) FROM %s', t) INTO after_it, doubles;
END $$;
CREATE TABLE hidden (no int, command text);
INSERT INTO hidden VALUES (1, 'DELETE FROM %s'), (2, 'TRUNCATE %s'), (3, 'ALTER TABLE %s ALTER id DROP DEFAULT'), (4, 'UPDATE %s SET id = -id'),
	(5, 'ALTER TABLE %s RENAME TO tfu_other');
SELECT format('CREATE TABLE tfu_%1$s (id bigint DEFAULT hilo_next(''tfu_%1$s''), k int, PRIMARY KEY (id)); INSERT INTO tfu_%1$s SELECT i FROM generate_series(1, 50) i', no) FROM hidden \gexec
SELECT command, h.* FROM hidden, hidden_by('tfu_' || no, command) h ORDER BY no;
DROP TABLE tfu_1, tfu_2, tfu_3, tfu_4, tfu_5, hidden;

/* Other isolation levels */
SELECT pg_advisory_unlock_all();
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO written VALUES (1);
INSERT INTO tfu (k) VALUES (1) RETURNING id, is_new(id);
ROLLBACK;
-- a row that comes below what is reserved: no session goes on there
INSERT INTO tfu VALUES (5);
BEGIN ISOLATION LEVEL SERIALIZABLE;
INSERT INTO written VALUES (1);
INSERT INTO tfu (k) VALUES (1) RETURNING id > 32 AS above, is_new(id);
ROLLBACK;
BEGIN ISOLATION LEVEL SERIALIZABLE;
INSERT INTO written VALUES (1);
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
COMMIT;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
TABLE state;

/* Dropped, and created, and both rolled back: no second row, and the first one's numbers */
BEGIN;
ALTER TABLE tfu ALTER id DROP DEFAULT;
SELECT hilo_drop('tfu');
SELECT hilo_next('tfu');
ROLLBACK;
BEGIN;
ALTER TABLE tfu ALTER id DROP DEFAULT;
SELECT hilo_drop('tfu');
SELECT hilo_create('tfu', range_size => 5);
TABLE state;
ROLLBACK;
TABLE state;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
BEGIN;
SAVEPOINT a;
DROP TABLE tfu;
ROLLBACK TO a;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
COMMIT;
BEGIN;
DROP TABLE tfu;
ROLLBACK;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
-- created in a transaction that is rolled back: the number stays
DROP TABLE tfu;
SELECT pg_advisory_unlock_all();
CREATE TABLE tfu (id bigint PRIMARY KEY DEFAULT hilo_next('tfu'), k int);
BEGIN;
SELECT hilo_create('tfu', first => 1000);
INSERT INTO tfu (k) VALUES (1) RETURNING id, is_new(id);
ROLLBACK;
TABLE state;
INSERT INTO tfu (k) VALUES (1) RETURNING id >= 1000 AS above, is_new(id);
-- gapless: the numbers are the transaction's, and go above those that were seen
CREATE TABLE tfu_gapless (id bigint PRIMARY KEY DEFAULT hilo_next('tfu_gapless'), k int);
BEGIN;
INSERT INTO written VALUES (1);
INSERT INTO tfu_gapless (k) VALUES (1) RETURNING id;
ROLLBACK;
BEGIN;
SELECT hilo_create('tfu_gapless', 'gapless');
INSERT INTO tfu_gapless (k) VALUES (1) RETURNING id > 1 AS above;
ROLLBACK;
SELECT hilo_create('tfu_gapless', 'gapless');
INSERT INTO tfu_gapless (k) VALUES (1), (1);
SELECT min(id) > 1 AS above, max(id) - min(id) FROM tfu_gapless;
DROP TABLE tfu_gapless;

/* Moved, and that rolled back; a number that is left counts */
CREATE TABLE tfu_new (id bigint PRIMARY KEY, k int);
BEGIN;
INSERT INTO written VALUES (1);
SELECT high AS seen FROM hilo_next_range('tfu_new', 5000) \gset
ROLLBACK;
BEGIN;
SELECT hilo_move('tfu', 'tfu_new');
SELECT hilo_next('tfu_new');
ROLLBACK;
BEGIN;
SELECT hilo_move('tfu', 'tfu_new');
SELECT hilo_next('tfu');
ROLLBACK;
INSERT INTO tfu (k) VALUES (1) RETURNING is_new(id);
SELECT hilo_move('tfu', 'tfu_new');
SELECT hilo_next('tfu_new') > :seen AS above;
DROP TABLE tfu, tfu_new CASCADE;

DROP VIEW state;
DROP TABLE written;
DROP FUNCTION is_new, hidden_by;
