CREATE FUNCTION @extschema@.hilo_next_for(rel regclass)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_next_for IS
	'the next id of the generator behind the default of a table''s column';

CREATE FUNCTION @extschema@.hilo_generator_of(rel regclass, col name)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_generator_of IS
	'the name of the generator in the default of a column, null if there is none';
