CREATE FUNCTION @extschema@.artificial_id(collection text, VARIADIC key "any")
RETURNS text LANGUAGE C STABLE PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.artificial_id IS
	'an id made of a key: the collection and a hash of the key''s parts; the same key, the same id';
