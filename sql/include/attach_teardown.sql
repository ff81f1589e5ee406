\set ECHO none
SET client_min_messages = warning;
DROP SCHEMA at CASCADE;
SET search_path = public;
DO 'BEGIN PERFORM hilo_drop(name) FROM hilo_generators(); END';
DROP OWNED BY regress_hilo_clerk, regress_hilo_other;
DROP ROLE regress_hilo_clerk, regress_hilo_other;
\set ECHO all
