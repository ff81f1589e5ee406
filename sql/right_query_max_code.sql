/*
 * The greatest value of a column: code of the table's owner runs as the owner, restricted
 */
\getenv srcdir PG_ABS_SRCDIR
\set setup :srcdir '/sql/include/column_max_setup.sql'
\i :setup
-- code of a table's owner runs as the owner, restricted
CREATE FUNCTION tell() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	CREATE TEMP TABLE mine ();
	RAISE 'not restricted';
EXCEPTION WHEN insufficient_privilege THEN
	RAISE '% in %: %', current_user, current_setting('search_path'), SQLERRM;
END $$;
CREATE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT true';
CREATE TABLE owned (id bigint DEFAULT hilo_next('cm.owned'));
ALTER TABLE owned OWNER TO regress_hilo_clerk;
CREATE INDEX ON owned (id) WHERE cm.tell(1);
INSERT INTO owned VALUES (77);
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE sql AS 'SELECT cm.tell()';
\set SHOW_CONTEXT never
INSERT INTO owned DEFAULT VALUES;
SELECT current_user = session_user AS same, current_setting('search_path');
-- and may be the first to use the generator itself
CREATE OR REPLACE FUNCTION tell(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('cm.told', true) IS NULL THEN
		PERFORM set_config('cm.told', 'yes', true), public.hilo_next('cm.owned');
	END IF;
	RETURN true;
END $$;
INSERT INTO owned DEFAULT VALUES RETURNING id;
-- and the session ends, which has the generator once
CREATE FUNCTION ends(ended int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
	FOR i IN 1 .. 600 LOOP
		PERFORM pg_stat_clear_snapshot(), pg_sleep(0.02);
		IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ended) THEN
			RETURN true;
		END IF;
	END LOOP;
	RETURN false;
END $$;
SELECT pg_backend_pid() AS pid \gset
\c -
SET client_min_messages = warning;
SELECT cm.ends(:pid);
DROP SCHEMA cm CASCADE;
DROP ROLE regress_hilo_clerk;
