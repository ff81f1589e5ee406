/*
 * What was done with each generator: hilo_stats, hilo_stats_server and
 * hilo_stats_reset
 */
CREATE VIEW counted AS
	SELECT name, ranges, ids, handed_out, prefetched, returned, lost, windows
	  FROM hilo_stats() WHERE name LIKE 'stats%' ORDER BY name;
-- what is at hand in the windows
CREATE VIEW unaccounted AS
	SELECT name, ids - handed_out - returned - lost AS ids
	  FROM hilo_stats() WHERE name LIKE 'stats%' ORDER BY name;
CREATE FUNCTION wait_for_end(pid int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	WHILE EXISTS (SELECT FROM pg_stat_activity a WHERE a.pid = wait_for_end.pid) LOOP
		PERFORM pg_sleep(0.01);
		PERFORM pg_stat_clear_snapshot();
	END LOOP;
END $$;

-- Nothing is counted before the first use.
SELECT hilo_create('stats', range_size => 1000, max_range_size => 1000);
TABLE counted;
SELECT stats_reset IS NULL AS not_counted FROM hilo_stats() WHERE name = 'stats';

-- A range, what is handed out of it, and what is given back.
SET hilo.prefetch = off;
SELECT hilo_next_tag('stats');
TABLE counted;
SELECT count(*) FROM hilo_next_tag('stats', 9);
TABLE counted;
SELECT hilo_release('stats');
TABLE counted;
TABLE unaccounted;
-- no range or window was opened by looking
SELECT stats_reset <= now() AS counted FROM hilo_stats() WHERE name = 'stats';

-- Reserved ahead; every range that was is a hit or a miss once it is needed.
SET hilo.prefetch = on;
SELECT count(*) FROM hilo_next_tag('stats', 1000);
SELECT hilo_release('stats') > 0 AS returned;
SELECT prefetched > 0 AS prefetched, prefetched - prefetch_hits - prefetch_misses BETWEEN 0 AND 1 AS used, prefetch_busy, lost
  FROM hilo_stats() WHERE name = 'stats';
TABLE unaccounted;

-- Lost: what a session forgets.
SET hilo.prefetch = off;
SELECT hilo_create('stats_lost', max_value => 100000, range_size => 10, max_range_size => 10);
SELECT hilo_next_tag('stats_lost');
SELECT hilo_seed('stats_lost', 100);
SELECT hilo_next_tag('stats_lost');
TABLE counted;
SELECT low, high FROM hilo_next_range('stats_lost', 5);
SELECT hilo_release('stats_lost');
TABLE counted;
TABLE unaccounted;
-- at the end of a session, if it gives nothing back
SELECT hilo_next_tag('stats_lost', 2);
SET hilo.return_on_exit = off;
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_end(:pid);
TABLE counted;
TABLE unaccounted;
SELECT hilo_next_tag('stats_lost', 2);
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_end(:pid);
TABLE counted;
TABLE unaccounted;

-- Ranges for clients count as handed out, and what comes of them as given back.
SELECT hilo_create('stats_client');
SELECT low, high FROM hilo_next_range('stats_client', 10);
SELECT hilo_next_hi('stats_client', 20);
SELECT low, high FROM hilo_next_range('stats_client', 10);
SELECT hilo_return_range('stats_client', 49, 43), hilo_return_range('stats_client', 49, 43);
SELECT * FROM counted WHERE name = 'stats_client';

-- Windows; what is taken from one that is open counts at once.
SELECT hilo_create('stats_global', 'global', max_value => 100000, range_size => 20, max_range_size => 20);
SET hilo.prefetch = off;
SELECT hilo_next_tag('stats_global', 3);
SELECT * FROM counted WHERE name = 'stats_global';
SELECT max(id) FROM hilo_next_tag('stats_global', 10) id;
SELECT * FROM counted WHERE name = 'stats_global';
SELECT identity_next('stats', 4);
SELECT identity_next('stats', 40);
SELECT * FROM counted WHERE name = 'stats|';
SELECT pg_backend_pid() AS pid \gset
\c -
SELECT wait_for_end(:pid);
SELECT * FROM counted WHERE name IN ('stats_global', 'stats|');
SELECT * FROM unaccounted WHERE name IN ('stats_global', 'stats|');
SELECT hilo_next_tag('stats_global');
SELECT hilo_seed('stats_global', 100);
SELECT * FROM counted WHERE name = 'stats_global';
SELECT * FROM unaccounted WHERE name = 'stats_global';

-- Without gaps: the numbers, those rolled back included.
SELECT hilo_create('stats_gapless', 'gapless');
SELECT hilo_next_tag('stats_gapless', 2);
BEGIN;
SELECT hilo_next_tag('stats_gapless');
ROLLBACK;
SELECT * FROM counted WHERE name = 'stats_gapless';

-- Scattered ids are counted as others.
SELECT hilo_create('stats_scattered', 'scattered');
SELECT count(*) FROM hilo_next_tag('stats_scattered', 20);
SELECT hilo_release('stats_scattered');
SELECT * FROM counted WHERE name = 'stats_scattered';

-- Whatever becomes of the transaction.
SELECT hilo_create('stats_txn', range_size => 4, max_range_size => 4);
SET hilo.prefetch = off;
BEGIN;
SELECT count(*) FROM hilo_next_tag('stats_txn', 4);
ROLLBACK;
SELECT * FROM counted WHERE name = 'stats_txn';

-- A range waits for the disk once, if the disk has not got it by then.
SELECT flush_waits BETWEEN 0 AND ranges AS waited, flush_time >= 0 AS measured FROM hilo_stats() WHERE name = 'stats_txn';

-- A generator made anew counts from zero.
SELECT hilo_drop('stats_txn'), hilo_create('stats_txn');
SELECT * FROM counted WHERE name = 'stats_txn';

-- Once no window is open, all that was reserved is accounted for.
SELECT name, hilo_seed(name, 1000000, force => true) FROM hilo_generators() WHERE name IN ('stats_client', 'stats_scattered');
SELECT * FROM unaccounted WHERE name IN ('stats_client', 'stats_scattered');

-- All together, with those of other databases.
SELECT s.ranges >= t.ranges AS ranges, s.ids >= t.ids AS ids, s.handed_out >= t.handed_out AS handed_out,
       s.windows >= t.windows AS windows, s.stats_reset <= now() AS since
  FROM hilo_stats_server() s,
       (SELECT sum(ranges) AS ranges, sum(ids) AS ids, sum(handed_out) AS handed_out, sum(windows) AS windows FROM hilo_stats()) t;

-- A role sees what it may use, and one that watches the server all of it; it
-- resets what it may change.
GRANT SELECT ON counted TO PUBLIC;
CREATE ROLE regress_stats_user;
GRANT CREATE ON DATABASE :DBNAME TO regress_stats_user;
CREATE ROLE regress_stats_monitor IN ROLE pg_monitor;
SELECT hilo_grant('stats', 'regress_stats_monitor');
SET ROLE regress_stats_user;
SELECT hilo_create('stats_own');
SELECT hilo_next_tag('stats_own'), hilo_release('stats_own');
SELECT name FROM counted WHERE name IN ('stats', 'stats_lost', 'stats_own');
SELECT ranges > 0 AS counted FROM hilo_stats_server();
-- like PostgreSQL's own counters, only for superusers and for a role with a grant
SELECT hilo_stats_reset();
RESET ROLE;
SELECT ranges > 0 AS counted FROM hilo_stats() WHERE name = 'stats_own';
SET ROLE regress_stats_monitor;
SELECT count(*) = (SELECT count(*) FROM hilo_generators()) AS all_of_them FROM hilo_stats();
SELECT name FROM counted WHERE name = 'stats';
RESET ROLE;

-- A superuser resets everything.
SELECT hilo_stats_reset();
SELECT * FROM counted WHERE name IN ('stats', 'stats_lost', 'stats_global');
SELECT ranges, ids, handed_out, prefetched, prefetch_hits, prefetch_misses, prefetch_busy, returned, lost, windows,
       flush_waits, flush_time, stats_reset <= clock_timestamp() AS reset
  FROM hilo_stats_server();
-- what was handed out before does not count any more
SELECT hilo_next_tag('stats_lost', 2);
SELECT * FROM counted WHERE name = 'stats_lost';

SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'stats%' ORDER BY name;
DROP VIEW counted, unaccounted;
DROP FUNCTION wait_for_end;
DROP OWNED BY regress_stats_user;
DROP ROLE regress_stats_user, regress_stats_monitor;
