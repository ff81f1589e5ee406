/*
 * hilo_check: keys and unique columns of integers with ids from elsewhere, with the share
 * of their type that is used, and sequences that no column has
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA ck;
SET search_path = ck, public;
\set check 'SELECT rel, col, problem, detail, hint, round(used_ratio::numeric, 3) AS used, sequence FROM hilo_check()'

-- Hibernate's tables: a key without a default, a sequence of blocks
CREATE SEQUENCE books_seq INCREMENT 50;
CREATE TABLE books (id int PRIMARY KEY, isbn bigint UNIQUE, shelf smallint, title text, UNIQUE (shelf, title));
CREATE SEQUENCE authors_seq AS int INCREMENT 50;
CREATE TABLE authors (id int PRIMARY KEY, name text);
CREATE TABLE book_author (book_id int, author_id int, PRIMARY KEY (book_id, author_id));
INSERT INTO books VALUES (-5), (1), (2100000001);
INSERT INTO authors VALUES (1200000000);
SELECT setval('books_seq', 2100000001), setval('authors_seq', 2000000000);
:check;
-- the hint, followed
ALTER TABLE books ALTER id TYPE bigint;
:check WHERE rel = 'books'::regclass;
-- each is asked once, by its index
\c -
SET search_path = ck, public;
BEGIN;
SELECT rel, col FROM hilo_check();
SELECT relname, seq_scan, idx_scan FROM pg_stat_xact_user_tables WHERE schemaname = 'ck' ORDER BY 1;
COMMIT;
SET client_min_messages = warning;
-- a sequence that an ORM takes blocks from is named once, until it is adopted
SELECT 'SELECT ' || replace(replace(replace(substring(hint FROM 'it: (.*), with'), 'TABLE', 'books'), 'COLUMN', 'id'), 'STYLE', 'hibernate-pooled')
  FROM hilo_check() WHERE sequence = 'books_seq'::regclass \gexec
:check WHERE 'books' IN (generator, rel::text) OR sequence = 'books_seq'::regclass;
-- if the column draws from hilo, the sequence is a second source of it
CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT hilo_next('orders'));
INSERT INTO orders DEFAULT VALUES RETURNING id;
CREATE SEQUENCE orders_hilo INCREMENT 10;
CREATE SEQUENCE orders_seq INCREMENT 10;
:check WHERE rel = 'orders'::regclass OR sequence::text LIKE 'orders%';
-- not where something of the database calls it
CREATE VIEW calls AS SELECT nextval('orders_hilo');
SELECT hint FROM hilo_check() WHERE sequence = 'orders_hilo'::regclass;
DROP TABLE books, authors, book_author, orders CASCADE;
DROP VIEW calls;
DROP SEQUENCE books_seq, authors_seq, orders_hilo, orders_seq;

-- which columns: not those of other types, of some rows, of expressions, the second one of a key
CREATE DOMAIN number AS int CHECK (VALUE > 0);
CREATE DOMAIN of_number AS number;
CREATE TABLE which (a of_number UNIQUE, b numeric(5) UNIQUE, c float UNIQUE, d text UNIQUE, e oid UNIQUE, f int, g int, h int UNIQUE,
	i smallint, PRIMARY KEY (i, g));
CREATE UNIQUE INDEX ON which (f) WHERE f > 5;
CREATE UNIQUE INDEX ON which ((g + 1));
CREATE UNIQUE INDEX ON which (i DESC NULLS LAST) INCLUDE (g);
INSERT INTO which (a, h, g, i) VALUES (1, 1073741823, 1, 5), (1073741824, NULL, 2, 6);
CREATE MATERIALIZED VIEW seen AS SELECT h FROM which;
CREATE UNIQUE INDEX ON seen (h);
:check;
-- both directions of an index, and rows that are gone or not yet committed
DELETE FROM which WHERE a = 1073741824;
BEGIN;
INSERT INTO which (a, g, i) VALUES (2000000000, 3, 32767);
:check WHERE used_ratio > 0;
ROLLBACK;
:check WHERE used_ratio > 0;
DROP TABLE which CASCADE;

-- partitions and children are asked with their table, if it is listed
CREATE TABLE parted (id int PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (0) TO (2000000000) PARTITION BY RANGE (id);
CREATE TABLE parted_1_1 PARTITION OF parted_1 FOR VALUES FROM (0) TO (2000000000);
CREATE UNIQUE INDEX ON parted_1_1 (id);
CREATE TABLE unkeyed (id int, k int) PARTITION BY LIST (k);
CREATE TABLE unkeyed_1 PARTITION OF unkeyed (PRIMARY KEY (id)) FOR VALUES IN (1);
CREATE TABLE above (id smallint PRIMARY KEY);
CREATE TABLE between_them () INHERITS (above);
CREATE TABLE below (PRIMARY KEY (id)) INHERITS (between_them);
CREATE TABLE serial (id serial);
CREATE TABLE serial_1 (PRIMARY KEY (id)) INHERITS (serial);
INSERT INTO parted VALUES (1900000000);
INSERT INTO unkeyed VALUES (1800000000, 1);
INSERT INTO below VALUES (30000);
:check;
SELECT problem FROM hilo_check('below') UNION ALL SELECT problem FROM hilo_check('parted_1_1');
DROP TABLE parted, unkeyed, above, serial CASCADE;

-- not those of an extension
CREATE EXTENSION hstore SCHEMA ck;
CREATE TABLE its (id int PRIMARY KEY, no serial);
CREATE SEQUENCE its_seq INCREMENT 10;
CREATE TABLE mine (its_id smallint REFERENCES its);
INSERT INTO its VALUES (20000);
ALTER EXTENSION hstore ADD TABLE its;
ALTER EXTENSION hstore ADD SEQUENCE its_seq;
:check;

DROP SCHEMA ck CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
