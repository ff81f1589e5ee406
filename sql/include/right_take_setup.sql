\set ECHO none
-- What the files about rights to a table's own generator begin with
SET client_min_messages = warning;
SET hilo.prefetch = off;
CREATE ROLE regress_hilo_owner;
CREATE ROLE regress_hilo_app;
CREATE ROLE regress_hilo_bob;
CREATE SCHEMA rights;
GRANT ALL ON SCHEMA rights TO regress_hilo_owner, regress_hilo_bob;
GRANT USAGE ON SCHEMA rights TO regress_hilo_app;
SET search_path = rights, public;
\ir may.sql
\set ECHO none
-- whether a role may take an id by a call
CREATE FUNCTION may(role text) RETURNS text LANGUAGE sql
	RETURN may(role, 'SELECT hilo_next(''orders'')');
\set ECHO all
