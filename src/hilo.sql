\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;
SET LOCAL default_table_access_method TO heap;

-- Fails if the schema exists: all that is in it must be hilo's.
CREATE SCHEMA hilo_internal;
COMMENT ON SCHEMA hilo_internal IS 'tables and internal functions of hilo';

-- Else the first of them would fail without a hint; Makefile puts in their names.
DO $$
DECLARE
	namesake text := (
		SELECT min(p.oid::regprocedure::text COLLATE "C") FROM pg_proc p JOIN pg_extension ON extnamespace = pronamespace
		 WHERE extname = 'hilo' AND proname = ANY ('{@functions@}'));
BEGIN
	IF namesake IS NOT NULL THEN
		RAISE duplicate_function USING
			MESSAGE = format('function %s already exists', namesake),
			HINT = 'Run CREATE SCHEMA hilo, and CREATE EXTENSION hilo SCHEMA hilo.';
	END IF;
END $$;

-- Name of a generator: a text, or the OID of a table, which a dump writes as
-- its name.
CREATE TYPE hilo_internal.hilo_key;
CREATE FUNCTION hilo_internal.hilo_key_in(cstring) RETURNS hilo_internal.hilo_key
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE FUNCTION hilo_internal.hilo_key_out(hilo_internal.hilo_key) RETURNS cstring
	LANGUAGE C STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
CREATE TYPE hilo_internal.hilo_key (
	INPUT = hilo_internal.hilo_key_in, OUTPUT = hilo_internal.hilo_key_out, LIKE = text, COLLATABLE = true);
CREATE CAST (hilo_internal.hilo_key AS text) WITHOUT FUNCTION AS IMPLICIT;
