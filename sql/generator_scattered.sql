/*
 * Generators with scattered ids: a bijection of the numbers of others
 */
SET hilo.prefetch = off;
SELECT hilo_create('scattered', 'scattered');
SELECT hilo_next_tag('scattered');
SELECT hilo_current('scattered');
SELECT * FROM hilo_next_tag('scattered', 2);
SELECT id_gather(hilo_next_tag('scattered'));
SELECT hilo_next_id('Scattered') = 'scattered/' || id_scatter(5) || '-A' AS text;
CREATE TABLE scattered_ids (id bigint DEFAULT hilo_next_tag('scattered'));
SELECT id_gather(hilo_next_tag('scattered'));
INSERT INTO scattered_ids SELECT FROM generate_series(1, 1000);
SELECT count(DISTINCT id), min(id_gather(id)), max(id_gather(id)) FROM scattered_ids;
SELECT name, id_gather(current) AS current, next FROM hilo_session() WHERE name = 'scattered';
SELECT ordering, domain_bits, first, max_value FROM hilo_generators() WHERE name = 'scattered';
-- what is given back is not handed out again to a session that could have got it
SELECT hilo_release('scattered') > 0 AS returned;
BEGIN;
SELECT id_gather(hilo_next_tag('scattered'));
ROLLBACK;
SELECT id_gather(hilo_next_tag('scattered')), id_gather(hilo_current('scattered'));

-- of 53 bits; max_value is the highest of them
SELECT hilo_create('scattered_53', 'scattered', domain_bits => 53);
SELECT max_value FROM hilo_generators() WHERE name = 'scattered_53';
SELECT hilo_next_tag('scattered_53'), hilo_next_tag('scattered_53') <= 9007199254740991 AS within;
SELECT count(*) FROM hilo_next_tag('scattered_53', 1000) id WHERE id NOT BETWEEN 1 AND 9007199254740991;

-- all of a small domain, each once, then the end
SELECT hilo_create('scattered_6', 'scattered', domain_bits => 6, range_size => 5);
SELECT count(DISTINCT id), min(id), max(id) FROM hilo_next_tag('scattered_6', 60) id;
SELECT count(*) FROM hilo_next_tag('scattered_6', 3);
SELECT hilo_next_tag('scattered_6');
-- some of one
SELECT hilo_create('scattered_some', 'scattered', first => 11, max_value => 20, domain_bits => 6);
SELECT array_agg(id = id_scatter(n, 6)) FROM (SELECT id, row_number() OVER () + 10 AS n FROM hilo_next_tag('scattered_some', 10) id) t;
SELECT hilo_next_tag('scattered_some');

-- a column of it is not brought in step by its greatest id
CREATE TABLE scattered_rows (id bigint DEFAULT hilo_next_tag('scattered_53'), other bigint);
INSERT INTO scattered_rows SELECT FROM generate_series(1, 10);
SELECT hilo_resync('scattered_rows', 'id');
SELECT hilo_detach('scattered_rows', 'id');
SELECT hilo_attach('scattered_rows', 'id', 'plain_rows');
SELECT hilo_attach('scattered_rows', 'other', 'scattered_53');
SELECT * FROM hilo_resync_all() WHERE rel = 'scattered_rows'::regclass;
SELECT last < 100000 AS still_low FROM hilo_generators() WHERE name = 'scattered_53';
SELECT problem, detail FROM hilo_check() WHERE rel = 'scattered_rows'::regclass;
DROP TABLE scattered_rows;

-- a seed counts numbers, not ids
SELECT hilo_seed('scattered_53', 5000);
SELECT hilo_next_tag('scattered_53') = id_scatter(5001, 53) AS seeded;

-- nothing that would repeat ids
SELECT hilo_alter('scattered', 'session');
SELECT hilo_alter('scattered', 'global');
SELECT hilo_alter('scattered', 'gapless');
SELECT hilo_alter('scattered', domain_bits => 53);
SELECT hilo_alter('scattered_53', domain_bits => 63);
SELECT hilo_create('scattered_not');
SELECT hilo_next_tag('scattered_not');
SELECT hilo_alter('scattered_not', 'scattered');
SELECT hilo_alter('scattered_not', 'global');
SELECT hilo_next_tag('scattered_not') > 1 AS next;
SELECT hilo_alter('scattered_not', 'scattered');
SELECT hilo_alter('scattered_not', 'gapless');
SELECT hilo_next_tag('scattered_not') > 1 AS next;
SELECT hilo_alter('scattered_not', 'scattered');
-- one id is enough
SELECT hilo_create('scattered_one', range_size => 1, max_range_size => 1);
SELECT hilo_next_tag('scattered_one');
SELECT last FROM hilo_generators() WHERE name = 'scattered_one';
SELECT hilo_alter('scattered_one', 'scattered');
-- also below "first"
SELECT hilo_alter('scattered_one', first => 2);
SELECT hilo_alter('scattered_one', 'scattered', domain_bits => 2);
SELECT hilo_create('scattered_numbers', 'gapless');
SELECT hilo_next_tag('scattered_numbers');
SELECT hilo_alter('scattered_numbers', first => 2);
SELECT hilo_alter('scattered_numbers', 'session');
SELECT hilo_alter('scattered_numbers', 'scattered');
-- before the first id it may change
SELECT hilo_create('scattered_unused', first => 100);
SELECT hilo_alter('scattered_unused', 'scattered', domain_bits => 10);
SELECT ordering, max_value FROM hilo_generators() WHERE name = 'scattered_unused';
SELECT hilo_alter('scattered_unused', domain_bits => 12, max_value => 4095);
SELECT hilo_next_tag('scattered_unused') = id_scatter(100, 12) AS next;
SELECT hilo_alter('scattered_unused', 'session');
-- also to an ordering that has no bits, unless they are asked for
SELECT hilo_create('scattered_unspread', 'scattered', domain_bits => 10);
SELECT hilo_alter('scattered_unspread', 'session', domain_bits => 10);
SELECT hilo_alter('scattered_unspread', 'session');
SELECT ordering, domain_bits, max_value FROM hilo_generators() WHERE name = 'scattered_unspread';
SELECT hilo_alter('scattered_unspread', 'scattered', domain_bits => 12);
SELECT hilo_alter('scattered_unspread', 'gapless', max_value => 5000);
SELECT hilo_next_tag('scattered_unspread');
-- other options may always
SELECT hilo_alter('scattered_unused', max_value => 4000, range_size => 1, max_range_size => 10);
SELECT hilo_next_tag('scattered_unused') = id_scatter(101, 12) AS next;

-- nor before it is known that it stays so
SELECT hilo_create('scattered_here');
BEGIN;
SELECT hilo_alter('scattered_here', 'scattered', domain_bits => 10);
SAVEPOINT s;
SELECT hilo_next_tag('scattered_here');
ROLLBACK TO s;
SELECT count(*) FROM hilo_next_range('scattered_here');
ROLLBACK TO s;
-- also where the generator goes with the change
SELECT hilo_drop('scattered_here');
SELECT hilo_create('scattered_here', 'scattered', domain_bits => 10);
SELECT hilo_alter('scattered_here', domain_bits => 12);
SELECT hilo_next_tag('scattered_here') > 0 AS next;
ROLLBACK;
BEGIN;
SAVEPOINT s;
SELECT hilo_alter('scattered_here', 'scattered', domain_bits => 10);
ROLLBACK TO s;
SELECT hilo_next_tag('scattered_here');
COMMIT;
-- or after a rollback to a savepoint
BEGIN;
SELECT hilo_drop('scattered_here'), hilo_create('scattered_here');
SAVEPOINT s;
SELECT hilo_alter('scattered_here', 'scattered', domain_bits => 8);
SELECT hilo_next_tag('scattered_here');
ROLLBACK TO s;
SELECT max(hilo_next_tag('scattered_here')) FROM generate_series(1, 250);
ROLLBACK;
BEGIN;
SAVEPOINT s;
SELECT hilo_create('scattered_later');
RELEASE s;
SELECT hilo_alter('scattered_later', 'scattered', domain_bits => 8);
SELECT hilo_next_tag('scattered_later') > 0 AS next;
ROLLBACK;

SELECT hilo_create('scattered_new', 'scattered', domain_bits => 53, max_value => 9007199254740992);
SELECT hilo_create('scattered_new', 'scattered', domain_bits => 64);
SELECT hilo_create('scattered_new', 'scattered', domain_bits => 1);
SELECT hilo_create('scattered_new', 'scattered', first => 0);
SELECT hilo_alter('scattered_unused', max_value => 4096);
SELECT hilo_next_range('scattered');
SELECT hilo_next_hi('scattered', 10);
SELECT hilo_return_range('scattered', 10, 5);

-- at the end of its domain there is no more to be had
SELECT hilo_create('scattered_end', 'scattered', domain_bits => 2);
SELECT count(*) FROM hilo_next_tag('scattered_end', 3);
SELECT hilo_next_tag('scattered_end');
-- and no hint seeds it with the greatest id, which is no number of it
SELECT hilo_create('scattered_last', 'scattered'), hilo_seed('scattered_last', 9223372036854775807);
SELECT hilo_next_tag('scattered_last');
SELECT hilo_create('scattered_short', 'scattered', max_value => 999), hilo_seed('scattered_short', 999);
SELECT hilo_next_tag('scattered_short');

DROP TABLE scattered_ids;
SELECT hilo_drop(name) FROM hilo_generators() WHERE name ~ '^scattered';
