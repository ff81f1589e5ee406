/*
 * The window that sessions share, when a seed, a rollback or another ordering changes its generator
 */
CREATE VIEW state AS
	SELECT name, ordering, last FROM hilo_generators() WHERE name ILIKE 'shared%';
-- a seed takes effect at once; what was never handed out is no reason to stay above
SELECT hilo_create('shared', 'global');
SELECT hilo_next_tag('shared');
SELECT hilo_seed('shared', 10), hilo_next_tag('shared');
SELECT hilo_seed('shared', 1), hilo_seed('shared', NULL), hilo_next_tag('shared');
-- with the next window reserved as well
SELECT max(id) FROM hilo_next_tag('shared', 13) id;
SELECT last FROM state;
SELECT hilo_seed('shared', 26), hilo_next_tag('shared');
BEGIN;
SELECT hilo_seed('shared', 100), hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_next_tag('shared');
BEGIN;
SAVEPOINT here;
SELECT hilo_seed('shared', 20, force => true), hilo_next_tag('shared');
ROLLBACK TO here;
SELECT hilo_next_tag('shared');
COMMIT;
SELECT hilo_next_tag('shared');
-- one that raises nothing closes nothing, even where the rest could not come back
SELECT low FROM hilo_next_range('shared', 1) \gset
SELECT hilo_seed('shared', 5), hilo_next_tag('shared');
-- in the middle of a statement
SELECT i, CASE i WHEN 3 THEN hilo_seed('shared', 1000) WHEN 5 THEN hilo_seed('shared', 500, true) END AS seed,
       hilo_next_tag('shared')
  FROM generate_series(1, 6) i;

-- ids of a generator with a creation that is rolled back
SELECT hilo_drop('shared');
BEGIN;
SELECT hilo_create('shared', 'global', first => 100);
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_current('shared');
SELECT hilo_create('shared', 'global');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
BEGIN;
SAVEPOINT here;
SELECT hilo_drop('shared'), hilo_create('shared', 'global', first => 50);
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
ROLLBACK TO here;
SELECT hilo_next_tag('shared');
COMMIT;
SELECT hilo_next_tag('shared');
BEGIN;
SELECT hilo_drop('shared');
ROLLBACK;
SELECT hilo_next_tag('shared');
SELECT hilo_drop('shared'), hilo_create('shared', 'global');
SELECT hilo_next_tag('shared');

-- from one ordering to another
SELECT hilo_drop('shared'), hilo_create('shared', range_size => 10);
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT hilo_alter('shared', 'global');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT * FROM state;
SELECT hilo_alter('shared', 'gapless', range_size => 32);
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT hilo_alter('shared', 'global');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT hilo_alter('shared', 'session');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
-- rolled back
BEGIN;
SELECT hilo_alter('shared', 'global');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
SELECT hilo_alter('shared', 'global');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
BEGIN;
SELECT hilo_alter('shared', 'session');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
BEGIN;
SELECT hilo_alter('shared', 'gapless');
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');
ROLLBACK;
SELECT hilo_next_tag('shared'), hilo_next_tag('shared');

SELECT hilo_drop('shared');
DROP VIEW state;
