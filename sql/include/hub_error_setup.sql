\set ECHO none
-- What the files about errors of a hub begin with
CREATE FUNCTION error_of(command text, OUT state text, OUT message text, OUT detail text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	-- which says where
	detail = CASE WHEN state = '08001' THEN (detail <> '')::text ELSE detail END;
END $$;
\ir hub_setup.sql
