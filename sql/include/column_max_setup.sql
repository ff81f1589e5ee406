\set ECHO none
-- What the files about the greatest value of a column begin with
SET hilo.prefetch = off;
SET client_min_messages = warning;
CREATE SCHEMA cm;
SET search_path = cm, public;
CREATE ROLE regress_hilo_clerk;
GRANT CREATE, USAGE ON SCHEMA cm TO regress_hilo_clerk;
\set ECHO all
