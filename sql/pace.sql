/*
 * How fast a generator is used up, and by whom it may be: what hilo_generators
 * says of it
 */
SET hilo.prefetch = off;
SELECT hilo_create('pace', max_value => 1000000, range_size => 10, max_range_size => 100000);

-- makes it look as if some time had passed, which takes the guard off
CREATE FUNCTION pass(passed interval) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	ALTER TABLE hilo_internal.hilo_hi DISABLE TRIGGER hilo_guard_rows;
	UPDATE hilo_internal.hilo_hi SET earlier_at = earlier_at - passed, later_at = later_at - passed WHERE name = 'pace';
	ALTER TABLE hilo_internal.hilo_hi ENABLE ALWAYS TRIGGER hilo_guard_rows;
END $$;
CREATE VIEW pace AS
	SELECT g.last, round(days_to_exhaustion) AS days,
		   round(ranges_per_minute::numeric * extract(epoch FROM clock_timestamp() - earlier_at) / 60) AS ranges_since_earlier
	  FROM hilo_generators() g JOIN hilo_internal.hilo_hi h USING (name) WHERE name = 'pace';
CREATE VIEW samples AS
	SELECT round(extract(epoch FROM clock_timestamp() - earlier_at) / 3600) AS earlier_hours, earlier_last, top_number - earlier_number AS earlier_ranges,
		   round(extract(epoch FROM clock_timestamp() - later_at) / 3600) AS later_hours, later_last, top_number - later_number AS later_ranges
	  FROM hilo_internal.hilo_hi WHERE name = 'pace';

-- nothing used
SELECT * FROM pace;
-- in its first hours: since it was created
SELECT pass('12 hours');
SELECT max(high) FROM generate_series(1, 1000) i, hilo_next_range('pace', 10 + 0 * i);
SELECT * FROM pace;
SELECT * FROM samples;
-- the next day: a sample, and the same still counts; then only what is younger
SELECT pass('12 hours');
SELECT low, high FROM hilo_next_range('pace', 90000);
SELECT * FROM samples;
SELECT * FROM pace;
SELECT pass('24 hours');
SELECT low, high FROM hilo_next_range('pace', 50000);
SELECT * FROM samples;
SELECT * FROM pace;
-- at rest for long
SELECT pass('2400 hours');
SELECT * FROM pace;
SELECT low, high FROM hilo_next_range('pace', 50000);
SELECT * FROM samples;
SELECT * FROM pace;
-- what was given back was not used
SELECT hilo_return_range('pace', 200000, 160000, range_no) FROM hilo_internal.hilo_hi, LATERAL (SELECT top_number AS range_no) n WHERE name = 'pace';
SELECT * FROM pace;
-- nor what was jumped over: by a seed, up and down, by last_max
SELECT pass('24 hours');
SELECT low, high FROM hilo_next_range('pace', 10);
SELECT hilo_seed('pace', 500000);
SELECT * FROM samples;
SELECT hilo_seed('pace', 100000, force => true);
SELECT * FROM samples;
SELECT low, high FROM hilo_next_range('pace', 10, last_max => 700000);
SELECT * FROM samples;
SELECT hilo_alter('pace', max_value => 9223372036854775807);
SELECT hilo_seed('pace', 9223372036854775807);
SELECT last, earlier_last <= last AS earlier, later_last <= last AS later FROM hilo_internal.hilo_hi WHERE name = 'pace';
SELECT used_ratio, days_to_exhaustion FROM hilo_generators() WHERE name = 'pace';
-- nor is it that less was used than a sample says: a range that goes on after it is given back
SELECT hilo_drop('pace'), hilo_create('pace', range_size => 10);
SET hilo.prefetch = on;
SELECT count(*) FROM hilo_next('pace', 4);
SELECT pass('24 hours');
SELECT count(*) FROM hilo_next('pace', 2);
SELECT hilo_release('pace');
SELECT * FROM samples;
SELECT hilo_seed('pace', 9223372036854775807);
SELECT last, earlier_last, later_last FROM hilo_internal.hilo_hi WHERE name = 'pace';
SET hilo.prefetch = off;
-- a clock that was ahead
SELECT hilo_seed('pace', 1000, force => true);
SELECT pass('-240 hours');
SELECT low, high FROM hilo_next_range('pace', 10);
SELECT * FROM samples;

-- grants
CREATE ROLE regress_hilo_a;
CREATE ROLE "regress_hilo_B""";
SELECT is_public, grants FROM hilo_generators() WHERE name = 'pace';
SELECT hilo_grant('pace', 'regress_hilo_a'), hilo_grant('pace', 'regress_hilo_B"');
SELECT is_public, grants FROM hilo_generators() WHERE name = 'pace';
SELECT hilo_revoke('pace', 'regress_hilo_a');
SELECT is_public, grants FROM hilo_generators() WHERE name = 'pace';
DROP ROLE "regress_hilo_B""";
SELECT is_public, grants FROM hilo_generators() WHERE name = 'pace';
DROP ROLE regress_hilo_a;
DROP VIEW pace, samples;
DROP FUNCTION pass(interval);
SELECT hilo_drop('pace');
