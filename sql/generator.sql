/*
 * Generators: create, alter, drop, and the view of them
 */
SET hilo.prefetch = off;
CREATE VIEW generator_state AS
	SELECT name, first, last, max_value, range_size, max_range_size
	  FROM hilo_generators() WHERE name LIKE 'generator%' ORDER BY name;

SELECT hilo_create('generator');
SELECT hilo_create('generator');
SELECT hilo_create('GENERATOR');
SELECT hilo_create('generator_all', 'session', 101, 1000, 10, 100, 63);
TABLE generator_state;
SELECT name, ordering, owner = current_user::regrole AS mine, is_public, domain_bits,
       created BETWEEN now() - interval '1 hour' AND clock_timestamp() AS created,
       used_ratio
  FROM hilo_generators() WHERE name LIKE 'generator%' ORDER BY name;

-- the view follows the use
SELECT count(*) FROM hilo_next_tag('generator_all', 225);
SELECT name, last, round(used_ratio::numeric, 3) AS used_ratio
  FROM hilo_generators() WHERE name = 'generator_all';
SELECT hilo_create('generator_third', max_value => 3, range_size => 1, max_range_size => 1), hilo_next_tag('generator_third');
SELECT used_ratio FROM hilo_generators() WHERE name = 'generator_third';
SELECT hilo_drop('generator_third');

-- alter: each option, and null keeps it
SELECT hilo_alter('generator_all');
SELECT hilo_alter('generator_all', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
SELECT hilo_alter('generator_all', 'session');
SELECT hilo_alter('Generator_All', first => 100);
SELECT hilo_alter('generator_all', max_value => 2000);
SELECT hilo_alter('generator_all', range_size => 20);
SELECT hilo_alter('generator_all', max_range_size => 200);
TABLE generator_state;
-- refused: what does not go together, or with what is reserved already
SELECT hilo_alter('generator_all', 'scattered');
SELECT hilo_alter('generator_all', 'none');
SELECT hilo_alter('generator_all', first => 0);
SELECT hilo_alter('generator_all', range_size => 201);
SELECT hilo_alter('generator_all', max_range_size => 19);
SELECT hilo_alter('generator_all', max_value => 99);
SELECT hilo_alter('generator_all', domain_bits => 40);
SELECT last AS last_of_all FROM hilo_generators() WHERE name = 'generator_all' \gset
SELECT hilo_alter('generator_all', max_value => :last_of_all - 1);
SELECT hilo_alter('generator_all', max_value => :last_of_all);
SELECT hilo_alter('generator_all', max_value => 2000);
SELECT hilo_alter('generator_all', first => :last_of_all + 1);
SELECT hilo_alter('generator_all', first => :last_of_all + 2);
SELECT hilo_alter('generator_none', range_size => 20);
SELECT hilo_alter(NULL, range_size => 20);

-- a rolled-back alter may leave the last id above max_value: that stands in the
-- way of the limits only
SELECT hilo_create('generator_past', max_value => 10, range_size => 10, max_range_size => 50);
BEGIN;
SELECT hilo_alter('generator_past', max_value => 1000);
SELECT count(*) FROM hilo_next_tag('generator_past', 50);
ROLLBACK;
SELECT name, last, max_value FROM generator_state WHERE name = 'generator_past';
SELECT hilo_alter('generator_past', max_range_size => 100);
SELECT hilo_alter('generator_past', max_value => 20);
SELECT hilo_alter('generator_past', first => 2);
SELECT hilo_next_tag('generator_past');
SELECT last AS last_of_past FROM generator_state WHERE name = 'generator_past' \gset
SELECT hilo_alter('generator_past', max_value => :last_of_past + 1);
SELECT hilo_next_tag('generator_past') = :last_of_past + 1 AS above;
SELECT hilo_drop('generator_past');

SELECT hilo_create('generator_seed', first => 10, max_value => 20), hilo_create('generator_new');

-- drop
SELECT hilo_drop('GENERATOR_new');
SELECT hilo_drop('generator_new');
SELECT hilo_drop('generator_new', true);
SELECT hilo_drop('generator_new', NULL);
SELECT hilo_drop(NULL, true);
SELECT hilo_next_tag('generator_new');
SELECT hilo_drop('generator_new', true);

-- create if there is none
SELECT hilo_create('generator_once', first => 5, if_not_exists => true);
SELECT hilo_create('GENERATOR_once', if_not_exists => true);
-- a notice names one that is not what was asked for
SELECT hilo_create('generator_once', first => 9, if_not_exists => true);
SELECT hilo_create('generator_once', first => 5, max_value => 1000, if_not_exists => true);
SELECT hilo_create('generator_once', 'gapless', if_not_exists => true);
SELECT hilo_create('generator_once', if_not_exists => NULL);
SELECT hilo_next_tag('generator_once'), hilo_drop('generator_once');
-- a table's own ends with its column, which is what was asked for
CREATE TABLE generator_fits (id int PRIMARY KEY);
SELECT hilo_create('generator_fits', 'global', if_not_exists => true);
SELECT hilo_create('generator_fits', 'global', if_not_exists => true);
SELECT hilo_create('generator_fits', 'global', max_value => 1000, if_not_exists => true);
DROP TABLE generator_fits;

-- create, alter and drop are transactional, a seed is not
BEGIN;
SELECT hilo_create('generator_txn', range_size => 2);
SELECT hilo_alter('generator', range_size => 3);
SELECT hilo_drop('generator_seed');
SELECT hilo_seed('generator', 1000);
SELECT name, last, range_size FROM generator_state;
ROLLBACK;
SELECT name, last, range_size FROM generator_state;
BEGIN;
SELECT hilo_drop('generator');
SELECT hilo_create('generator', first => 7);
SELECT hilo_next_tag('generator');
ROLLBACK;
SELECT hilo_next_tag('generator');
BEGIN;
SELECT hilo_drop('generator');
SELECT hilo_create('generator', first => 7);
SELECT hilo_next_tag('generator');
COMMIT;
SELECT hilo_next_tag('generator');

DROP VIEW generator_state;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name LIKE 'generator%';

-- the roles that may use one
CREATE ROLE regress_hilo_a;
CREATE ROLE "regress_hilo_B""";
SELECT hilo_create('generator_granted');
CREATE VIEW granted AS SELECT is_public, grants FROM hilo_generators() WHERE name = 'generator_granted';
TABLE granted;
SELECT hilo_grant('generator_granted', 'regress_hilo_a'), hilo_grant('generator_granted', 'regress_hilo_B"');
TABLE granted;
SELECT hilo_revoke('generator_granted', 'regress_hilo_a');
TABLE granted;
DROP ROLE "regress_hilo_B""";
TABLE granted;
DROP ROLE regress_hilo_a;
DROP VIEW granted;
SELECT hilo_drop('generator_granted');

-- up to the end of the column's type; not dropped while its table draws from it
CREATE TABLE generator_small (id smallint DEFAULT hilo_next('generator_small'));
CREATE ROLE regress_hilo_small;
INSERT INTO generator_small DEFAULT VALUES;
SELECT hilo_seed('generator_small', 32767);
INSERT INTO generator_small DEFAULT VALUES;
ALTER TABLE generator_small OWNER TO regress_hilo_small;
SELECT hilo_drop('generator_small');
ALTER TABLE generator_small ALTER id DROP DEFAULT;
SELECT hilo_drop('generator_small');
DROP TABLE generator_small;
DROP ROLE regress_hilo_small;
