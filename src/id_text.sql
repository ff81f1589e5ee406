CREATE FUNCTION @extschema@.id_text(
	id pg_catalog.int8)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_text(pg_catalog.int8) IS
	'the id in 13 digits of Crockford''s base32, which sort as the ids do';

CREATE FUNCTION @extschema@.id_text(
	id pg_catalog.int8,
	with_check pg_catalog.bool)
RETURNS pg_catalog.text
AS 'MODULE_PATHNAME', 'id_text_checked'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_text(pg_catalog.int8, pg_catalog.bool) IS
	'the id in 13 digits of Crockford''s base32, and a check character if so wanted';

CREATE FUNCTION @extschema@.id_from_text(
	id pg_catalog.text)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_from_text(pg_catalog.text) IS
	'the inverse of id_text';

CREATE FUNCTION @extschema@.id_from_text(
	id pg_catalog.text,
	with_check pg_catalog.bool)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME', 'id_from_text_checked'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_from_text(pg_catalog.text, pg_catalog.bool) IS
	'the inverse of id_text with a check character, if there is one';
