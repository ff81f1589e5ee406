-- ALTER SEQUENCE of a followed one: rows above its old end join; options with which it cannot follow are named.
CREATE SCHEMA js;
SET search_path = js, public;
CREATE FUNCTION last(rel regclass) RETURNS bigint LANGUAGE sql AS $$
	SELECT pg_sequence_last_value(hilo_generator_of(rel, 'id')::regclass)
$$;
-- the column is wider, and has ids that the sequence could not give
CREATE TABLE wide (id serial PRIMARY KEY);
SELECT hilo_attach('wide', 'id');
ALTER TABLE wide ALTER id TYPE bigint;
INSERT INTO wide VALUES (3000000000);
SELECT problem, detail, hint FROM hilo_check('wide');
ALTER SEQUENCE js.wide_id_seq AS bigint;
INSERT INTO wide DEFAULT VALUES RETURNING id;
SELECT problem, detail, hint FROM hilo_check('wide');
-- a block that grows, also by the column; of an identity, in a partition; rows outside it are not counted
CREATE TABLE block (id bigserial PRIMARY KEY);
CREATE TABLE identity (id bigint GENERATED ALWAYS AS IDENTITY (MAXVALUE 100), part int DEFAULT 1) PARTITION BY LIST (part);
CREATE TABLE identity_1 PARTITION OF identity FOR VALUES IN (1);
ALTER SEQUENCE block_id_seq MAXVALUE 100;
SELECT hilo_attach('block', 'id'), hilo_attach('identity', 'id');
INSERT INTO block VALUES (150), (5000);
INSERT INTO identity (id) OVERRIDING SYSTEM VALUE VALUES (1), (150), (5000);
ALTER SEQUENCE block_id_seq MAXVALUE 1000;
ALTER TABLE identity ALTER id SET MAXVALUE 1000;
INSERT INTO block DEFAULT VALUES RETURNING id;
INSERT INTO identity DEFAULT VALUES RETURNING id;
ALTER SEQUENCE block_id_seq MAXVALUE 200;
SELECT last('block');
-- a restart, and what was set back before a change of owner's, stay
ALTER SEQUENCE block_id_seq RESTART 10 MAXVALUE 2000;
INSERT INTO block DEFAULT VALUES RETURNING id;
ALTER TABLE identity ALTER id RESTART;
SELECT last('identity');
-- the end, and with it the raise, is the transaction's
BEGIN;
INSERT INTO block VALUES (2500);
ALTER SEQUENCE block_id_seq MAXVALUE 3000;
SELECT last('block');
ROLLBACK;
SELECT last('block');
-- a sequence that nobody has attached is as in core
CREATE TABLE plain (id serial PRIMARY KEY);
ALTER TABLE plain ALTER id TYPE bigint;
INSERT INTO plain VALUES (3000000000);
ALTER SEQUENCE plain_id_seq AS bigint CACHE 50;
INSERT INTO plain DEFAULT VALUES RETURNING id;

-- CACHE, CYCLE, a negative INCREMENT, also of an identity; with the hint it follows again
CREATE TABLE t (id bigserial PRIMARY KEY);
SELECT hilo_attach('t', 'id');
ALTER SEQUENCE t_id_seq CACHE 50;
SELECT problem, detail, hint FROM hilo_check('t');
ALTER SEQUENCE js.t_id_seq CACHE 1;
ALTER SEQUENCE t_id_seq CYCLE;
SELECT problem, detail, hint FROM hilo_check('t');
ALTER SEQUENCE js.t_id_seq NO CYCLE;
ALTER SEQUENCE t_id_seq INCREMENT -1 MINVALUE -100;
SELECT problem, detail, hint FROM hilo_check('t');
ALTER SEQUENCE js.t_id_seq INCREMENT 1 NO MINVALUE NO MAXVALUE START 1 RESTART;
SELECT problem, detail, hint FROM hilo_check('t');
ALTER TABLE identity ALTER id SET CACHE 20;
SELECT problem, detail, hint FROM hilo_check('identity');
ALTER SEQUENCE js.identity_id_seq CACHE 1;
SELECT problem, detail, hint FROM hilo_check('identity');
-- two sites
ALTER SEQUENCE t_id_seq INCREMENT 2;
INSERT INTO t VALUES (10);
INSERT INTO t DEFAULT VALUES RETURNING id;

SET client_min_messages = warning;
DROP SCHEMA js CASCADE;
