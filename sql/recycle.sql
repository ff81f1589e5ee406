/*
 * recycle: ranges that are given back from below the top one are kept as
 * spares, and handed out first
 */
SET hilo.prefetch = off;
CREATE VIEW state AS
	SELECT last, spare_ids FROM hilo_generators() WHERE name = 'recycle';
CREATE FUNCTION spares() RETURNS text LANGUAGE sql AS $$
	SELECT string_agg(low || '-' || high, ' ' ORDER BY n)
	  FROM hilo_internal.hilo_hi, LATERAL (VALUES (1, spare_low_1, spare_high_1), (2, spare_low_2, spare_high_2),
		(3, spare_low_3, spare_high_3), (4, spare_low_4, spare_high_4), (8, spare_low_8, spare_high_8)) s (n, low, high)
	 WHERE name = 'recycle' AND low <= high
$$;
-- takes a range above the session's own
CREATE FUNCTION other(size bigint) RETURNS text LANGUAGE sql
	AS 'SELECT low || ''-'' || high FROM hilo_next_range(''recycle'', size)';

-- Without recycle an inner range is taken by whoever has had no higher id.
SELECT hilo_create('recycle', range_size => 10, max_range_size => 10);
SELECT hilo_next('recycle'), other(10);
SELECT hilo_release('recycle');
TABLE state;
SELECT given_back, lost FROM hilo_stats() WHERE name = 'recycle';
SELECT hilo_next('recycle'), hilo_drop('recycle');

SELECT hilo_create('recycle', range_size => 10, max_range_size => 10, recycle => true);
SELECT hilo_next('recycle'), other(10);
SELECT hilo_release('recycle'), spares();
TABLE state;
SELECT given_back, lost FROM hilo_stats() WHERE name = 'recycle';
-- handed out first; the top range is still returnable, and a failover skips twice its ids
SELECT hilo_next('recycle'), spares();
SELECT last_size FROM hilo_internal.hilo_hi WHERE name = 'recycle';
SELECT hilo_return_range('recycle', 20, 12);
TABLE state;
SELECT count(*), max(id) FROM (SELECT hilo_next('recycle') AS id FROM generate_series(1, 8)) t;
SELECT hilo_next('recycle');
SELECT hilo_release('recycle');
TABLE state;
-- the top range is given back as without, and needs no slot
SELECT spares() IS NULL AS none;

-- What is on top comes back to the window, and needs no slot.
SELECT hilo_alter('recycle', range_size => 100, max_range_size => 100);
SELECT hilo_next('recycle'), other(1), hilo_release('recycle'), spares();
SELECT hilo_alter('recycle', range_size => 3, max_range_size => 3);
SELECT hilo_stats_reset();
SELECT hilo_next('recycle'), hilo_release('recycle'), spares() FROM generate_series(1, 6);
SELECT given_back, lost FROM hilo_stats() WHERE name = 'recycle';
-- Neither a client's range nor a block of the Hi/Lo algorithm comes out of them.
SELECT other(3), hilo_next_hi('recycle', 3), spares();
-- counts towards what is left
SELECT hilo_release('recycle');
SELECT last + 1 AS max_value, spare_ids + 1 AS left FROM state \gset
SELECT hilo_alter('recycle', max_value => :max_value);
SELECT hilo_next('recycle', :left + 1) LIMIT 1;
SELECT count(DISTINCT id) = :left AS all_left FROM hilo_next('recycle', :left) id;
SELECT hilo_next('recycle');
SELECT hilo_alter('recycle', max_value => 10000);

-- A seed and a last_max above last empty the slots, a seed that raises nothing does not.
SELECT hilo_next('recycle') > 0 AS next, other(1) IS NOT NULL AS other, hilo_release('recycle');
SELECT hilo_seed('recycle', 1) > 0 AS seeded;
SELECT spare_ids FROM state;
SELECT hilo_seed('recycle', 1000);
SELECT spare_ids FROM state;
SELECT hilo_next('recycle'), other(1), hilo_release('recycle');
SELECT spare_ids FROM state;
SELECT hilo_seed('recycle', 500, force => true);
SELECT spare_ids FROM state;
SELECT hilo_next('recycle'), other(1), hilo_release('recycle');
SELECT spare_ids FROM state;
SELECT low FROM hilo_next_range('recycle', 1, last_max => 2000);
SELECT spare_ids FROM state;
-- drop and create, too
SELECT hilo_next('recycle'), other(1), hilo_release('recycle'), hilo_drop('recycle');
SELECT hilo_create('recycle', recycle => true);
TABLE state;
SELECT hilo_next('recycle');
-- a range that was reserved ahead of need does not outlive the right to it
SELECT hilo_drop('recycle'), hilo_create('recycle', range_size => 10, max_range_size => 10, recycle => true);
SET hilo.prefetch = off;
SELECT max(hilo_next('recycle')) FROM generate_series(1, 3);
SELECT low, high FROM hilo_next_range('recycle', 10);
SELECT hilo_release('recycle'), hilo_alter('recycle', recycle => false), hilo_next('recycle'), hilo_alter('recycle', recycle => true);
SET hilo.prefetch = on;
SELECT max(hilo_next('recycle')) FROM generate_series(1, 5);
SELECT next, high FROM hilo_session() WHERE name = 'recycle';
SELECT hilo_alter('recycle', recycle => false);
SELECT array_agg(hilo_next('recycle')) FROM generate_series(1, 6);
-- what was given back before is handed out then, too
SELECT hilo_create('recycle_few', recycle => true, max_value => 100), hilo_next('recycle_few');
SELECT low, high FROM hilo_next_range('recycle_few', 32);
SELECT hilo_release('recycle_few');
SELECT low, high FROM hilo_next_range('recycle_few', 31);
SELECT hilo_alter('recycle_few', recycle => false);
SELECT array_agg(id) FROM hilo_next('recycle_few', 5) id;
SELECT hilo_next('recycle_few');
-- no id twice, though not in order
SELECT hilo_drop('recycle'), hilo_create('recycle', range_size => 5, max_range_size => 50, recycle => true);
CREATE TEMP TABLE got (id bigint);
DO $$
BEGIN
	FOR i IN 1..500 LOOP
		INSERT INTO got SELECT hilo_next('recycle', i % 7);
		IF i % 3 = 0 THEN
			INSERT INTO got SELECT generate_series(low, high) FROM hilo_next_range('recycle', 2);
		END IF;
		IF i % 5 = 0 THEN
			PERFORM hilo_release();
		END IF;
		PERFORM set_config('hilo.prefetch', CASE i % 11 WHEN 0 THEN 'on' WHEN 5 THEN 'off'
			ELSE current_setting('hilo.prefetch') END, false);
	END LOOP;
END $$;
SELECT count(*) AS ids, count(DISTINCT id) AS distinct_ids, max(id) < 2 * count(*) AS few_gaps FROM got;

-- What the last session leaves below the top range waits for the next one.
SELECT hilo_drop('recycle'), hilo_create('recycle', range_size => 10, max_range_size => 10, recycle => true);
SET hilo.prefetch = off;
SELECT hilo_next('recycle'), other(10);
SELECT pg_backend_pid() AS pid \gset
\c -
DO $$ BEGIN
	WHILE EXISTS (SELECT FROM hilo_generators() WHERE name = 'recycle' AND spare_ids = 0) LOOP
		PERFORM pg_sleep(0.01);
	END LOOP;
END $$;
SELECT spares();
SELECT hilo_next('recycle'), spares();
SELECT given_back, lost FROM hilo_stats() WHERE name = 'recycle';

DROP VIEW state;
DROP FUNCTION spares, other;
SELECT hilo_drop('recycle'), hilo_drop('recycle_few');
