CREATE FUNCTION @extschema@.id_text(id int8, with_check bool DEFAULT false)
RETURNS text LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_text IS
	'the id in 13 digits of Crockford''s base32, which sort as the ids do, and a check character if so wanted';

CREATE FUNCTION @extschema@.id_from_text(id text, with_check bool DEFAULT false)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_from_text IS 'the inverse of id_text';
