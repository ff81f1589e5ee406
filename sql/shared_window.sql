/*
 * Generators with the ordering global: a window of ids that all sessions share
 */
CREATE FUNCTION wait_for_end(pid int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	WHILE EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = wait_for_end.pid) LOOP
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
	END LOOP;
END $$;
CREATE VIEW state AS
	SELECT name, ordering, last FROM hilo_generators() WHERE name ILIKE 'shared%';

SELECT hilo_create('Shared', 'global');
SELECT name, ordering, first, last, range_size, max_range_size FROM hilo_generators() WHERE name = 'Shared';
SELECT hilo_current('shared');

-- every call that gives one id, in one order; reserved is half a range, and the
-- next half ahead of need
SELECT hilo_next_tag('shared'), hilo_next_tag('SHARED'), hilo_next_id('shared');
SELECT array_agg(id) FROM hilo_next_tag('shared', 4) id;
SELECT * FROM state;
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT * FROM state;
CREATE TABLE shared_row (id bigint DEFAULT hilo_next_tag('shared'), item text);
INSERT INTO shared_row VALUES (DEFAULT, 'a'), (DEFAULT, 'b') RETURNING id;
SELECT hilo_next_tag('shared');
DROP TABLE shared_row;
SELECT * FROM hilo_next_tag('shared', 0);
SELECT hilo_current('Shared');
SELECT name, current, next, high FROM hilo_session() WHERE name = 'Shared';
-- this session holds nothing
SELECT hilo_release('shared');
SELECT hilo_next_tag('shared');
SELECT hilo_stats_reset();
SELECT count(DISTINCT id), min(id), max(id) FROM (SELECT hilo_next_tag('shared') AS id FROM generate_series(1, 1000)) t;
SELECT ranges, ids, prefetched, prefetch_hits + prefetch_misses AS used, returned, lost FROM hilo_stats() WHERE name = 'Shared';

-- the last session out gives the rest back
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_end(:pid);
SELECT * FROM state;
SELECT hilo_next_tag('shared');
SELECT * FROM state;
SET hilo.return_on_exit = off;
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_end(:pid);
SELECT * FROM state;
SELECT hilo_next_tag('shared');

-- an id is gone, whatever becomes of its transaction
BEGIN;
SELECT hilo_next_tag('shared');
SAVEPOINT here;
SELECT hilo_next_tag('shared');
ROLLBACK TO here;
SELECT hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_next_tag('shared');

-- ranges for clients come out of the window, in the same order
SELECT hilo_drop('shared'), hilo_create('shared', 'global', range_size => 10);
SELECT hilo_next_tag('shared');
SELECT low, high FROM hilo_next_range('shared', 5);
SELECT hilo_next_hi('shared', 10);
SELECT array_agg(id) FROM hilo_next_tag('shared', 6) id;
SELECT low, high, range_no FROM hilo_next_range('shared', 5) \gset
SELECT :low - 1 = last - 5 AS is_on_top FROM state;
SELECT hilo_return_range('shared', :high, :low, :range_no);
SELECT hilo_return_range('shared', :high, :low, :range_no);
SELECT last = :low AS is_returned FROM state;
-- the window cannot be returned as a client's range
SELECT hilo_drop('shared'), hilo_create('shared', 'global', range_size => 10);
SELECT hilo_next_tag('shared');
SELECT last FROM state;
SELECT hilo_return_range('shared', 5, 1);
-- nor does the window grow with what clients make it lose
DO $$ BEGIN
	FOR i IN 1..20 LOOP
		PERFORM hilo_next_range('shared', 1, last_max => hilo_next_tag('shared') + 1);
	END LOOP;
END $$;
SELECT last < 1000 AS is_low FROM state;

-- blocks, some larger than the window: what is left of that is not lost
SELECT hilo_create('shared|', max_range_size => 100000);
SELECT identity_next('shared'), identity_next('shared', 5), identity_next('shared', 100), identity_next('shared', 1);
SELECT identity_next('shared', 100000), identity_next('shared'), identity_current('shared');
SELECT hilo_current('shared|'), identity_next('shared', 2), hilo_current('shared|');
SELECT hilo_drop('shared|'), hilo_drop('shared');

SELECT hilo_create('shared', 'global');
-- one id at a time
SELECT hilo_drop('shared'), hilo_create('shared', 'global', range_size => 1, max_range_size => 1);
SELECT hilo_next_tag('shared') FROM generate_series(1, 3);
SELECT * FROM state;

-- without prefetch
SELECT hilo_drop('shared'), hilo_create('shared', 'global');
SET hilo.prefetch = off;
SELECT max(id) FROM hilo_next_tag('shared', 16) id;
SELECT * FROM state;
SELECT hilo_stats_reset();
SELECT max(id) FROM hilo_next_tag('shared', 33) id;
SELECT ranges, ids, prefetched, prefetch_hits, prefetch_misses FROM hilo_stats() WHERE name = 'shared';
SET hilo.prefetch = on;

-- refused where nextval is, the window open or not
SELECT hilo_drop('shared'), hilo_create('shared', 'global');
SELECT hilo_next_tag('shared');
BEGIN READ ONLY;
SELECT hilo_next_tag('shared');
ROLLBACK;
BEGIN;
SELECT hilo_next_tag('shared');
SET TRANSACTION READ ONLY;
SELECT hilo_next_tag('shared');
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_current('shared');
SELECT name, last FROM state;
ROLLBACK;

-- rights are the current role's, in the window too
CREATE ROLE regress_hilo_shared;
SELECT hilo_revoke('shared', 'public');
BEGIN;
SELECT hilo_next_tag('shared');
SET LOCAL ROLE regress_hilo_shared;
SELECT hilo_next_tag('shared');
ROLLBACK;
SET ROLE regress_hilo_shared;
SELECT hilo_next_tag('shared');
SELECT hilo_current('shared');
SELECT hilo_seed('shared', 1000);
RESET ROLE;
SELECT hilo_grant('shared', 'regress_hilo_shared');
SET ROLE regress_hilo_shared;
SELECT hilo_next_tag('shared');
RESET ROLE;
SELECT hilo_drop('shared');
DROP ROLE regress_hilo_shared;
DROP VIEW state;
DROP FUNCTION wait_for_end;
