/*
 * hilo_seed: the last id of a generator, raised or lowered by hand
 */
SELECT hilo_create('seed', range_size => 10, max_range_size => 10);
-- only raises unless forced, and gives the result
SELECT hilo_seed('seed', 50);
SELECT hilo_seed('seed', 40);
SELECT hilo_seed('seed', NULL), hilo_seed('seed', NULL, true);
SELECT hilo_seed('seed', -1), hilo_seed('seed', -9223372036854775808);
SELECT hilo_seed('seed', 60, NULL);
SELECT hilo_next_tag('seed');
SELECT hilo_seed('seed', 40, force => true);
SELECT hilo_next_tag('seed');
SELECT hilo_seed('seed', 0, force => true);
SELECT hilo_next_tag('seed');
SELECT hilo_seed('seed', -1, force => true);
SELECT hilo_seed('seed', 9223372036854775807), hilo_seed('seed', 0, true);
SELECT hilo_create('seed_limits', first => 10, max_value => 20);
SELECT hilo_seed('seed_limits', 21);
SELECT hilo_seed('seed_limits', 21, force => true);
SELECT hilo_seed('seed_limits', 8, force => true);
SELECT hilo_seed('seed_limits', 9, force => true);
SELECT hilo_next_tag('seed_limits');
SELECT hilo_seed('seed_limits', 20);
SELECT hilo_next_tag('seed_limits');
-- a seed creates; one of null would give what a new generator has
SELECT hilo_seed('seed_new', 50);
SELECT hilo_next_tag('seed_new');
SELECT hilo_seed('seed_null', NULL);
SELECT hilo_seed(NULL, 50);

-- what a session holds is forgotten also where the window has ids above the seed
SELECT hilo_create('seed_window', max_range_size => 12000000);
SELECT hilo_next_tag('seed_window');
SELECT hilo_return_range('seed_window', high, low, range_no) FROM hilo_next_range('seed_window', 500);
SELECT hilo_seed('seed_window', 33), hilo_next_tag('seed_window');
SELECT hilo_seed('seed_window', 300), hilo_next_tag('seed_window');
-- "last" may be the end of a range from past the window
SELECT hilo_seed('seed_window', 0) = high AS is_high FROM hilo_next_range('seed_window', 12000000);
SELECT hilo_drop('seed_window');

-- not undone by a rollback
BEGIN;
SELECT hilo_seed('seed', 1000);
ROLLBACK;
SELECT hilo_next_tag('seed');
SELECT hilo_drop('seed'), hilo_drop('seed_limits'), hilo_drop('seed_new');
