-- Columns put on a generator: generators of other orderings.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- generators of other orderings
SELECT hilo_create('numbers', 'gapless'), hilo_create('everybody', 'global');
CREATE TABLE numbered (id int GENERATED ALWAYS AS IDENTITY);
INSERT INTO numbered SELECT FROM generate_series(1, 50);
BEGIN;
SELECT hilo_attach('numbered', 'id', 'numbers');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
ROLLBACK;
SELECT name, last, max_value FROM hilo_generators() WHERE name = 'numbers';
SELECT hilo_attach('numbered', 'id', 'numbers');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
INSERT INTO numbered VALUES (60);
SELECT hilo_resync('numbered', 'id');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
SELECT rel, problem FROM hilo_check() WHERE rel = 'numbered'::regclass;
SELECT hilo_detach('numbered', 'id');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
SELECT hilo_attach('numbered', 'id', 'everybody');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
INSERT INTO numbered VALUES (100000);
SELECT hilo_resync('numbered', 'id');
INSERT INTO numbered DEFAULT VALUES RETURNING id;
SELECT hilo_attach('numbered', 'id', 'numbered|');
INSERT INTO numbered DEFAULT VALUES RETURNING id > 100001 AS above;
SELECT ordering, max_value FROM hilo_generators() WHERE name = 'numbered|';
DROP TABLE numbered;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
