-- A column that is widened: its generator ended with the type, and goes on by another hilo_attach.
SET hilo.prefetch = off;
CREATE SCHEMA aw;
SET search_path = aw, public;
CREATE ROLE regress_hilo_clerk;
GRANT USAGE, CREATE ON SCHEMA aw TO regress_hilo_clerk;
\set check 'SELECT rel, col, problem, detail, hint, round(used_ratio::numeric, 2) AS used FROM hilo_check()'

CREATE TABLE orders (id int PRIMARY KEY, no smallint);
SELECT hilo_attach('orders', 'id');
SELECT hilo_attach('orders', 'id');
SELECT hilo_seed('orders', 2147483646);
INSERT INTO orders DEFAULT VALUES RETURNING id;
:check;
ALTER TABLE orders ALTER id TYPE bigint;
INSERT INTO orders DEFAULT VALUES;
:check;
SELECT 'SELECT ' || substring(hint FROM 'run (hilo_attach.*)[.]') FROM hilo_check() WHERE problem IS NULL \gexec
INSERT INTO orders DEFAULT VALUES RETURNING id;
:check;
SELECT max_value FROM hilo_generators();

-- smallint to int, of an owner who is no superuser
SET ROLE regress_hilo_clerk;
CREATE TABLE few (id smallint PRIMARY KEY);
SELECT hilo_attach('few', 'id');
ALTER TABLE few ALTER id TYPE int;
:check WHERE rel = 'few'::regclass;
SELECT hilo_attach('few', 'id');
SELECT max_value FROM hilo_generators() WHERE name = 'few';
-- not while another column that draws from it is as narrow
CREATE TABLE narrow (no smallint);
SELECT hilo_attach('narrow', 'no', 'few');
RESET ROLE;

ALTER TABLE few ALTER id TYPE bigint;
SELECT hilo_attach('few', 'id');
:check WHERE rel = 'few'::regclass;
SELECT max_value FROM hilo_generators() WHERE name = 'few';
-- a new column in the place of a narrow one; not if the generator was given that end before its first id
CREATE TABLE taker (id int PRIMARY KEY, new_id bigint);
SELECT hilo_attach('taker', 'id');
INSERT INTO taker (new_id) VALUES (1);
ALTER TABLE taker DROP id;
ALTER TABLE taker RENAME new_id TO id;
SELECT hilo_attach('taker', 'id');
CREATE TABLE given (id bigint PRIMARY KEY);
SELECT hilo_create('#given', max_value => 2147483647), hilo_attach('given', 'id');
SELECT name, max_value FROM hilo_generators() WHERE name IN ('taker', 'given') ORDER BY 1;
-- nor one that ends elsewhere, or there before the column draws from it, or that an ORM draws from
SELECT hilo_create('ends', max_value => 1000), hilo_create('as int', max_value => 2147483647);
CREATE TABLE ends (id bigint, no bigint);
SELECT hilo_attach('ends', 'id', 'ends'), hilo_attach('ends', 'no', 'as int');
SELECT hilo_attach('ends', 'id');
:check WHERE rel = 'ends'::regclass;
SELECT name, max_value FROM hilo_generators() WHERE name IN ('ends', 'as int') ORDER BY 1;
CREATE SEQUENCE taken AS int INCREMENT 10;
CREATE TABLE taken_rows (id bigint);
SELECT hilo_adopt_sequence('taken_rows', 'id', 'taken', 'efcore', 10);
:check WHERE rel = 'taken_rows'::regclass;
CREATE TABLE shown (id bigint DEFAULT hilo_next('shown'));
SELECT hilo_create('#shown', 'scattered', domain_bits => 31);
:check WHERE rel = 'shown'::regclass;

SET client_min_messages = warning;
DROP SCHEMA aw CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP ROLE regress_hilo_clerk;
