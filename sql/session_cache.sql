/*
 * The ranges a session holds: sizes, prefetch, release, current, the views
 */
CREATE VIEW held AS
	SELECT current, next, high, node_tag
	  FROM hilo_session() WHERE name LIKE 'cache%' ORDER BY name;
CREATE FUNCTION last_of(generator text) RETURNS bigint LANGUAGE sql
	AS 'SELECT last FROM hilo_generators() WHERE name = generator';

-- Nothing is held before the first use, and hilo_create holds nothing.
SELECT hilo_create('cache');
TABLE held;
SELECT hilo_current('cache');
SELECT hilo_release('cache'), hilo_release();

-- Without prefetch: one range at a time, used up before the next is taken.
SET hilo.prefetch = off;
SELECT hilo_next_tag('cache');
TABLE held;
SELECT last_of('cache');
SELECT count(*) FROM generate_series(1, 31) WHERE hilo_next_tag('cache') > 0;
TABLE held;
SELECT last_of('cache');
-- another one, as long
SELECT hilo_next_tag('cache'), hilo_current('cache');
TABLE held;
SELECT count(*) FROM generate_series(1, 64) WHERE hilo_next_tag('cache') > 0;
SELECT next, high FROM held;

-- Given back: everything above the last id, and it comes again.
SELECT hilo_release('Cache');
SELECT last_of('cache'), hilo_current('cache');
TABLE held;
SELECT hilo_release('cache'), hilo_release();
SELECT hilo_next_tag('cache');

-- As long as asked for at once, or as many as are needed.
SELECT min(id), max(id) FROM hilo_next_tag('cache', 5000) id;
SELECT next IS NULL AS used_up FROM held;
SELECT hilo_create('cache_limits', range_size => 3, max_range_size => 5);
SELECT min(id), max(id), count(DISTINCT id) FROM hilo_next_tag('cache_limits', 100) id;
SELECT hilo_release('cache_limits'), hilo_drop('cache_limits');
SELECT hilo_create('cache_limits', range_size => 3, max_range_size => 5);
SELECT DISTINCT last_of('cache_limits') FROM generate_series(1, 11) WHERE hilo_next_tag('cache_limits') > 0
 ORDER BY 1;
SELECT hilo_release('cache_limits'), hilo_drop('cache_limits'), hilo_drop('cache');
\c -

-- With prefetch: the next range is reserved when half of one is used.
SET hilo.prefetch = on;
SELECT hilo_create('cache');
SELECT count(*) FROM generate_series(1, 16) WHERE hilo_next_tag('cache') > 0;
TABLE held;
SELECT hilo_next_tag('cache');
TABLE held;
SELECT ranges, ids, prefetched, prefetch_hits, prefetch_misses FROM hilo_stats() WHERE name = 'cache';
SELECT last_of('cache');
-- it waits until the first is used up
SELECT count(*) FROM generate_series(1, 15) WHERE hilo_next_tag('cache') > 0;
TABLE held;
SELECT hilo_next_tag('cache');
TABLE held;
SELECT ranges, ids, prefetched, prefetch_hits + prefetch_misses AS used FROM hilo_stats() WHERE name = 'cache';
-- given back to the window
SELECT count(*) FROM generate_series(1, 32) WHERE hilo_next_tag('cache') > 0;
TABLE held;
SELECT hilo_release('cache'), last_of('cache');
SELECT returned, lost FROM hilo_stats() WHERE name = 'cache';
-- but if another session took one in between
SELECT count(*) FROM generate_series(1, 10) WHERE hilo_next_tag('cache') > 0;
SELECT low, high FROM hilo_next_range('cache', 10);
SELECT count(*) FROM generate_series(1, 150) WHERE hilo_next_tag('cache') > 0;
TABLE held;
SELECT hilo_release('cache'), last_of('cache');
SELECT returned, lost FROM hilo_stats() WHERE name = 'cache';
SELECT hilo_next_tag('cache');
-- a prefetch begun is used though the setting is off by then
SELECT hilo_drop('cache'), hilo_create('cache');
SELECT count(*) FROM generate_series(1, 17) WHERE hilo_next_tag('cache') > 0;
SET hilo.prefetch = off;
SELECT count(*) FROM generate_series(1, 16) WHERE hilo_next_tag('cache') > 0;
TABLE held;
-- none once all ids are reserved, and the limit is reached in order
SET hilo.prefetch = on;
SELECT hilo_drop('cache'), hilo_create('cache', max_value => 40);
SELECT count(*), max(id) FROM (SELECT hilo_next_tag('cache') AS id FROM generate_series(1, 17)) t;
SELECT next, high FROM held;
SELECT count(*), max(id) FROM (SELECT hilo_next_tag('cache') AS id FROM generate_series(1, 23)) t;
SELECT hilo_next_tag('cache');
SELECT hilo_release('cache');
-- nothing is given back where the guards of hilo_hi would let changes of it pass
SELECT hilo_drop('cache'), hilo_create('cache', range_size => 10);
SELECT hilo_next_tag('cache');
BEGIN;
ALTER EVENT TRIGGER hilo_join_tables DISABLE;
ALTER TABLE hilo_internal.hilo_hi ENABLE TRIGGER hilo_guard_rows;
SELECT hilo_release('cache');
ROLLBACK;
SELECT last_of('cache');

-- Increasing within the session, whatever happens in between.
SELECT hilo_create('cache_order', range_size => 4, max_range_size => 8);
CREATE TEMP TABLE got (n int GENERATED ALWAYS AS IDENTITY, id bigint);
DO $$
BEGIN
	FOR i IN 1..300 LOOP
		INSERT INTO got (id) VALUES (hilo_next_tag('cache_order'));
		CASE i % 10
			WHEN 1 THEN PERFORM hilo_release('cache_order');
			WHEN 3 THEN PERFORM hilo_next_range('cache_order', 3);
			WHEN 4 THEN PERFORM set_config('hilo.prefetch', CASE i % 20 WHEN 4 THEN 'on' ELSE 'off' END, false);
			WHEN 5 THEN PERFORM hilo_release();
			WHEN 6 THEN PERFORM hilo_return_range('cache_order', (SELECT high FROM hilo_next_range('cache_order', 3)), 1);
			WHEN 8 THEN PERFORM hilo_seed('cache_order', (SELECT max(id) + 2 FROM got));
			WHEN 9 THEN INSERT INTO got (id) SELECT * FROM hilo_next_tag('cache_order', i / 10);
			ELSE NULL;
		END CASE;
	END LOOP;
END $$;
SELECT count(*) AS ids, count(DISTINCT id) AS distinct_ids,
       bool_and(increasing) AS increasing
  FROM (SELECT id, id > lag(id, 1, 0::bigint) OVER (ORDER BY n) AS increasing FROM got) t;

\c -
SELECT count(*) FROM hilo_session();

DROP VIEW held;
DROP FUNCTION last_of;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'cache%';
