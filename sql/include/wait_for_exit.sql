\set ECHO none
-- Wait until a backend has ended
CREATE FUNCTION wait_for_exit(backend int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = backend) LOOP
		PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
	END LOOP;
END $$;
\set ECHO all
