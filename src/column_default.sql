CREATE FUNCTION @extschema@.hilo_next_for(
	rel pg_catalog.regclass)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next_for IS
	'the next id of the generator behind the default of a table''s column';

CREATE FUNCTION @extschema@.hilo_generator_of(
	rel pg_catalog.regclass,
	col pg_catalog.name)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_generator_of IS
	'the name of the generator in the default of a column, null if there is none';
