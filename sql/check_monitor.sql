/*
 * hilo_check by a role that watches: it names what the role may not read, and the role of
 * monitoring.md may read all
 */
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cm;
SET search_path = cm, public;
CREATE ROLE regress_hilo_monitor;
GRANT pg_monitor TO regress_hilo_monitor;
GRANT USAGE ON SCHEMA cm TO regress_hilo_monitor;
\set check 'SELECT rel, col, problem, detail, round(used_ratio::numeric, 2) AS used, sequence FROM hilo_check()'
CREATE TABLE plain (id serial PRIMARY KEY);
CREATE TABLE keyed (id int PRIMARY KEY);
CREATE TABLE refers (id smallint PRIMARY KEY, keyed_id smallint REFERENCES keyed);
CREATE TABLE drawn (id bigint PRIMARY KEY DEFAULT hilo_next('drawn'), no bigint DEFAULT hilo_next_tag('numbers'), code text DEFAULT hilo_next_id('codes'));
CREATE TABLE secured (id int PRIMARY KEY);
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE TABLE grouped (k int, no int);
CREATE TRIGGER no BEFORE INSERT ON grouped FOR EACH ROW EXECUTE FUNCTION hilo_number_assign('no', 'global', 'k');
CREATE SEQUENCE free AS int;
INSERT INTO keyed VALUES (20000);
INSERT INTO secured VALUES (2000000000);
INSERT INTO drawn DEFAULT VALUES;
INSERT INTO drawn VALUES (1000);
INSERT INTO grouped VALUES (1);
SELECT setval('free', 2000000000), setval('plain_id_seq', 2100000000);

SET ROLE regress_hilo_monitor;
:check;
RESET ROLE;
GRANT pg_read_all_data TO regress_hilo_monitor;
SET ROLE regress_hilo_monitor;
:check;
RESET ROLE;
ALTER ROLE regress_hilo_monitor BYPASSRLS;
SET ROLE regress_hilo_monitor;
:check WHERE rel = 'secured'::regclass;
RESET ROLE;

DROP SCHEMA cm CASCADE;
SELECT count(hilo_drop(name)) FROM hilo_generators();
DROP ROLE regress_hilo_monitor;
