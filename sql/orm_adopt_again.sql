/*
 * A source that is taken, for the first time or again, is raised above the rows and what was handed out; one that is
 * the source already is left alone; and a truncated table's block is not used
 */
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE SCHEMA again AUTHORIZATION regress_hilo_owner;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_owner;
GRANT USAGE ON SCHEMA again TO regress_hilo_app;
SET search_path = again, public;
SET ROLE regress_hilo_owner;

-- another sequence, as EF renames it; above what a session holds, too, rows or not
CREATE SEQUENCE a INCREMENT 10;
CREATE TABLE orders (id bigint PRIMARY KEY, item text);
SELECT hilo_adopt_sequence('orders', 'id', 'a', 'efcore', 10);
INSERT INTO orders (item) SELECT 'sql' FROM generate_series(1, 15);
DROP SEQUENCE a CASCADE;
CREATE SEQUENCE b INCREMENT 10;
SELECT hilo_adopt_sequence('orders', 'id', 'b', 'efcore', 10);
SELECT nextval('b');
DELETE FROM orders;
CREATE SEQUENCE c INCREMENT 10;
INSERT INTO orders VALUES (45, 'brought');
SELECT hilo_adopt_sequence('orders', 'id', 'c', 'efcore', 10);
SELECT nextval('c');
-- by a table's row, and for a tag, with the rows of columns that draw from it
CREATE TABLE hi (entity_name text PRIMARY KEY, hi_value bigint);
INSERT INTO hi VALUES ('Order', 0), ('Tag', 0);
SELECT hilo_adopt_table('orders', 'id', 'hi', 'marten', 10, key_value => 'Order');
SELECT hi_value FROM hi WHERE entity_name = 'Order';
CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT hilo_next_tag('shared'));
INSERT INTO drawn VALUES (123);
SELECT hilo_adopt_table_tag('shared', 'hi', 'marten', 10, key_value => 'Tag');
SELECT hi_value FROM hi WHERE entity_name = 'Tag';
INSERT INTO drawn DEFAULT VALUES RETURNING id;
INSERT INTO drawn VALUES (333);
CREATE SEQUENCE d INCREMENT 10;
SELECT hilo_adopt_sequence_tag('shared', 'd', 'efcore');
SELECT nextval('d');
-- what does not show its ids keeps no source from being taken
CREATE TABLE labels (code text DEFAULT 'L' || hilo_next_tag('labels'));
CREATE VIEW shown AS TABLE labels;
ALTER VIEW shown ALTER code SET DEFAULT 'S' || hilo_next_tag('labels');
CREATE SEQUENCE e INCREMENT 10;
SELECT hilo_adopt_sequence_tag('labels', 'e', 'efcore');
INSERT INTO shown DEFAULT VALUES RETURNING code;
-- in the transaction that makes the sequence, too
BEGIN;
CREATE SEQUENCE f INCREMENT 10;
CREATE TABLE full_table (id bigint PRIMARY KEY, item text);
INSERT INTO full_table VALUES (15);
SELECT hilo_adopt_sequence('full_table', 'id', 'f', 'efcore');
COMMIT;
SELECT nextval('f') > 15 AS above;

-- the same once more: nothing changes, no lock is taken that stops others, and a role that may draw needs no more
CREATE SEQUENCE s INCREMENT 10;
CREATE TABLE seeded (id bigint PRIMARY KEY, item text);
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'efcore', 10);
GRANT INSERT, SELECT ON seeded TO regress_hilo_app;
INSERT INTO seeded (item) VALUES ('a') RETURNING id;
SELECT hilo_adopt_sequence('orders', 'id', 'c', 'efcore', 10);
RESET ROLE;
SET ROLE regress_hilo_app;
BEGIN;
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'efcore', 10);
SELECT count(*) FROM pg_locks
 WHERE pid = pg_backend_pid() AND relation IN ('seeded'::regclass, 's'::regclass) AND mode !~ 'AccessShare';
COMMIT;
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'efcore', 20);
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'doctrine', 10);
INSERT INTO seeded (item) VALUES ('b') RETURNING id;
-- one that may not draw learns nothing
SELECT hilo_adopt_sequence('orders', 'id', 'c', 'efcore', 10);
SET ROLE regress_hilo_owner;
SELECT nextval('s');
SELECT hilo_adopt_sequence_tag('shared', 'd', 'efcore');
-- unless the column draws from elsewhere
ALTER TABLE seeded ALTER id SET DEFAULT 7;
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'efcore', 10);
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'seeded'::regclass;

-- another block, in the transaction that alters the sequence, when the ORM has used more ids of its newest
INSERT INTO seeded SELECT nextval('s') + i FROM generate_series(0, 1) i;
BEGIN;
ALTER SEQUENCE s INCREMENT 20;
SELECT hilo_adopt_sequence('seeded', 'id', 's', 'efcore', 20);
COMMIT;
SELECT nextval('s') > max(id) AS above FROM seeded;

-- TRUNCATE of the ORM's table ends the block that SQL has
CREATE TABLE docs (id bigint PRIMARY KEY, item text);
TRUNCATE hi;
SELECT hilo_adopt_table('docs', 'id', 'hi', 'marten', 10, key_value => 'Doc');
INSERT INTO docs (item) VALUES ('sql') RETURNING id;
TRUNCATE hi, docs;
-- the ORM has 1 to 10
INSERT INTO hi VALUES ('Doc', 0);
INSERT INTO docs (item) VALUES ('sql') RETURNING id;
INSERT INTO docs SELECT generate_series(1, 10), 'orm';
-- also the block of all sessions
\c -
SET search_path = again, public;
SET ROLE regress_hilo_owner;
INSERT INTO docs (item) VALUES ('sql') RETURNING id;
TRUNCATE hi, docs;
INSERT INTO hi VALUES ('Doc', 0);
\c -
SET search_path = again, public;
SET ROLE regress_hilo_owner;
INSERT INTO docs (item) VALUES ('sql') RETURNING id > 20 AS above;
-- no row is made beside others by a draw either
DELETE FROM hi;
INSERT INTO hi VALUES ('Other', 0);
INSERT INTO docs (item) SELECT 'sql' FROM generate_series(1, 20);
INSERT INTO again.hi (entity_name, hi_value) VALUES ('Doc', -1);
INSERT INTO docs (item) SELECT 'sql' FROM generate_series(1, 20);

RESET ROLE;
SET client_min_messages = warning;
DROP SCHEMA again CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
REVOKE CREATE ON DATABASE :DBNAME FROM regress_hilo_owner;
DROP ROLE regress_hilo_owner, regress_hilo_app;
