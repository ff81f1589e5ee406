/*
 * Generators with ranges from an ORM's sequence
 */
SET hilo.prefetch = on;

-- block null: the sequence's INCREMENT
CREATE SEQUENCE "Orders_hilo" INCREMENT 10;
SELECT hilo_adopt_sequence_tag('Orders', '"Orders_hilo"', 'efcore');
SELECT hilo_next_tag('orders'), hilo_next_tag('orders'), nextval('"Orders_hilo"');
SELECT * FROM hilo_sources() WHERE name = 'Orders';
SELECT name, ordering, first, last, max_value, range_size FROM hilo_generators() WHERE name = 'Orders';
SELECT name, next, high FROM hilo_session() WHERE name = 'Orders';
-- a block is not taken before it is needed; what is given back of it is there for all
SELECT count(hilo_next_tag('orders')) FROM generate_series(1, 8);
SELECT last_value FROM "Orders_hilo";
SELECT hilo_next_tag('orders'), hilo_release('orders'), hilo_next_tag('orders');
-- ranges for clients: a block, or exactly so many ids of one
SELECT low, high, last_size FROM hilo_next_range('orders');
SELECT low, high, last_size FROM hilo_next_range('orders', 4);
SELECT hilo_return_range('orders', high, low, range_no) FROM hilo_next_range('orders', 10);
SELECT hilo_next_range('orders', 11);
SELECT low, high FROM hilo_next_range('orders', last_max => 500);
SELECT nextval('"Orders_hilo"');
SELECT hilo_next_hi('orders', 10);
-- by the ORM's own column default
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next_tag('orders'), item text);
INSERT INTO orders (item) VALUES ('a'), ('b') RETURNING *;
-- what lastval gives is the block, and not the id
SELECT nextval('"Orders_hilo"') AS before;
SELECT count(hilo_next_tag('orders')) FROM generate_series(1, 8);
INSERT INTO orders (item) VALUES ('c') RETURNING id, lastval(), hilo_current('orders');
INSERT INTO orders (item) VALUES ('d') RETURNING id, lastval(), hilo_current('orders');

-- an ORM that met the first value would take the next one, too, and all ids in between
CREATE SEQUENCE paired INCREMENT 10;
SELECT hilo_adopt_sequence_tag('paired', 'paired', 'nhibernate-pooled');
SELECT nextval('paired');
SELECT low, high FROM hilo_next_range('paired');
SELECT hilo_drop('paired');

-- a rollback brings nothing back
BEGIN;
SELECT low, high FROM hilo_next_range('orders');
ROLLBACK;
SELECT low, high FROM hilo_next_range('orders');
-- no 40001, whatever the isolation level
BEGIN ISOLATION LEVEL SERIALIZABLE;
SELECT low FROM hilo_next_range('orders');
COMMIT;
BEGIN READ ONLY;
SELECT hilo_next_range('orders');
ROLLBACK;
BEGIN READ ONLY;
SELECT hilo_adopt_sequence_tag('orders', '"Orders_hilo"', 'efcore');
ROLLBACK;

-- a first block that is shorter than what is asked for is passed over
CREATE SEQUENCE first_short INCREMENT 10;
SELECT hilo_adopt_sequence_tag('first_short', 'first_short', 'hibernate-pooled');
SELECT low, high FROM hilo_next_range('first_short', 10);

-- ids that came by themselves, in a block that is held
CREATE SEQUENCE passed_seq INCREMENT 10;
SELECT hilo_adopt_sequence_tag('passed', 'passed_seq', 'hibernate-pooled-lo');
CREATE TABLE passed (id bigint PRIMARY KEY DEFAULT hilo_next_tag('passed'));
INSERT INTO passed VALUES (DEFAULT);
INSERT INTO passed VALUES (3);
SELECT hilo_resync('passed', 'id');
INSERT INTO passed VALUES (DEFAULT), (DEFAULT), (DEFAULT) RETURNING id;
-- blocks without ids are not those of a source that was set back
CREATE SEQUENCE below MINVALUE -1000 START 1;
SELECT hilo_adopt_sequence_tag('below', 'below', 'hibernate-none');
SELECT setval('below', -900);
SELECT hilo_next_tag('below');
DROP TABLE orders, passed;
SELECT count(hilo_drop(name)) FROM hilo_generators() WHERE ordering = 'adopted';
SELECT count(*) FROM hilo_internal.hilo_source;
DROP SEQUENCE "Orders_hilo", paired, first_short, passed_seq, below;
