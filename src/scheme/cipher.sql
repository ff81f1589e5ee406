CREATE FUNCTION @extschema@.id_encrypt(id int8, key bytea,
	bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_encrypt IS
	'permute ids like id_scatter, but with a key of 16 bytes';

CREATE FUNCTION @extschema@.id_decrypt(id int8, key bytea,
	bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_decrypt IS 'undo id_encrypt';
