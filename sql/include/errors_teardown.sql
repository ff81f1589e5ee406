\set ECHO none
-- nothing of all that has changed anything
SELECT name, last FROM hilo_generators() WHERE name IN ('orders', 'invoices', 'few') ORDER BY name;
SELECT count(*) FROM hilo_generators() WHERE name IN ('new', 'half', 'dropped', 'ordres');
SET client_min_messages = warning;
DROP TABLE plain;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END';
DROP OWNED BY regress_hilo_user;
DROP ROLE regress_hilo_user, regress_hilo_gone;
DROP FUNCTION pg_temp.errors, pg_temp.error_of;
DROP TABLE condition;
\set ECHO all
