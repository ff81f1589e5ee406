/*
 * Ids and the caller's transaction: nothing is taken back, no isolation level
 * matters
 */
\set SHOW_CONTEXT never
SET hilo.prefetch = off;
SELECT hilo_create('txn', range_size => 2, max_range_size => 2);

-- rolled back
BEGIN;
SELECT hilo_next_tag('txn');
SELECT array(SELECT hilo_next_tag('txn', 4));
ROLLBACK;
SELECT hilo_next_tag('txn');
BEGIN;
SELECT low, high FROM hilo_next_range('txn', 2);
SELECT hilo_next_hi('txn', 2);
ROLLBACK;
SELECT last FROM hilo_generators() WHERE name = 'txn';
-- to a savepoint
BEGIN;
SAVEPOINT a;
SELECT hilo_next_tag('txn'), hilo_next_tag('txn');
SAVEPOINT b;
SELECT hilo_next_tag('txn'), hilo_next_tag('txn');
ROLLBACK TO b;
SELECT hilo_next_tag('txn');
ROLLBACK TO a;
SELECT hilo_next_tag('txn');
RELEASE a;
SELECT hilo_next_tag('txn');
COMMIT;
-- failed
BEGIN;
SELECT hilo_next_tag('txn');
SELECT hilo_next_tag('txn') / 0;
SELECT hilo_next_tag('txn');
ROLLBACK;
SELECT hilo_next_tag('txn');
-- a statement that fails in the middle
SELECT 1 / (hilo_next_tag('txn') - 30) AS x FROM generate_series(1, 10);
SELECT hilo_next_tag('txn');

-- a first use stays
BEGIN;
SELECT hilo_next_tag('txn_first_use');
ROLLBACK;
SELECT hilo_next_tag('txn_first_use'), last FROM hilo_generators() WHERE name = 'txn_first_use';
BEGIN;
SAVEPOINT s;
SELECT hilo_next_tag('txn_first_use_2');
ROLLBACK TO s;
SELECT hilo_next_tag('txn_first_use_2');
ROLLBACK;
SELECT hilo_next_tag('txn_first_use_2');
-- also for a snapshot that is older
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT 1 AS snapshot;
SELECT hilo_next_tag('txn_first_use_3');
SELECT hilo_next_tag('txn_first_use_3');
SELECT name, last FROM hilo_generators() WHERE name = 'txn_first_use_3';
COMMIT;

-- no isolation level fails
CREATE FUNCTION pg_temp.everything() RETURNS SETOF bigint LANGUAGE plpgsql AS $$
DECLARE
	r record;
BEGIN
	FOR i IN 1..20 LOOP
		RETURN NEXT hilo_next_tag('txn');
		RETURN QUERY SELECT * FROM hilo_next_tag('txn', 5);
		r := hilo_next_range('txn', 2);
		RETURN NEXT r.low;
		PERFORM hilo_return_range('txn', r.high, r.low);
		PERFORM hilo_release('txn');
		RETURN NEXT hilo_next_hi('txn', 2) * 2;
		PERFORM hilo_seed('txn', r.high + 10);
		PERFORM last FROM hilo_generators();
		PERFORM hilo_alter('txn', range_size => 1 + i % 2);
		PERFORM hilo_create('txn_inner');
		PERFORM hilo_next_tag('txn_inner');
		PERFORM hilo_drop('txn_inner');
	END LOOP;
END $$;
CREATE TEMP TABLE got AS SELECT * FROM pg_temp.everything() AS id;
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO got SELECT * FROM pg_temp.everything();
SAVEPOINT s;
INSERT INTO got SELECT * FROM pg_temp.everything();
COMMIT;
BEGIN ISOLATION LEVEL SERIALIZABLE;
INSERT INTO got SELECT * FROM pg_temp.everything();
SAVEPOINT s;
INSERT INTO got SELECT * FROM pg_temp.everything();
-- and leaves no predicate lock on hilo's tables
SELECT count(*) FROM pg_locks
 WHERE mode = 'SIReadLock' AND relation IN ('hilo_internal.hilo_hi'::regclass, 'hilo_internal.hilo_hi_pkey'::regclass,
	'hilo_internal.hilo_generator'::regclass, 'hilo_internal.hilo_generator_pkey'::regclass,
	'hilo_internal.hilo_privilege'::regclass, 'hilo_internal.hilo_privilege_pkey'::regclass);
COMMIT;
SELECT count(*) = count(DISTINCT id) AS distinct_ids, count(*) FROM got;

-- a procedure that commits
CREATE PROCEDURE commits() LANGUAGE plpgsql AS $$
DECLARE
	before bigint := hilo_next_tag('txn');
BEGIN
	FOR i IN 1..5 LOOP
		IF hilo_next_tag('txn') <= before THEN
			RAISE EXCEPTION 'not increasing';
		END IF;
		before := hilo_current('txn');
		IF i % 2 = 0 THEN COMMIT; ELSE ROLLBACK; END IF;
	END LOOP;
END $$;
CALL commits();
DROP PROCEDURE commits;

-- where nextval is refused
BEGIN READ ONLY;
SELECT hilo_next_tag('txn');
ROLLBACK;
-- in the middle of a transaction, with a range in hand
SELECT hilo_alter('txn', range_size => 100, max_range_size => 100);
BEGIN;
SELECT hilo_next_tag('txn') > 0 AS next;
SET TRANSACTION READ ONLY;
SELECT hilo_next_tag('txn');
ROLLBACK;
-- by the leader of a parallel query that no worker was left for
CREATE FUNCTION wrapped(i int) RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE
	AS 'BEGIN RETURN hilo_next_tag(''txn''); END';
CREATE TABLE rows AS SELECT generate_series(1, 1000) AS i;
ANALYZE rows;
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL max_parallel_workers = 0;
SELECT hilo_next_tag('txn') > 0 AS next;
SELECT max(wrapped(i)) FROM rows WHERE i <= 5;
ROLLBACK;
-- what shows the state of generators works there
CREATE FUNCTION shown(i int) RETURNS bigint LANGUAGE plpgsql PARALLEL SAFE
	AS 'BEGIN RETURN (SELECT count(*) FROM hilo_generators()) + (SELECT count(*) FROM hilo_stats()); END';
BEGIN;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SELECT max(shown(i)) > 0 AS shown FROM rows WHERE i <= 5;
ROLLBACK;
DROP FUNCTION shown;
DROP TABLE rows;
DROP FUNCTION wrapped;
BEGIN READ ONLY;
SELECT count(*) > 0 AS shown FROM hilo_generators(), hilo_session(), hilo_stats();
SELECT hilo_current('txn') > 0 AS current;
ROLLBACK;

SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'txn%';
