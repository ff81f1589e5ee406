CREATE FUNCTION @extschema@.hilo_generator_of(rel regclass, col name)
RETURNS SETOF text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_generator_of IS
	'list the generators or the sequence that a column draws from';
