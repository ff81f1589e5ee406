/*
 * The window that sessions share, and the end of its ids
 */
CREATE VIEW state AS
	SELECT name, ordering, last FROM hilo_generators() WHERE name ILIKE 'shared%';
SELECT hilo_create('shared', 'global');
-- to the last id, once each
SELECT hilo_drop('shared'), hilo_create('shared', 'global', max_value => 40);
SELECT count(DISTINCT id), min(id), max(id) FROM (SELECT hilo_next_tag('shared') AS id FROM generate_series(1, 35)) t;
SELECT array_agg(id) FROM hilo_next_tag('shared', 5) id;
SELECT hilo_next_tag('shared');
SELECT hilo_next_tag('shared');
SELECT hilo_alter('shared', max_value => 50);
SELECT array_agg(id) FROM hilo_next_tag('shared', 10) id;
SELECT hilo_next_tag('shared');
SELECT hilo_drop('shared');
SELECT hilo_create('shared|', max_value => 40);
SELECT identity_next('shared', 38), identity_next('shared');
SELECT identity_next('shared', 2);
SELECT identity_next('shared', 1);
SELECT identity_next('shared', 1);
SELECT identity_next('shared');
SELECT hilo_drop('shared|');
SELECT hilo_create('shared', 'global', first => 9223372036854775770);
SELECT count(DISTINCT id), min(id), max(id) FROM (SELECT hilo_next_tag('shared') AS id FROM generate_series(1, 38)) t;
SELECT hilo_next_tag('shared');
SELECT hilo_next_tag('shared');
SELECT * FROM state;
SELECT hilo_create('shared|', first => 9223372036854775798);
SELECT identity_next('shared', 10);
SELECT identity_next('shared');
SELECT hilo_drop('shared|');
-- what a rolled-back alter has reserved above the limit waits for one that stays
SELECT hilo_drop('shared'), hilo_create('shared', 'global', max_value => 40);
SELECT count(*) FROM hilo_next_tag('shared', 38);
BEGIN;
SELECT hilo_alter('shared', max_value => 1000);
SELECT count(*) FROM hilo_next_tag('shared', 1);
ROLLBACK;
SELECT hilo_next_tag('shared');
SELECT hilo_next_tag('shared');
SELECT hilo_alter('shared', max_value => 1000);
SELECT hilo_next_tag('shared');
BEGIN;
SELECT hilo_alter('shared', max_value => 2000);
SELECT count(*), max(id) FROM hilo_next_tag('shared', 1100) id;
ROLLBACK;
SELECT hilo_next_tag('shared');
SELECT hilo_alter('shared', max_value => 2000);
SELECT hilo_next_tag('shared') FROM generate_series(1, 3);

-- warned of the end, once, by singles and by blocks
SELECT hilo_drop('shared'), hilo_create('shared', 'global', max_value => 100, range_size => 4, max_range_size => 4);
SELECT count(*) FROM hilo_next_tag('shared', 70);
SELECT hilo_next_tag('shared') FROM generate_series(1, 6);
SELECT hilo_create('shared|', max_value => 100, range_size => 4);
SELECT identity_next('shared', 80), identity_next('shared', 1);
SELECT identity_next('shared', 10);
SELECT hilo_drop('shared|');

SELECT hilo_drop('shared');
DROP VIEW state;

-- what is left may be longer than any window
SET client_min_messages = error;
SELECT hilo_create('long|', max_value => 80000000, max_range_size => 100000000);
SELECT count(DISTINCT low), min(low), max(high)
  FROM generate_series(1, 17) i, identity_next('long|', 4000000 + 0 * i);
\c -
SET client_min_messages = error;
SELECT count(DISTINCT low), min(low), max(high)
  FROM generate_series(1, 3) i, identity_next('long|', 4000000 + 0 * i);
SELECT * FROM identity_next('long|', 1);
-- a block is no longer than a window can be, a range is
SELECT hilo_create('shared_long|', 'global', max_range_size => 20000000);
SELECT * FROM identity_next('shared_long', 10000000);
SELECT identity_next('shared_long');
SELECT low, high FROM hilo_next_range('shared_long|', 10000000);
SELECT identity_next('shared_long');
SELECT hilo_drop('shared_long|');

SELECT hilo_drop('long|');
