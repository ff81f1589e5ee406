/*
 * When a session forgets what it holds: never does an old range come back
 * under a name that was seeded, altered, dropped or born again
 */
SET hilo.prefetch = off;
CREATE VIEW held AS
	SELECT current, next, high
	  FROM hilo_session() WHERE name LIKE 'forget%' ORDER BY name;

-- seed
SELECT hilo_create('forget');
SELECT hilo_next_tag('forget'), hilo_next_tag('forget');
SELECT hilo_seed('forget', 100);
SELECT hilo_next_tag('forget');
-- one that raises nothing changes nothing
SELECT hilo_seed('forget', 1);
SELECT hilo_next_tag('forget');
SELECT hilo_seed('forget', 50, force => true);
SELECT hilo_next_tag('forget');
SELECT hilo_seed('forget', 200) FROM hilo_next_tag('forget') WHERE hilo_next_tag > 0;
SELECT hilo_next_tag('forget');
-- in the middle of a statement, of one call site
SELECT i, CASE i WHEN 3 THEN hilo_seed('forget', 1000) WHEN 5 THEN hilo_seed('forget', 500, true) END AS seed,
       hilo_next_tag('forget')
  FROM generate_series(1, 6) i;
-- the current id with DISCARD SEQUENCES and DISCARD ALL, like currval, but no range
DISCARD PLANS;
SELECT hilo_current('forget') > 0 AS is_known;
DISCARD SEQUENCES;
TABLE held;
SELECT hilo_current('forget');
SELECT hilo_next_tag('forget'), hilo_current('forget');
DISCARD ALL;
SELECT hilo_current('forget');
SET hilo.prefetch = off;
SELECT hilo_next_tag('forget');
SELECT i, hilo_next_tag, hilo_seed('forget', 2000)
  FROM generate_series(1, 1) i, hilo_next_tag('forget', 3);
-- rolled back, it stays
BEGIN;
SELECT hilo_next_tag('forget');
SELECT hilo_seed('forget', 3000);
ROLLBACK;
SELECT hilo_next_tag('forget');
BEGIN;
SAVEPOINT s;
SELECT hilo_seed('forget', 100, force => true);
SELECT hilo_next_tag('forget');
ROLLBACK TO s;
SELECT hilo_next_tag('forget');
ROLLBACK;
SELECT hilo_next_tag('forget');
-- with a range reserved ahead
SET hilo.prefetch = on;
SELECT hilo_drop('forget'), hilo_create('forget');
SELECT count(*) FROM generate_series(1, 17) WHERE hilo_next_tag('forget') > 0;
TABLE held;
SELECT hilo_seed('forget', 1000);
SELECT hilo_next_tag('forget');
TABLE held;
SET hilo.prefetch = off;
-- what a client holds is not returnable either, nor what the session held
SELECT low, high FROM hilo_next_range('forget', 10);
SELECT hilo_seed('forget', 2000), hilo_return_range('forget', 1042, 1035), hilo_release('forget');
SELECT last FROM hilo_generators() WHERE name = 'forget';

-- alter: the new limits hold for what is held, which is kept
SELECT hilo_next_tag('forget');
SELECT hilo_alter('forget', max_range_size => 100);
SELECT hilo_next_tag('forget');
TABLE held;

-- drop and create
SELECT hilo_drop('forget');
TABLE held;
SELECT hilo_current('forget');
SELECT hilo_release('forget');
SELECT hilo_create('forget', first => 10);
TABLE held;
SELECT hilo_current('forget');
SELECT hilo_release('forget');
SELECT hilo_next_tag('forget');
TABLE held;
BEGIN;
SELECT hilo_next_tag('forget');
SELECT hilo_drop('forget');
SELECT hilo_create('forget');
SELECT hilo_next_tag('forget');
ROLLBACK;
SELECT hilo_next_tag('forget');

-- the rollback of a create
BEGIN;
SELECT hilo_create('forget_rolled');
SELECT hilo_next_tag('forget_rolled');
ROLLBACK;
SELECT hilo_current('forget_rolled');
SELECT hilo_release('forget_rolled');
SELECT hilo_next_tag('forget_rolled'), hilo_drop('forget_rolled');
BEGIN;
SAVEPOINT s;
SELECT hilo_create('forget_rolled', first => 1000);
SELECT hilo_next_tag('forget_rolled');
ROLLBACK TO s;
SELECT hilo_next_tag('forget_rolled');
SAVEPOINT s;
SELECT hilo_drop('forget_rolled');
SELECT hilo_create('forget_rolled', first => 2000);
SELECT hilo_next_tag('forget_rolled');
ROLLBACK TO s;
SELECT hilo_next_tag('forget_rolled');
COMMIT;
SELECT hilo_next_tag('forget_rolled');
-- of an alter: all ids that were handed out stay handed out
BEGIN;
SELECT hilo_alter('forget_rolled', range_size => 1000);
SELECT hilo_release('forget_rolled');
SELECT hilo_next_tag('forget_rolled');
ROLLBACK;
SELECT hilo_next_tag('forget_rolled');
TABLE held;
-- of a drop
BEGIN;
SELECT hilo_drop('forget_rolled');
SELECT hilo_next_tag('forget_rolled');
ROLLBACK;
SELECT hilo_next_tag('forget_rolled');
BEGIN;
SAVEPOINT s;
SELECT hilo_drop('forget_rolled');
ROLLBACK TO s;
SELECT hilo_next_tag('forget_rolled');
COMMIT;

-- ranges that are not used up do not grow
SELECT hilo_create('forget_grows');
DO $$
BEGIN
	FOR i IN 1 .. 40 LOOP
		PERFORM hilo_next_tag('forget_grows');
		PERFORM hilo_seed('forget_grows', last + 1) FROM hilo_generators() WHERE name = 'forget_grows';
	END LOOP;
END $$;
SELECT last < 10000 AS little FROM hilo_generators() WHERE name = 'forget_grows';
-- nor where one was reserved ahead
SELECT hilo_create('forget_ahead');
SET hilo.prefetch = on;
DO $$
DECLARE
	ids int;
BEGIN
	FOR i IN 1 .. 12 LOOP
		PERFORM hilo_next_tag('forget_ahead');
		SELECT high - current INTO ids FROM hilo_session() WHERE name = 'forget_ahead';
		PERFORM hilo_next_tag('forget_ahead', ids) WHERE ids > 0;
		PERFORM hilo_seed('forget_ahead', last + 1) FROM hilo_generators() WHERE name = 'forget_ahead';
	END LOOP;
END $$;
SET hilo.prefetch = off;
SELECT last < 10000 AS little FROM hilo_generators() WHERE name = 'forget_ahead';

-- one call site over all of it
CREATE FUNCTION pg_temp.lives() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	step text;
BEGIN
	FOREACH step IN ARRAY ARRAY[NULL, 'hilo_seed(''forget_lives'', 100)', NULL,
		'hilo_seed(''forget_lives'', 50, true)', 'hilo_drop(''forget_lives'')', NULL,
		'hilo_release()', 'hilo_alter(''forget_lives'', range_size => 5)', 'hilo_drop(''forget_lives''), hilo_create(''forget_lives'', first => 9)', NULL]
	LOOP
		EXECUTE coalesce('SELECT ' || step, '');
		BEGIN
			RETURN NEXT concat_ws(' -> ', step, hilo_next_tag('forget_lives'));
		EXCEPTION WHEN object_not_in_prerequisite_state THEN
			RETURN NEXT step || ' -> ' || SQLERRM;
			PERFORM hilo_create('forget_lives', first => 7);
		END;
	END LOOP;
END $$;
SELECT * FROM pg_temp.lives();

-- the extension itself, dropped and created
SELECT hilo_next_tag('forget'), hilo_next_tag('forget');
BEGIN;
DROP VIEW held;
DROP EXTENSION hilo;
CREATE EXTENSION hilo;
SELECT hilo_next_tag('forget');
ROLLBACK;
SELECT hilo_next_tag('forget');
SELECT hilo_release('forget') > 0 AS returned;

DROP VIEW held;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'forget%';
