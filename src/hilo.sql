\echo Use "CREATE EXTENSION hilo" to load this file. \quit

SET LOCAL search_path TO pg_catalog, pg_temp;
SET LOCAL default_table_access_method TO heap;

-- Fails if the schema exists: all that is in it must be hilo's.
CREATE SCHEMA hilo_internal;
COMMENT ON SCHEMA hilo_internal IS 'tables and internal functions of hilo';

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
