\set ECHO none
-- What the files about errors begin with: each INSERT INTO condition has commands that fail, and
-- errors() runs them, one after the other, and shows SQLSTATE, message, detail and hint
CREATE FUNCTION pg_temp.error_of(command text, OUT state text, OUT message text,
                                 OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE command;
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;
CREATE TEMP TABLE condition (n int GENERATED ALWAYS AS IDENTITY, condition text, command text);
CREATE FUNCTION pg_temp.errors() RETURNS SETOF text LANGUAGE plpgsql SET client_min_messages = error AS $$
DECLARE
	c record;
	e record;
BEGIN
	FOR c IN SELECT * FROM condition ORDER BY n LOOP
		e := pg_temp.error_of(c.command);
		-- but for what libpq says
		RETURN NEXT concat_ws(E'\n    ', c.condition, e.state || ': ' || e.message,
			'DETAIL: ' || replace(CASE WHEN e.state <> '08001' THEN nullif(e.detail, '') END, format('"%s"', session_user), '"postgres"'),
			'HINT: ' || regexp_replace(nullif(e.hint, ''), '#\d+', '#N'));
	END LOOP;
END $$;

CREATE ROLE regress_hilo_user;
CREATE ROLE regress_hilo_gone;
GRANT CREATE ON DATABASE :DBNAME TO regress_hilo_user;
SET hilo.prefetch = off;
SET client_min_messages = error;
\o /dev/null
SELECT hilo_create('orders', max_value => 1000, range_size => 10, max_range_size => 100);
SELECT hilo_next_tag('orders', 10);
SELECT hilo_create('few', max_value => 3), hilo_create('vast', first => 9223372036854775806);
SELECT hilo_next_tag('few', 3);
SELECT hilo_create('invoices'), hilo_grant('orders', 'public');
\o
RESET client_min_messages;
CREATE TABLE plain (id bigint, data text);
\set ECHO all
