CREATE FUNCTION @extschema@.id_text(id int8, with_check bool DEFAULT false)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_text IS
	'return the id in 13 digits of Crockford''s base32';

CREATE FUNCTION @extschema@.id_from_text(id text, with_check bool DEFAULT false)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_from_text IS 'undo id_text';
