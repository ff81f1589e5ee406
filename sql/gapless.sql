/*
 * Generators without gaps: numbers belong to the transaction that takes them
 */
CREATE VIEW state AS SELECT name, ordering, last FROM hilo_generators() WHERE name ILIKE 'gapless%';

SELECT hilo_create('Gapless', 'gapless');
SELECT name, ordering, first, last, range_size, max_range_size FROM hilo_generators() WHERE name = 'Gapless';
SELECT hilo_current('gapless');
SELECT hilo_next_tag('gapless'), hilo_next_tag('GAPLESS'), hilo_next_id('gapless');
SELECT array_agg(id) FROM hilo_next_tag('gapless', 3) id;
SELECT * FROM hilo_next_tag('gapless', 0);
SELECT hilo_current('gapless');
SELECT name, current, next, high, node_tag FROM hilo_session() WHERE name = 'Gapless';
SELECT hilo_release('gapless');
SELECT * FROM state;
CREATE TABLE gapless_row (id bigint PRIMARY KEY DEFAULT hilo_next_tag('gapless'), item text);
INSERT INTO gapless_row VALUES (DEFAULT, 'a'), (DEFAULT, 'b') RETURNING id;
INSERT INTO gapless_row VALUES (DEFAULT, 'c') RETURNING id;
DROP TABLE gapless_row;

-- a rollback gives the numbers back, and so does one of a part
BEGIN;
SELECT hilo_next_tag('gapless');
ROLLBACK;
BEGIN;
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless');
SAVEPOINT a;
SELECT hilo_next_tag('gapless');
SAVEPOINT b;
SELECT hilo_next_tag('gapless');
ROLLBACK TO b;
SELECT hilo_next_tag('gapless');
RELEASE a;
SELECT hilo_next_tag('gapless');
SAVEPOINT a;
SELECT hilo_next_tag('gapless');
ROLLBACK TO a;
SELECT hilo_next_tag('gapless');
COMMIT;
SELECT * FROM state;
SELECT hilo_next_tag('gapless');
SELECT 1 / (hilo_next_tag('gapless') - hilo_next_tag('gapless') + 1);
SELECT hilo_next_tag('gapless');
DO $$
BEGIN
	FOR i IN 1 .. 4 LOOP
		BEGIN
			RAISE NOTICE '%', hilo_next_tag('gapless');
			ASSERT i % 2 = 0;
		EXCEPTION WHEN assert_failure THEN
		END;
	END LOOP;
END $$;
-- only what a query asks for is taken
SELECT hilo_next_tag('gapless', 10) LIMIT 2;
SELECT hilo_next_tag('gapless');

-- a transaction leaves one version of the row, however many numbers it takes
SELECT count(DISTINCT id), max(id) - min(id) FROM (SELECT hilo_next_tag('gapless') AS id FROM generate_series(1, 3000)) t;
SELECT pg_relation_size('hilo_internal.hilo_gapless') <= 8192 AS is_small;

-- a seed is transactional, too
BEGIN;
SELECT hilo_seed('gapless', 5000), hilo_next_tag('gapless');
ROLLBACK;
SELECT last < 5000 FROM state;
SELECT hilo_seed('gapless', 5000), hilo_seed('gapless', 10), hilo_seed('gapless', NULL), hilo_next_tag('gapless');
SELECT hilo_seed('gapless', 10, force => true), hilo_next_tag('gapless');
SELECT hilo_seed('gapless', -1, force => true);

-- what it has not
SELECT low FROM hilo_next_range('gapless');
SELECT hilo_next_hi('gapless', 10);
SELECT hilo_return_range('gapless', 10, 1);
SELECT hilo_create('gapless_2', 'gapless', domain_bits => 40);

-- create and drop
BEGIN;
SELECT hilo_drop('gapless');
ROLLBACK;
SELECT hilo_next_tag('gapless');
SELECT hilo_drop('gapless');
SELECT count(*) FROM hilo_internal.hilo_gapless;
BEGIN;
SELECT hilo_create('gapless', 'gapless', first => 100);
SELECT hilo_next_tag('gapless');
ROLLBACK;
SELECT count(*) FROM hilo_internal.hilo_gapless;
BEGIN;
SELECT hilo_create('gapless', 'gapless', first => 100);
SELECT hilo_next_tag('gapless');
COMMIT;
SELECT hilo_next_tag('gapless');

-- to the last number; a rollback at the end leaves it for others
SELECT hilo_alter('gapless', max_value => 104);
SELECT * FROM hilo_next_tag('gapless', 4);
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless');
BEGIN;
SELECT hilo_next_tag('gapless');
SELECT hilo_next_tag('gapless');
ROLLBACK;
SELECT hilo_next_tag('gapless');
SELECT hilo_next_tag('gapless');
SELECT hilo_alter('gapless', max_value => 103);
SELECT hilo_seed('gapless', 105);
SELECT hilo_drop('gapless'), hilo_create('gapless', 'gapless', first => 9223372036854775806);
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless');
SELECT hilo_next_tag('gapless');
SELECT * FROM state;

-- warned of the end, once
SELECT hilo_drop('gapless'), hilo_create('gapless', 'gapless', max_value => 10);
SELECT hilo_next_tag('gapless') FROM generate_series(1, 10);

-- from one ordering to another
SELECT hilo_drop('gapless'), hilo_create('gapless', range_size => 8, max_range_size => 16);
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless'), hilo_release('gapless');
SELECT hilo_alter('gapless', 'gapless');
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless');
-- a rollback would hand out again what the session has got meanwhile
BEGIN;
SELECT hilo_alter('gapless', 'session');
SAVEPOINT s;
SELECT hilo_next_tag('gapless');
ROLLBACK TO s;
SELECT low FROM hilo_next_range('gapless');
ROLLBACK;
SELECT hilo_next_tag('gapless');
SELECT hilo_alter('gapless', 'session');
SELECT hilo_next_tag('gapless') > 5 AS is_above;
SELECT count(*) FROM hilo_internal.hilo_gapless;

-- refused where nextval is
SELECT hilo_drop('gapless'), hilo_create('gapless', 'gapless');
SELECT hilo_next_tag('gapless');
BEGIN READ ONLY;
SELECT hilo_next_tag('gapless');
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_current('gapless');
SELECT * FROM state;
ROLLBACK;

-- rights are the current role's
CREATE ROLE regress_hilo_gapless;
SELECT hilo_revoke('gapless', 'public');
BEGIN;
SELECT hilo_next_tag('gapless');
SET LOCAL ROLE regress_hilo_gapless;
SELECT hilo_next_tag('gapless');
ROLLBACK;
SET ROLE regress_hilo_gapless;
SELECT hilo_next_tag('gapless');
SELECT hilo_seed('gapless', 100);
SELECT * FROM hilo_internal.hilo_gapless;
SELECT * FROM state;
RESET ROLE;
DROP ROLE regress_hilo_gapless;

-- its table is guarded, and merges what a dump brings
UPDATE hilo_internal.hilo_gapless SET last = 1;
DELETE FROM hilo_internal.hilo_gapless;
TRUNCATE hilo_internal.hilo_gapless;
SELECT hilo_seed('gapless', 100), hilo_create('gapless_2', 'global'), hilo_create('gapless_3');
SELECT hilo_next_tag('gapless_2');
BEGIN;
COPY hilo_internal.hilo_gapless FROM STDIN;
50	gapless
\.
SELECT * FROM state;
COPY hilo_internal.hilo_gapless FROM STDIN;
200	gapless
300	gapless_2
400	gapless_3
\.
SELECT hilo_next_tag('gapless'), hilo_next_tag('gapless_2'), hilo_next_tag('gapless_3');
SELECT name FROM hilo_internal.hilo_gapless;
ROLLBACK;
-- a row of hilo_hi, too, where the dump's generator had gaps
BEGIN;
COPY hilo_internal.hilo_hi FROM STDIN;
500	32	1	1	1	0	gapless
\.
SELECT hilo_next_tag('gapless');
COMMIT;
SELECT hilo_next_tag('gapless');
COPY hilo_internal.hilo_gapless FROM STDIN;
\N	gapless
\.
INSERT INTO hilo_internal.hilo_gapless VALUES (1, NULL);

SELECT hilo_drop(name) FROM hilo_generators() WHERE name ILIKE 'gapless%';
DROP VIEW state;

-- what a restore brings before the definition: no first use makes another
-- generator of that name, and hilo_create goes on above all that was brought
INSERT INTO hilo_internal.hilo_gapless (last, name) VALUES (7, 'gapless_half'), (7, 'gapless_half_session');
SELECT hilo_next_tag('gapless_half');
SELECT hilo_create('gapless_half', 'gapless'), hilo_create('gapless_half_session');
SELECT hilo_next_tag('gapless_half'), hilo_next_tag('gapless_half_session');
SELECT hilo_create('gapless_model', 'gapless');
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"name": "gapless_hi"}')).* FROM hilo_internal.hilo_hi h WHERE name = 'gapless_model';
SELECT hilo_next_tag('gapless_hi');
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"name": "gapless_hi", "reserved": 100}')).* FROM hilo_internal.hilo_hi h WHERE name = 'gapless_model';
SELECT hilo_create('gapless_hi', 'gapless');
SELECT hilo_next_tag('gapless_hi');
SELECT hilo_drop(name) FROM unnest('{gapless_half,gapless_half_session,gapless_model,gapless_hi}'::text[]) name;
INSERT INTO hilo_internal.hilo_source (generator, relation, style, block, initial) VALUES ('gapless_source', '-', 'efcore', 10, 1);
SELECT hilo_next_tag('gapless_source');
SELECT hilo_create('gapless_source'), hilo_drop('gapless_source');
-- nor without its number
SELECT hilo_create('gapless_model', 'gapless');
INSERT INTO hilo_internal.hilo_hi SELECT (jsonb_populate_record(h, '{"name": "gapless_half"}')).* FROM hilo_internal.hilo_hi h WHERE name = 'gapless_model';
INSERT INTO hilo_internal.hilo_generator SELECT (jsonb_populate_record(g, '{"name": "gapless_half"}')).* FROM hilo_internal.hilo_generator g WHERE name = 'gapless_model';
SELECT hilo_next_tag('gapless_half');
SELECT hilo_seed('gapless_half', 5);
SELECT hilo_alter('gapless_half', 'session');
INSERT INTO hilo_internal.hilo_gapless (last, name) VALUES (7, 'gapless_half');
SELECT hilo_next_tag('gapless_half');
SELECT hilo_drop('gapless_half'), hilo_drop('gapless_model');
