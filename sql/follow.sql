-- Columns with a generator that stays above the ids that rows bring along.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE SCHEMA fo;
GRANT CREATE, USAGE ON SCHEMA fo TO regress_hilo_clerk;
SET search_path = fo, public;
CREATE FUNCTION last(generator text) RETURNS bigint LANGUAGE sql AS $$
	SELECT last FROM hilo_generators() WHERE name = generator
$$;

-- if it is turned off, the next ids collide
CREATE TABLE orders (id bigint PRIMARY KEY, item text);
SELECT hilo_attach('orders', 'id', follow => false);
INSERT INTO orders VALUES (2, 'brought along');
INSERT INTO orders (item) VALUES ('pen'), ('ink');
SELECT hilo_attach('orders', 'id', follow => true);
SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = 'orders'::regclass;

-- above the generator, below it within what a session has in hand
INSERT INTO orders (item) VALUES ('pen') RETURNING id > 2 AS above;
INSERT INTO orders VALUES (5, 'brought along'), (1000, 'too');
INSERT INTO orders (item) VALUES ('ink') RETURNING id > 1000 AS above;
INSERT INTO orders SELECT max(id) + 1, 'just above' FROM orders;
INSERT INTO orders (item) SELECT 'many' FROM generate_series(1, 40);
UPDATE orders SET id = 5000 WHERE item = 'ink';
INSERT INTO orders (item) VALUES ('cup') RETURNING id;
UPDATE orders SET id = id, item = 'mug' WHERE item = 'cup';
INSERT INTO orders VALUES (5001, 'again') ON CONFLICT DO NOTHING;
INSERT INTO orders (item) VALUES ('pot') RETURNING id;
-- one row raises it to just that id; more in one transaction go ahead, and a rollback keeps it
INSERT INTO orders VALUES (10000);
SELECT last('orders');
BEGIN;
INSERT INTO orders SELECT i FROM generate_series(20000, 29999) i;
ROLLBACK;
SELECT last('orders') BETWEEN 29999 AND 50000 AS above;
COPY orders (id) FROM stdin;
100000
100001
\.
INSERT INTO orders DEFAULT VALUES RETURNING id > 100001 AS above;
-- but not to the end
CREATE TABLE short (id smallint PRIMARY KEY);
SELECT hilo_attach('short', 'id', follow => true);
INSERT INTO short VALUES (20000);
INSERT INTO short VALUES (32000), (32750);
INSERT INTO short DEFAULT VALUES RETURNING id;

-- a row that a constraint, a policy or a conflict keeps out raises nothing
CREATE TABLE kept_out (id int PRIMARY KEY CHECK (id < 1000), other int UNIQUE);
SELECT hilo_attach('kept_out', 'id', follow => true);
INSERT INTO kept_out (other) VALUES (1);
INSERT INTO kept_out VALUES (2147483647);
INSERT INTO kept_out VALUES (500, 1) ON CONFLICT DO NOTHING;
ALTER TABLE kept_out ENABLE ROW LEVEL SECURITY;
CREATE POLICY few ON kept_out WITH CHECK (id < 100);
GRANT INSERT ON kept_out TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
INSERT INTO fo.kept_out VALUES (400);
RESET ROLE;
SELECT last('kept_out');
-- the triggers of the table come first
CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := NEW.id + 100; RETURN NEW; END';
CREATE TRIGGER zzz BEFORE INSERT ON kept_out FOR EACH ROW EXECUTE FUNCTION move();
INSERT INTO kept_out VALUES (200);
SELECT last('kept_out');

-- what it was once above says nothing after a forced seed, nor of another generator of the name
DELETE FROM orders;
BEGIN;
INSERT INTO orders VALUES (200000);
SELECT hilo_seed('orders', 10, force => true);
INSERT INTO orders VALUES (12);
INSERT INTO orders (item) VALUES ('pen') RETURNING id > 12 AS above;
COMMIT;
-- nor does the id that the session took last before it
INSERT INTO orders (item) VALUES ('ink') RETURNING id AS taken \gset
DELETE FROM orders;
SELECT hilo_seed('orders', :taken - 10, force => true);
INSERT INTO orders VALUES (:taken);
INSERT INTO orders (item) VALUES ('ink') RETURNING id > :taken AS above;
TRUNCATE orders;
ALTER TABLE orders ALTER id DROP DEFAULT;
SELECT hilo_drop('orders'), hilo_attach('orders', 'id', follow => true);
INSERT INTO orders VALUES (2);
INSERT INTO orders (item) VALUES ('pen') RETURNING id;

-- ids of the generator raise nothing, however they come
SELECT hilo_create('own ids', range_size => 1000), hilo_create('own ids|');
CREATE TABLE own_ids (id bigint PRIMARY KEY, id2 bigint UNIQUE);
SELECT hilo_attach('own_ids', 'id', 'own ids', follow => true), hilo_attach('own_ids', 'id2', 'own ids|', true);
INSERT INTO own_ids SELECT FROM generate_series(1, 100);
INSERT INTO own_ids SELECT hilo_next_tag('own ids', 100), identity_next('own ids|');
INSERT INTO own_ids VALUES (hilo_next_tag('own ids'), identity_next('own ids|'));
UPDATE own_ids SET id2 = id2;
SELECT max(id), max(id2) FROM own_ids;
INSERT INTO own_ids (id) VALUES (0) RETURNING id2 AS taken \gset
DELETE FROM own_ids WHERE id = 0;
SELECT hilo_seed('own ids|', :taken - 10, force => true);
INSERT INTO own_ids (id, id2) VALUES (0, :taken);
SELECT identity_next('own ids|') > :taken AS above;
DELETE FROM own_ids WHERE id = 0;
-- ids that a client has in hand, or an array, may raise it, but not for each row
INSERT INTO own_ids SELECT id FROM unnest(ARRAY(SELECT hilo_next_tag('own ids', 5000))) id;
SELECT last('own ids') - max(id) BETWEEN 0 AND 10000 AS about FROM own_ids;

-- no id: null, below first, above max_value; scattered ids say nothing
CREATE TABLE odd (id bigint, small smallint, note text);
SELECT hilo_create('odd', first => 100, max_value => 200);
SELECT hilo_attach('odd', 'id', 'odd', true), hilo_attach('odd', 'small', 'small', true);
INSERT INTO odd VALUES (NULL, NULL), (-5, -5), (0, 0), (99, 7), (201, 32767), (9223372036854775807, 1);
SELECT last('odd'), last('small');
INSERT INTO odd VALUES (200, 1);
INSERT INTO odd (small) VALUES (1);
TRUNCATE odd;
SELECT hilo_create('shown', 'scattered');
ALTER TABLE odd ALTER id SET DEFAULT hilo_next_tag('shown');
SELECT hilo_attach('odd', 'id', follow => true);

-- gapless: the raise is the transaction's, and leaves no gap
CREATE TABLE invoices (id bigint PRIMARY KEY);
SELECT hilo_create('invoices', 'gapless'), hilo_attach('invoices', 'id', follow => true);
INSERT INTO invoices VALUES (7), (8), (9);
BEGIN;
INSERT INTO invoices VALUES (90), (91);
ROLLBACK;
INSERT INTO invoices DEFAULT VALUES RETURNING id;
INSERT INTO invoices VALUES (91);
BEGIN;
INSERT INTO invoices DEFAULT VALUES RETURNING id;
ROLLBACK;
INSERT INTO invoices VALUES (92);
INSERT INTO invoices DEFAULT VALUES RETURNING id;

-- nor is a raise that was rolled back remembered when there may be gaps
CREATE TABLE bills (id bigint PRIMARY KEY);
SELECT hilo_create('bills', 'gapless'), hilo_attach('bills', 'id', follow => true);
BEGIN;
INSERT INTO bills VALUES (90);
ROLLBACK;
SELECT hilo_alter('bills', 'session');
INSERT INTO bills VALUES (1);
INSERT INTO bills DEFAULT VALUES RETURNING id;

-- an ORM's own rows would raise its source: neither is it followed, nor adopted once it is
CREATE SEQUENCE adopted_seq INCREMENT 10;
CREATE TABLE adopted (id bigint PRIMARY KEY);
SELECT hilo_adopt_sequence('adopted', 'id', 'adopted_seq', 'hibernate-pooled', 10);
SELECT hilo_attach('adopted', 'id', follow => true);
DROP TABLE adopted;
-- nor what a dropped table leaves, which is a tag
CREATE TABLE adopted (id bigint PRIMARY KEY);
SELECT hilo_adopt_sequence_tag('adopted tag', 'adopted_seq', 'hibernate-pooled', 10);
CREATE SEQUENCE left_seq INCREMENT 10 OWNED BY adopted.id;
SELECT hilo_adopt_sequence_tag('left', 'left_seq', 'hibernate-pooled', 10);
ALTER SEQUENCE left_seq OWNED BY NONE;
DROP TABLE adopted;
CREATE TABLE adopted (id bigint PRIMARY KEY);
SELECT hilo_attach('adopted', 'id', 'left', true);
SELECT hilo_drop('left');
SELECT hilo_attach('adopted', 'id', 'afterwards', true);
ALTER TABLE adopted ALTER id DROP DEFAULT;
SELECT hilo_drop('afterwards'), hilo_adopt_sequence_tag('afterwards', 'adopted_seq', 'hibernate-pooled', 10);
INSERT INTO adopted VALUES (hilo_next_tag('afterwards'));
ALTER TABLE adopted ALTER id SET DEFAULT hilo_next_tag('afterwards');
INSERT INTO adopted VALUES (100000);
SELECT hilo_create('afterwards', if_not_exists => true);

-- numerics that are no ids
CREATE TABLE numerics (id numeric);
SELECT hilo_attach('numerics', 'id', follow => true);
INSERT INTO numerics VALUES (7.5), (1e30), (-1e30), ('NaN'), ('Infinity'), ('-Infinity');
INSERT INTO numerics DEFAULT VALUES RETURNING id;
-- a role that may insert may raise it, for a table with an owner who could; for no other
GRANT INSERT ON orders TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
INSERT INTO fo.orders VALUES (200000);
INSERT INTO fo.orders DEFAULT VALUES;
CREATE TABLE fo.mine (id bigint DEFAULT hilo_next('fo.orders'));
CREATE TRIGGER t AFTER INSERT OR UPDATE ON fo.mine FOR EACH ROW EXECUTE FUNCTION hilo_follow('', 'id');
INSERT INTO fo.mine VALUES (1);
INSERT INTO fo.mine VALUES (1000000);
RESET ROLE;
SELECT last('orders') BETWEEN 200000 AND 300000 AS above;
-- nor for one that its owner did not attach, but another role made the trigger
CREATE TABLE wrong (id bigint, note text DEFAULT hilo_next('orders'));
GRANT INSERT, TRIGGER ON wrong TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
CREATE TRIGGER t AFTER INSERT OR UPDATE ON fo.wrong FOR EACH ROW EXECUTE FUNCTION hilo_follow('orders', 'id');
INSERT INTO fo.wrong VALUES (5000000000000000000);
RESET ROLE;
SELECT last('orders') < 300000 AS as_before;
DROP TRIGGER t ON wrong;
-- and only as what hilo_attach makes
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON wrong FOR EACH ROW EXECUTE FUNCTION hilo_follow('orders', 'id');
INSERT INTO wrong VALUES (1);
CREATE OR REPLACE TRIGGER t AFTER INSERT OR UPDATE ON wrong FOR EACH ROW EXECUTE FUNCTION hilo_follow('orders');
INSERT INTO wrong VALUES (1);
CREATE OR REPLACE TRIGGER t AFTER INSERT OR UPDATE ON wrong FOR EACH STATEMENT EXECUTE FUNCTION hilo_follow('orders', 'id');
INSERT INTO wrong VALUES (1);
-- nor for what is no number
DROP TRIGGER t ON wrong;
CREATE TRIGGER t AFTER INSERT OR UPDATE ON wrong FOR EACH ROW EXECUTE FUNCTION hilo_follow('orders', 'note');
INSERT INTO wrong VALUES (1, 'a text');
SELECT last('orders') < 300000 AS as_before;
SELECT hilo_follow();
-- a restore leaves out columns that were dropped: its trigger may have the number of another one
CREATE TABLE fewer (dropped int, id bigint);
SELECT hilo_attach('fewer', 'id', follow => true);
CREATE TABLE restored (id bigint, no bigint);
SELECT replace(pg_get_triggerdef(oid), 'fewer', 'restored') FROM pg_trigger WHERE tgrelid = 'fewer'::regclass \gexec
SELECT hilo_attach('restored', 'no', 'restored no', follow => true);
INSERT INTO restored (no) VALUES (50), (DEFAULT) RETURNING no;
INSERT INTO restored DEFAULT VALUES RETURNING no;
-- no trigger stays where a child has its own and a copy, as an extension makes them
CREATE TABLE hyper (id bigint);
CREATE TABLE chunk () INHERITS (hyper);
SELECT hilo_attach('hyper', 'id', follow => true);
SELECT replace(pg_get_triggerdef(oid), ' ON fo.hyper', ' ON fo.chunk') FROM pg_trigger WHERE tgrelid = 'hyper'::regclass \gexec
SELECT hilo_attach('hyper', 'id', follow => false);
SELECT tgrelid::regclass, tgname FROM pg_trigger WHERE tgrelid IN ('hyper'::regclass, 'chunk'::regclass);
-- one without its function, after a DROP FUNCTION that did not see it, is none of ours
CREATE TABLE orphan (id bigint);
CREATE TRIGGER t AFTER INSERT OR UPDATE ON orphan FOR EACH ROW EXECUTE FUNCTION move();
SET allow_system_table_mods = on;
UPDATE pg_trigger SET tgfoid = 1 WHERE tgrelid = 'orphan'::regclass;
RESET allow_system_table_mods;
SELECT hilo_attach('orphan', 'id', follow => true);
SELECT count(*) AS triggers FROM pg_trigger WHERE tgrelid = 'orphan'::regclass;
DROP TRIGGER t ON orphan;

SET client_min_messages = warning;
DROP SCHEMA fo CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk;
