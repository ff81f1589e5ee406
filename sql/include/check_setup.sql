\set ECHO none
-- What the files about hilo_check begin with
SET hilo.prefetch = off;
CREATE SCHEMA ch;
SET search_path = ch, public;
CREATE ROLE regress_hilo_clerk;
CREATE ROLE regress_hilo_other;
GRANT USAGE, CREATE ON SCHEMA ch TO PUBLIC;
\set check 'SELECT rel, col, generator, problem, detail, hint, round(used_ratio::numeric, 2) AS used FROM hilo_check()'
-- a table with which nothing is wrong
CREATE TABLE orders (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, item text);
INSERT INTO orders (item) VALUES ('pen'), ('ink');
SET client_min_messages = warning;
DO 'BEGIN PERFORM hilo_attach(''orders'', ''id'', ''orders'', false); END';
RESET client_min_messages;
\set ECHO all
