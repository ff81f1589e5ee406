\set ECHO none
-- What the files about planted objects begin with
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_bob;
CREATE ROLE regress_hilo_alice;
CREATE ROLE regress_hilo_web;
CREATE ROLE regress_hilo_both IN ROLE regress_hilo_bob;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_alice, regress_hilo_both;
CREATE SCHEMA bob AUTHORIZATION regress_hilo_bob;
GRANT USAGE ON SCHEMA bob TO PUBLIC;
CREATE SCHEMA shop AUTHORIZATION regress_hilo_alice;
GRANT USAGE ON SCHEMA shop TO PUBLIC;
\set ECHO all
