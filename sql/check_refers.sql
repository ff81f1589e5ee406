/*
 * hilo_check: columns that refer to a key have the key's share, without a look at their rows
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cf;
SET search_path = cf, public;
CREATE ROLE regress_hilo_clerk;
\set check 'SELECT rel, col, problem, detail, hint, round(used_ratio::numeric, 3) AS used FROM hilo_check()'

-- an int column that refers to a bigint key, which has a sequence, a generator, or neither
CREATE TABLE customers (id bigserial PRIMARY KEY);
CREATE TABLE products (id bigint PRIMARY KEY);
CREATE TABLE stores (id bigint PRIMARY KEY DEFAULT hilo_next('stores'), code int UNIQUE);
CREATE TABLE orders (id bigint, customer_id int REFERENCES customers, product_id int REFERENCES products (id),
	store_id smallint REFERENCES stores, store_code bigint REFERENCES stores (code), parent bigint, PRIMARY KEY (id));
ALTER TABLE orders ADD FOREIGN KEY (parent) REFERENCES orders;
:check WHERE rel = 'orders'::regclass;
SELECT setval('customers_id_seq', 2000000000), hilo_create('#stores');
INSERT INTO products VALUES (1200000000);
SELECT hilo_seed('stores', 40000);
:check WHERE rel = 'orders'::regclass;
SELECT problem FROM hilo_check('orders') WHERE col = 'customer_id';
-- the table that refers is not read
\c -
SET client_min_messages = warning;
SET search_path = cf, public;
BEGIN;
SELECT count(*) FROM hilo_check('orders');
SELECT relname, seq_scan, idx_scan FROM pg_stat_xact_user_tables WHERE schemaname = 'cf' ORDER BY 1;
COMMIT;
-- the hint, followed
ALTER TABLE orders ALTER customer_id TYPE bigint;
:check WHERE col = 'customer_id';

-- a key that refers to another one; a part of a key; two parents
CREATE TABLE details (id int PRIMARY KEY REFERENCES products, note text);
CREATE TABLE notes (detail_id smallint REFERENCES details);
CREATE TABLE pairs (a int, b bigint, UNIQUE (a, b));
CREATE TABLE of_pairs (a int, b int REFERENCES products, FOREIGN KEY (a, b) REFERENCES pairs (a, b));
INSERT INTO details SELECT id FROM products;
INSERT INTO pairs VALUES (7, 8);
:check WHERE rel::text IN ('details', 'notes', 'pairs', 'of_pairs');
DROP TABLE details, notes, pairs, of_pairs;

-- constraints of partitions are their table's
CREATE TABLE parted (id int REFERENCES products, k int REFERENCES orders) PARTITION BY LIST (k);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
CREATE TABLE whole (id bigint PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE whole_1 PARTITION OF whole FOR VALUES FROM (0) TO (10000000000);
CREATE TABLE of_whole (id int REFERENCES whole);
INSERT INTO whole VALUES (1700000000);
:check WHERE rel::text ~ 'parted|whole';
DROP TABLE parted, whole, of_whole CASCADE;

-- a role that may not see the parent learns nothing but that
GRANT USAGE ON SCHEMA cf TO regress_hilo_clerk;
GRANT SELECT ON orders TO regress_hilo_clerk;
SET ROLE regress_hilo_clerk;
SELECT col, problem, detail, used_ratio FROM hilo_check('cf.orders');
RESET ROLE;

-- a chain of keys that refer, and tables that refer to each other
CREATE TABLE a (id int PRIMARY KEY);
CREATE TABLE b (id int PRIMARY KEY REFERENCES a);
ALTER TABLE a ADD FOREIGN KEY (id) REFERENCES b;
SELECT rel, col, used_ratio FROM hilo_check() WHERE rel::text IN ('a', 'b');

DROP SCHEMA cf CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP ROLE regress_hilo_clerk;
