-- Columns put on a generator: tables of all kinds.
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/attach_setup.sql'
\i :setup

-- tables of all kinds
CREATE TEMP TABLE temporary (id bigserial);
SELECT hilo_attach('temporary', 'id');
INSERT INTO temporary VALUES (5);
INSERT INTO temporary DEFAULT VALUES RETURNING id;
SELECT hilo_detach('temporary', 'id');
CREATE TEMP TABLE temporary_key (id bigint PRIMARY KEY);
SELECT hilo_attach('temporary_key', 'id');
SELECT hilo_attach('temporary', 'id', 'temporary'), hilo_detach('temporary', 'id');
ALTER SEQUENCE pg_temp.temporary_id_seq OWNED BY NONE;
SELECT hilo_attach('temporary', 'id', 'temporary'), hilo_detach('temporary', 'id');
INSERT INTO temporary DEFAULT VALUES RETURNING id;
CREATE UNLOGGED TABLE unlogged (id bigint);
SELECT hilo_attach('unlogged', 'id'), hilo_detach('unlogged', 'id');
SELECT relname, relpersistence FROM pg_class WHERE relname LIKE 'unlogged%seq';
CREATE VIEW a_view AS SELECT 1::bigint AS id;
CREATE MATERIALIZED VIEW a_matview AS SELECT 1::bigint AS id;
CREATE FOREIGN DATA WRAPPER nowhere;
CREATE SERVER nowhere FOREIGN DATA WRAPPER nowhere;
CREATE FOREIGN TABLE a_foreign (id bigint) SERVER nowhere;
CREATE TABLE a_table (id bigint, note text);
CREATE TABLE far_away (id bigint) PARTITION BY LIST (id);
CREATE FOREIGN TABLE far_away_1 PARTITION OF far_away FOR VALUES IN (1) SERVER nowhere;
SELECT hilo_attach('a_view', 'id');
SELECT hilo_attach('a_matview', 'id');
SELECT hilo_attach('a_foreign', 'id');
SELECT hilo_attach('pg_class', 'relnatts');
SELECT hilo_attach('hilo_internal.hilo_hi', 'reserved');
SELECT hilo_attach('a_table', 'none');
SELECT hilo_attach('a_table', 'ctid');
SELECT hilo_attach('a_table', 'note');
SELECT hilo_attach(0, 'id');
SELECT hilo_attach(NULL, 'id');
SELECT hilo_attach('a_table', NULL);
SELECT hilo_detach('a_table', NULL);
SELECT hilo_resync(NULL, 'id');
SELECT hilo_generator_of('a_table', 'none');
SELECT hilo_generator_of(0, 'id');
SELECT (SELECT hilo_generator_of('a_table', 'id')) IS NULL AS none;
SELECT hilo_resync('a_table', 'id');
SELECT hilo_attach('a_table', 'id', '');
SELECT hilo_attach('far_away', 'id');
SELECT count(*) FROM hilo_generators() WHERE name IN ('a_table', 'far_away');
BEGIN READ ONLY;
SELECT hilo_attach('a_table', 'id', 'x');
ROLLBACK;
INSERT INTO a_table VALUES (1);
-- a table that the caller reads
SELECT hilo_attach('a_table', 'id', 'a_table') FROM a_table;

DROP TABLE pg_temp.temporary, pg_temp.temporary_key;
SET client_min_messages = warning;
DROP FOREIGN DATA WRAPPER nowhere CASCADE;

\set teardown :srcdir '/sql/include/attach_teardown.sql'
\i :teardown
