-- A call for many columns goes on after the error of one, but ends with a cancel
SET client_min_messages = warning;
CREATE FUNCTION fail() RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('fail.state', true) <> '' THEN
		RAISE 'failed' USING ERRCODE = current_setting('fail.state');
	END IF;
	RETURN true;
END $$;
CREATE TABLE failing (id bigint DEFAULT hilo_next('failing'));
CREATE TABLE working (id bigint DEFAULT hilo_next('working'));
CREATE INDEX ON failing (id) WHERE fail();
INSERT INTO working VALUES (40);

SET fail.state = '22012';
SELECT * FROM hilo_resync_all();

-- a cancel is known by its SQLSTATE, whatever reports it
INSERT INTO working VALUES (50);
SET fail.state = '57014';
SELECT * FROM hilo_resync_all();
SELECT last FROM hilo_generators() WHERE name = 'working';

RESET fail.state;
SELECT * FROM hilo_resync_all();
DROP TABLE failing, working;
DROP FUNCTION fail;
