CREATE FUNCTION @extschema@.hilo_release(name text DEFAULT NULL)
RETURNS int8 LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_release IS
	'return what this session holds of a generator, or of all generators, at once';

CREATE FUNCTION @extschema@.hilo_session(
	OUT name text, OUT current int8, OUT next int8, OUT high int8,
	OUT node_tag text)
RETURNS SETOF record LANGUAGE C AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_session IS 'list what this session holds';
