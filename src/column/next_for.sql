CREATE FUNCTION hilo_internal.hilo_column_generator(rel regclass, col name)
RETURNS text LANGUAGE C AS 'MODULE_PATHNAME';

-- A plan takes both of these apart.
CREATE FUNCTION @extschema@.hilo_next_for(rel regclass)
RETURNS int8 LANGUAGE sql RETURN @extschema@.hilo_next_tag(hilo_internal.hilo_column_generator(rel, ''));
COMMENT ON FUNCTION @extschema@.hilo_next_for IS
	'return the next id of the generator that a column of the table draws from';

CREATE FUNCTION @extschema@.hilo_generator_of(rel regclass, col name)
RETURNS text LANGUAGE sql RETURN hilo_internal.hilo_column_generator(rel, col);
COMMENT ON FUNCTION @extschema@.hilo_generator_of IS
	'return the name of the generator that a column draws from, or null';
