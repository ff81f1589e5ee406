CREATE FUNCTION @extschema@.hilo_source_block(
	style text, value int8, block int8, initial int8 DEFAULT 1, OUT low int8,
	OUT high int8)
RETURNS record LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.hilo_source_block IS
	'return the ids that the ORM takes for a value of its source: the result of nextval, or the value in its row';
