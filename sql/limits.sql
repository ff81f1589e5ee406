/*
 * The last ids of a generator: each of them, once, then an error
 */
SET hilo.prefetch = off;

-- to the last bigint, whatever the size of the ranges
SELECT hilo_create('limits', first => 9223372036854775800);
SELECT count(*), min(id), max(id) FROM (SELECT hilo_next_tag('limits') AS id FROM generate_series(1, 8)) t;
SELECT hilo_next_tag('limits');
SELECT hilo_next_tag('limits');
SELECT hilo_next_id('limits');
SELECT * FROM hilo_next_range('limits');
SELECT * FROM hilo_next_range('limits', 1);
SELECT hilo_next_hi('limits', 1);
SELECT * FROM hilo_next_tag('limits', 1);
SELECT * FROM hilo_next_tag('limits', 0);
SELECT hilo_seed('limits', NULL), hilo_release('limits'), hilo_current('limits');
SELECT last, used_ratio FROM hilo_generators() WHERE name = 'limits';
-- with prefetch
SET hilo.prefetch = on;
SELECT hilo_drop('limits'), hilo_create('limits', first => 9223372036854775700, range_size => 10);
SELECT count(DISTINCT id), min(id), max(id) FROM (SELECT hilo_next_tag('limits') AS id FROM generate_series(1, 108)) t;
SELECT hilo_next_tag('limits');
SET hilo.prefetch = off;

-- warned once a session and threshold, when a range is taken
SELECT hilo_drop('limits'), hilo_create('limits', max_value => 100, range_size => 5, max_range_size => 5);
SELECT count(*) FROM hilo_next_tag('limits', 74);
SELECT hilo_next_tag('limits'), hilo_release('limits'), hilo_next_tag('limits');
SELECT count(*) FROM hilo_next_tag('limits', 13);
SELECT hilo_seed('limits', 10, force => true);
SELECT count(*) FROM hilo_next_tag('limits', 69);
SELECT hilo_next_tag('limits', 11);
SELECT count(*) FROM hilo_next_tag('limits', 10);
SELECT hilo_next_tag('limits');
-- another session is warned itself; one that starts above 90 % only of that
\c -
SET hilo.prefetch = off;
SELECT hilo_seed('limits', 70, force => true);
SELECT low, high FROM hilo_next_range('limits', 5);
SELECT low, high FROM hilo_next_range('limits', 5);
SELECT hilo_next_hi('limits', 5);
SELECT hilo_next_hi('limits', 5);
\c -
SET hilo.prefetch = off;
SELECT hilo_seed('limits', 95, force => true);
SELECT hilo_next_tag('limits');
SELECT hilo_seed('limits', 76, force => true);
SELECT hilo_next_tag('limits');
-- a generator of that name is another one
SELECT hilo_drop('limits'), hilo_create('limits', max_value => 10);
SELECT hilo_next_tag('limits');
-- the share of first to max_value, not of max_value
SELECT hilo_drop('limits'), hilo_create('limits', first => 901, max_value => 1000, range_size => 1, max_range_size => 1);
SELECT hilo_next_tag('limits');
SELECT used_ratio FROM hilo_generators() WHERE name = 'limits';

-- max_value raised, and lowered to what is reserved
SELECT hilo_drop('limits'), hilo_create('limits', max_value => 3);
SELECT count(*) FROM hilo_next_tag('limits', 3);
SELECT hilo_next_tag('limits');
SELECT hilo_alter('limits', max_value => 5);
SELECT count(*) FROM hilo_next_tag('limits', 2);
SELECT hilo_next_tag('limits');
SELECT hilo_alter('limits', max_value => 100000);
SELECT hilo_next_tag('limits');
SELECT hilo_alter('limits', max_value => last) FROM hilo_generators() WHERE name = 'limits';
SELECT count(*) > 20 AS held FROM generate_series(1, (SELECT high - next + 1 FROM hilo_session() WHERE name = 'limits'))
 WHERE hilo_next_tag('limits') > 0;
SELECT hilo_next_tag('limits');

-- a rolled-back alter leaves last above the limit: what was reserved up to the
-- limit is still handed out, and nothing above
SELECT hilo_drop('limits'), hilo_create('limits');
SELECT hilo_next_tag('limits');
SELECT hilo_release('limits'), hilo_alter('limits', max_value => 40);
BEGIN;
SELECT hilo_alter('limits', max_value => 100000, range_size => 100);
SELECT hilo_next_tag('limits');
ROLLBACK;
SELECT last, max_value FROM hilo_generators() WHERE name = 'limits';
SELECT count(*), max(id) FROM hilo_next_tag('limits', 38) id;
SELECT hilo_next_tag('limits');
SELECT * FROM hilo_next_tag('limits', 1);
SELECT low FROM hilo_next_range('limits');
SELECT hilo_next_hi('limits', 1);
SELECT hilo_release('limits'), hilo_seed('limits', 40);
SELECT hilo_seed('limits', 41);
-- and by one reserved ahead
SELECT hilo_drop('limits'), hilo_create('limits');
SET hilo.prefetch = on;
SELECT count(*) FROM generate_series(1, 16) WHERE hilo_next_tag('limits') > 0;
SELECT hilo_alter('limits', max_value => 40);
BEGIN;
SELECT hilo_alter('limits', max_value => 100000);
SELECT hilo_next_tag('limits');
SELECT next, high FROM hilo_session() WHERE name = 'limits';
ROLLBACK;
SELECT count(*), max(id) FROM (SELECT hilo_next_tag('limits') AS id FROM generate_series(1, 23)) t;
SELECT hilo_next_tag('limits');
SELECT last FROM hilo_generators() WHERE name = 'limits';
-- a size that is the last bigint itself
SET client_min_messages = error;
SELECT ordering, hilo_drop('limits'), hilo_create('limits', ordering, range_size => 9223372036854775807, max_range_size => 9223372036854775807),
       hilo_next_tag('limits'), hilo_next_tag('limits'), hilo_release('limits') > 0 AS released, hilo_next_tag('limits')
  FROM unnest('{session,global}'::text[]) ordering;
RESET client_min_messages;

-- what is reserved above max_value is not more than all
SELECT hilo_drop('limits'), hilo_create('limits', max_value => 40);
BEGIN;
SELECT hilo_alter('limits', max_value => 100000);
SELECT count(*) FROM hilo_next_tag('limits', 5000);
ROLLBACK;
SELECT used_ratio FROM hilo_generators() WHERE name = 'limits';

-- an id that was returned is handed out before the end, also by a new session
SELECT hilo_drop('limits'), hilo_create('limits');
SELECT hilo_next_tag('limits'), hilo_alter('limits', max_value => 40);
SELECT low, high FROM hilo_next_range('limits', 8);
SELECT hilo_release('limits');
\c -
SET client_min_messages = error;
SELECT count(*), max(id) FROM hilo_next_tag('limits', 31) id;
SELECT hilo_next_tag('limits');

SELECT hilo_drop('limits');
