CREATE FUNCTION @extschema@.id_text(id int8)
RETURNS text AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.id_text(int8) IS
	'the id in 13 digits of Crockford''s base32, which sort as the ids do';

CREATE FUNCTION @extschema@.id_text(id int8, with_check bool)
RETURNS text AS 'MODULE_PATHNAME', 'id_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.id_text(int8, bool) IS
	'the id in 13 digits of Crockford''s base32, and a check character if so wanted';

CREATE FUNCTION @extschema@.id_from_text(id text)
RETURNS int8 AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.id_from_text(text) IS 'the inverse of id_text';

CREATE FUNCTION @extschema@.id_from_text(id text, with_check bool)
RETURNS int8 AS 'MODULE_PATHNAME', 'id_from_text'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION @extschema@.id_from_text(text, bool) IS
	'the inverse of id_text with a check character, if there is one';
