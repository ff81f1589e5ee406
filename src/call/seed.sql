CREATE FUNCTION @extschema@.hilo_seed(name text, value int8,
	force bool DEFAULT false)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_seed IS
	'raise last to value, so that the next id lies above it, and return the resulting last';
