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
-- whether a role may run a statement, and take an id by a call
CREATE FUNCTION may(role text, statement text DEFAULT 'SELECT hilo_next(''orders'')') RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', role, true);
	EXECUTE statement;
	PERFORM set_config('role', 'none', true);
	RETURN 'yes';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

\set ECHO all
