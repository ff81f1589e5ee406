-- Which columns a generator follows if the caller of hilo_attach does not decide.
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_clerk;
CREATE SCHEMA fd;
GRANT CREATE, USAGE ON SCHEMA fd TO regress_hilo_clerk;
SET search_path = fd, public;
CREATE FUNCTION triggers(rel regclass) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT regexp_replace(pg_get_triggerdef(oid), '.* AFTER', 'AFTER') FROM pg_trigger WHERE tgrelid = rel ORDER BY tgname
$$;

-- a new generator, which is global then
CREATE TABLE orders (id int PRIMARY KEY, item text);
SELECT hilo_attach('orders', 'id');
SELECT triggers('orders');
SELECT ordering FROM hilo_generators() WHERE name = 'orders';
INSERT INTO orders VALUES (1000, 'imported');
INSERT INTO orders (item) VALUES ('pen') RETURNING id;
-- the column can be renamed, get another type, and be dropped; updates are not looked at
ALTER TABLE orders RENAME id TO no;
INSERT INTO orders VALUES (2000, 'imported');
INSERT INTO orders (item) VALUES ('pen') RETURNING no;
ALTER TABLE orders ALTER no TYPE bigint;
INSERT INTO orders VALUES (3000, 'imported');
INSERT INTO orders (item) VALUES ('pen') RETURNING no;
UPDATE orders SET no = 4000 WHERE item = 'pen' AND no > 3000;
INSERT INTO orders (item) VALUES ('pen') RETURNING no;
-- a call that decides, and detach
SELECT hilo_attach('orders', 'no', follow => true);
SELECT triggers('orders');
SELECT hilo_attach('orders', 'no', follow => false);
SELECT triggers('orders');
SELECT hilo_attach('orders', 'no');
SELECT triggers('orders');
ALTER TABLE orders DROP no;
INSERT INTO orders VALUES ('no id');
DROP TABLE orders;

-- one that exists: not of session, gapless or a hub, nor if the table's owner may not raise it
SELECT hilo_create('session'), hilo_create('gapless', 'gapless'), hilo_create('global', 'global');
CREATE TABLE several (a bigint, b bigint, c bigint, d bigint);
SELECT hilo_attach('several', 'a', 'session');
SELECT hilo_attach('several', 'b', 'gapless'), hilo_attach('several', 'c', 'global');
SELECT triggers('several');
SELECT hilo_grant('global', 'regress_hilo_clerk');
SET ROLE regress_hilo_clerk;
CREATE TABLE fd.others (id bigint);
SELECT hilo_attach('fd.others', 'id', 'global');
RESET ROLE;
SELECT triggers('others');
-- a new name, and another table, keep the kind
SELECT hilo_rename('global', 'renamed');
SELECT triggers('several');
CREATE TABLE old (id bigint);
SELECT hilo_attach('old', 'id');
CREATE TABLE new (id bigint DEFAULT hilo_next('old'));
SELECT hilo_move('old', 'new');
SELECT triggers('new');
SELECT hilo_detach('new', 'id');
SELECT triggers('new');

-- partitions and children
CREATE TABLE parted (part int, id bigint) PARTITION BY LIST (part);
CREATE TABLE parted_1 (id bigint, part int);
ALTER TABLE parted ATTACH PARTITION parted_1 FOR VALUES IN (1);
CREATE TABLE parent (id bigint);
CREATE TABLE child (note text) INHERITS (parent);
SELECT hilo_attach('parted', 'id'), hilo_attach('parent', 'id');
INSERT INTO parted VALUES (1, 10);
INSERT INTO child VALUES (20);
INSERT INTO parted (part) VALUES (1) RETURNING id;
INSERT INTO parent DEFAULT VALUES RETURNING id;

SET client_min_messages = warning;
DROP SCHEMA fd CASCADE;
SET search_path = public;
SELECT count(hilo_drop(name)) > 0 AS dropped FROM hilo_generators();
DROP ROLE regress_hilo_clerk;
