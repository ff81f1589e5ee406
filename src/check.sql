CREATE FUNCTION @extschema@.hilo_check(
	OUT rel pg_catalog.regclass,
	OUT col pg_catalog.name,
	OUT generator pg_catalog.text,
	OUT problem pg_catalog.text,
	OUT detail pg_catalog.text,
	OUT hint pg_catalog.text,
	OUT used_ratio pg_catalog.float8,
	OUT days_to_exhaustion pg_catalog.float8)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_check IS
	'every column whose default is a generator, and what is wrong with it';
