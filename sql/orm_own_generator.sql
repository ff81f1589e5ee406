/*
 * A table's own generator with ranges from the source of an ORM
 */
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE SCHEMA hers AUTHORIZATION regress_hilo_owner;
CREATE VIEW made AS SELECT name, ordering, last FROM hilo_generators() WHERE ordering = 'adopted';

-- a sequence next to the table, made like by EF Core and Hibernate: rows that the ORM has written are passed
CREATE TABLE books (id bigint PRIMARY KEY, title text);
CREATE SEQUENCE books_seq INCREMENT 10;
INSERT INTO books SELECT v + i FROM nextval('books_seq') v, generate_series(0, 2) i;
SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore', 10);
SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'books'::regclass;
SELECT * FROM made;
SELECT * FROM hilo_sources();
INSERT INTO books (title) VALUES ('a') RETURNING id;
SELECT nextval('books_seq'), hilo_next('books'), low FROM hilo_next_range('books', 5);
SELECT hilo_generator_of('books', 'id'), count(*) FILTER (WHERE problem <> '') AS problems FROM hilo_check('books');
-- again just so, nothing changes; with another block, or another source, ids go on above
SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore', 10);
INSERT INTO books (title) VALUES ('b') RETURNING id;
SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore', 20);
ALTER SEQUENCE books_seq INCREMENT 20;
SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore', 20);
INSERT INTO books (title) VALUES ('c') RETURNING id, (SELECT block FROM hilo_sources());
CREATE SEQUENCE other_seq INCREMENT 10;
SELECT hilo_adopt_sequence('books', 'id', 'other_seq', 'efcore');
INSERT INTO books (title) VALUES ('d') RETURNING id, (SELECT source FROM hilo_sources());
-- rolled back, it draws from the source of before
BEGIN;
SELECT hilo_adopt_sequence('books', 'id', 'books_seq', 'efcore');
SAVEPOINT s;
INSERT INTO books (title) VALUES ('e');
ROLLBACK TO s;
SELECT source FROM hilo_sources();
ROLLBACK;
INSERT INTO books (title) VALUES ('e') RETURNING id, (SELECT source FROM hilo_sources());
-- ids that rows bring are not followed
SELECT hilo_attach('books', 'id', follow => true);
INSERT INTO books VALUES (500, 'f');
SELECT problem, hint FROM hilo_check('books');
SELECT hilo_resync('books', 'id') >= 500 AS raised;
INSERT INTO books (title) VALUES ('g') RETURNING id;
-- it is renamed with its table, and goes with it
ALTER TABLE books RENAME TO volumes;
ALTER TABLE volumes SET SCHEMA hers;
SELECT name FROM made;
INSERT INTO hers.volumes (title) VALUES ('h') RETURNING id;
SELECT hilo_rename('hers.volumes', 'books');
SELECT hilo_drop('hers.volumes');
BEGIN;
DROP TABLE hers.volumes;
SELECT count(*) FROM hilo_internal.hilo_source;
ROLLBACK;
INSERT INTO hers.volumes (title) VALUES ('i') RETURNING id;
-- a copy that takes its place has the source, too
CREATE TABLE hers.copy (LIKE hers.volumes INCLUDING ALL);
SELECT hilo_move('hers.volumes', 'hers.copy');
DROP TABLE hers.volumes;
SELECT name, source FROM hilo_sources();
INSERT INTO hers.copy (title) VALUES ('j') RETURNING id;
DROP TABLE hers.copy;
SELECT count(*) FROM hilo_internal.hilo_source;

-- its own serial sequence stays when the default no longer calls it
CREATE TABLE authors (id bigserial PRIMARY KEY, name text);
ALTER SEQUENCE authors_id_seq INCREMENT 50;
INSERT INTO authors VALUES (DEFAULT, 'a') RETURNING id;
SELECT hilo_adopt_sequence('authors', 'id', 'authors_id_seq', 'hibernate-pooled', 50);
SELECT pg_get_serial_sequence('authors', 'id'), pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'authors'::regclass;
INSERT INTO authors VALUES (DEFAULT, 'b') RETURNING id;
SELECT nextval('authors_id_seq');
INSERT INTO authors SELECT FROM generate_series(1, 60);
SELECT count(*), count(DISTINCT id) FROM authors;
-- a table that is dropped takes it along, and one of that name has its own ids
DROP TABLE authors;
CREATE TABLE authors (id bigint PRIMARY KEY DEFAULT hilo_next('authors'));
INSERT INTO authors DEFAULT VALUES RETURNING id;
-- its generator is there already, and is no ORM's
CREATE SEQUENCE authors_seq INCREMENT 50;
SELECT hilo_adopt_sequence('authors', 'id', 'authors_seq', 'hibernate-pooled', 50);
SELECT hilo_create('hers.authors'), hilo_drop('hers.authors');
DROP TABLE authors;

-- a row of a table
CREATE TABLE hibernate_sequences (sequence_name text PRIMARY KEY, next_val bigint);
INSERT INTO hibernate_sequences VALUES ('default', 101);
CREATE TABLE pens (id int PRIMARY KEY, ink text);
INSERT INTO pens VALUES (90);
SELECT hilo_adopt_table('pens', 'id', 'hibernate_sequences', 'hibernate-table-pooled-lo', 50, key_value => 'default');
INSERT INTO pens (ink) VALUES ('blue') RETURNING id;
TABLE hibernate_sequences;
-- without a value, the key is the table's name; no row is made beside those of other keys
SELECT hilo_adopt_table('pens', 'id', 'hibernate_sequences', 'hibernate-table-pooled-lo', 50);
INSERT INTO public.hibernate_sequences (sequence_name, next_val) VALUES ('pens', 0);
SELECT hilo_adopt_table('pens', 'id', 'hibernate_sequences', 'hibernate-table-pooled-lo', 50);
INSERT INTO pens (ink) VALUES ('blue') RETURNING id;
SELECT name, key_value, block FROM hilo_sources();
SELECT max_value FROM hilo_generators() WHERE name = 'pens';

-- the whole of a partitioned table, and never also a part of it
CREATE TABLE logs (id bigint) PARTITION BY RANGE (id);
CREATE TABLE logs_1 PARTITION OF logs FOR VALUES FROM (0) TO (1000);
SELECT hilo_adopt_sequence('logs', 'id', 'other_seq', 'efcore');
INSERT INTO logs DEFAULT VALUES RETURNING id, hilo_next('logs');
INSERT INTO logs_1 DEFAULT VALUES RETURNING id;
SELECT hilo_adopt_sequence('logs_1', 'id', 'other_seq', 'efcore');
DROP TABLE logs;

-- what is no table's, or not the caller's, is refused, and nothing is left of it
CREATE TEMP TABLE fleeting (id bigint PRIMARY KEY);
CREATE VIEW seen AS TABLE pens;
CREATE TABLE plain (id bigint PRIMARY KEY, t text);
SELECT hilo_adopt_sequence('fleeting', 'id', 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('seen', 'id', 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('plain', 't', 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('plain', 'none', 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore', 20);
SELECT hilo_adopt_sequence(NULL, 'id', 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('plain', NULL, 'other_seq', 'efcore');
SELECT hilo_adopt_sequence('plain', 'id', NULL, 'efcore');
BEGIN READ ONLY;
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore');
ROLLBACK;
SELECT hilo_create('##plain');
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore');
SELECT hilo_drop('##plain');
ALTER TABLE plain OWNER TO regress_hilo_owner;
GRANT ALL ON plain TO regress_hilo_app;
GRANT ALL ON SEQUENCE other_seq TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore');
-- the table's owner needs the source, too
SET ROLE regress_hilo_owner;
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore');
SELECT hilo_adopt_table('plain', 'id', 'hibernate_sequences', 'hibernate-table', 50);
RESET ROLE;
SELECT name FROM made;
SELECT count(*) FROM pg_attrdef WHERE adrelid = 'plain'::regclass;

-- roles that may insert draw by the rights of the table's owner, who needs no CREATE on the database
ALTER SEQUENCE other_seq OWNER TO regress_hilo_owner;
REVOKE ALL ON SEQUENCE other_seq FROM regress_hilo_app;
SET ROLE regress_hilo_owner;
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore');
SET ROLE regress_hilo_app;
INSERT INTO plain (t) VALUES ('a') RETURNING id;
SELECT nextval('other_seq');
SELECT hilo_next('plain');
SELECT hilo_adopt_sequence('plain', 'id', 'other_seq', 'efcore', 10);
RESET ROLE;
REVOKE INSERT ON plain FROM regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT hilo_next('plain');
RESET ROLE;
-- another owner of the table is another actor
ALTER TABLE plain OWNER TO regress_hilo_app;
SET ROLE regress_hilo_app;
SELECT count(hilo_next('plain')) FROM generate_series(1, 30);
RESET ROLE;

DROP VIEW seen, made;
DROP TABLE plain, pens, hibernate_sequences, fleeting;
DROP SCHEMA hers;
DROP SEQUENCE books_seq, other_seq, authors_seq;
SELECT count(*) FROM hilo_internal.hilo_source;
DROP ROLE regress_hilo_owner, regress_hilo_app;
