\set ECHO none
-- Whether a role may run a statement
CREATE FUNCTION may(role text, statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	PERFORM set_config('role', role, true);
	EXECUTE statement;
	PERFORM set_config('role', 'none', true);
	RETURN 'yes';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
\set ECHO all
