CREATE FUNCTION @extschema@.hilo_seed(name text, value int8,
	force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_seed IS
	'raise the last id of a generator to a value, and return the resulting last id';
