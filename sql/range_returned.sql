/*
 * Ranges that are given back from below the top one are handed out first, to any session that has
 * had no higher id; test/specs/take_release.spec has the sessions for that
 */
SET hilo.prefetch = off;
-- takes a range above the session's own
CREATE FUNCTION other(size bigint) RETURNS text LANGUAGE sql
	AS 'SELECT low || ''-'' || high FROM hilo_next_range(''returned'', size)';

SELECT hilo_create('returned', range_size => 10, max_range_size => 10);
SELECT hilo_next_tag('returned'), other(10);
SELECT hilo_release('returned');
SELECT returned, lost FROM hilo_stats() WHERE name = 'returned';
-- Neither a client's range nor a block of the Hi/Lo algorithm comes out of them.
SELECT other(3), hilo_next_hi('returned', 3);
SELECT min(id), max(id) FROM hilo_next_tag('returned', 9) id;
SELECT hilo_next_tag('returned');

-- Up to the end, too: each id once.
SELECT hilo_drop('returned'), hilo_create('returned', range_size => 10, max_range_size => 10);
SELECT hilo_next_tag('returned'), other(10), hilo_release('returned');
SELECT hilo_alter('returned', max_value => 40);
SELECT array_agg(id) FROM hilo_next_tag('returned', 29) id;
SELECT hilo_next_tag('returned');

-- A seed and a last_max above last make them a gap, a seed that raises nothing does not.
SELECT hilo_alter('returned', max_value => 100000);
SELECT hilo_next_tag('returned'), other(1), hilo_release('returned');
SELECT hilo_seed('returned', 1);
SELECT hilo_next_tag('returned'), hilo_release('returned');
SELECT hilo_seed('returned', 1000), hilo_next_tag('returned');
SELECT other(1), hilo_release('returned');
SELECT hilo_seed('returned', 500, force => true), hilo_next_tag('returned');
SELECT other(1), hilo_release('returned');
SELECT low FROM hilo_next_range('returned', 1, last_max => 2000);
SELECT hilo_next_tag('returned');

-- no id twice
SELECT hilo_drop('returned'), hilo_create('returned', range_size => 5, max_range_size => 50);
CREATE TEMP TABLE got (id bigint);
DO $$
BEGIN
	FOR i IN 1..500 LOOP
		INSERT INTO got SELECT hilo_next_tag('returned', i % 7);
		IF i % 3 = 0 THEN
			INSERT INTO got SELECT generate_series(low, high) FROM hilo_next_range('returned', 2);
		END IF;
		IF i % 5 = 0 THEN
			PERFORM hilo_release();
		END IF;
		PERFORM set_config('hilo.prefetch', CASE i % 11 WHEN 0 THEN 'on' WHEN 5 THEN 'off'
			ELSE current_setting('hilo.prefetch') END, false);
	END LOOP;
END $$;
SELECT count(*) AS ids, count(DISTINCT id) AS distinct_ids, max(id) < 2 * count(*) AS few_gaps FROM got;

DROP FUNCTION other;
SELECT hilo_drop('returned');
