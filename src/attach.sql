CREATE FUNCTION @extschema@.hilo_next_for(
	rel pg_catalog.regclass)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next_for IS
	'the next id of the generator behind the default of a table''s column';
