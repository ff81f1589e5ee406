\set ECHO none
-- What comes of a statement: 'done', or its error
CREATE FUNCTION pg_temp.try(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'done';
EXCEPTION WHEN OTHERS THEN
	RETURN concat_ws(' ', SQLSTATE, SQLERRM);
END $$;
\set ECHO all
