CREATE FUNCTION @extschema@.artificial_id(collection text, VARIADIC key "any")
RETURNS text LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.artificial_id IS
	'return an id computed from a key';
