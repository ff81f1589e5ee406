/*
 * recycle: ranges that are given back from below the top one are handed out first, to
 * whoever asks; test/specs/take_release.spec has the sessions for that
 */
SET hilo.prefetch = off;
-- takes a range above the session's own
CREATE FUNCTION other(size bigint) RETURNS text LANGUAGE sql
	AS 'SELECT low || ''-'' || high FROM hilo_next_range(''recycle'', size)';

-- Without recycle an inner range is taken by whoever has had no higher id.
SELECT hilo_create('recycle', range_size => 10, max_range_size => 10);
SELECT hilo_next('recycle'), other(10);
SELECT hilo_release('recycle');
SELECT returned, lost FROM hilo_stats() WHERE name = 'recycle';
SELECT hilo_next('recycle'), hilo_drop('recycle');

SELECT hilo_create('recycle', range_size => 10, max_range_size => 10, recycle => true);
SELECT hilo_next('recycle'), other(10);
SELECT hilo_release('recycle');
-- Neither a client's range nor a block of the Hi/Lo algorithm comes out of them.
SELECT other(3), hilo_next_hi('recycle', 3);
SELECT min(id), max(id) FROM hilo_next('recycle', 9) id;
SELECT hilo_next('recycle');

-- Up to the end, too: each id once.
SELECT hilo_drop('recycle'), hilo_create('recycle', range_size => 10, max_range_size => 10, max_value => 40, recycle => true);
SELECT hilo_next('recycle'), other(10), hilo_release('recycle');
SELECT array_agg(id) FROM hilo_next('recycle', 29) id;
SELECT hilo_next('recycle');

-- A seed and a last_max above last make them a gap, a seed that raises nothing does not.
SELECT hilo_alter('recycle', max_value => 10000);
SELECT hilo_next('recycle'), other(1), hilo_release('recycle');
SELECT hilo_seed('recycle', 1);
SELECT hilo_next('recycle'), hilo_release('recycle');
SELECT hilo_seed('recycle', 1000), hilo_next('recycle');
SELECT other(1), hilo_release('recycle');
SELECT hilo_seed('recycle', 500, force => true), hilo_next('recycle');
SELECT other(1), hilo_release('recycle');
SELECT low FROM hilo_next_range('recycle', 1, last_max => 2000);
SELECT hilo_next('recycle');

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

DROP FUNCTION other;
SELECT hilo_drop('recycle');
