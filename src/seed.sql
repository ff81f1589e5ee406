CREATE FUNCTION @extschema@.hilo_seed(
	name pg_catalog.text,
	value pg_catalog.int8,
	force pg_catalog.bool DEFAULT false)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_seed IS
	'raises the last id of a generator, or sets it if forced, and gives the result';
