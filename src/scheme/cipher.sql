CREATE FUNCTION @extschema@.id_encrypt(id int8, key bytea, bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_encrypt IS 'map ids as id_scatter does, but with a key of 16 bytes';

CREATE FUNCTION @extschema@.id_decrypt(id int8, key bytea, bits int4 DEFAULT 63, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_decrypt IS 'the inverse of id_encrypt';

CREATE FUNCTION @extschema@.id_encrypt_range(id int8, key bytea, low int8, high int8, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'id_encrypt';
COMMENT ON FUNCTION @extschema@.id_encrypt_range IS
	'map the numbers of any interval, low to high, in the same way';

CREATE FUNCTION @extschema@.id_decrypt_range(id int8, key bytea, low int8, high int8, tweak int8 DEFAULT 0)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'id_decrypt';
COMMENT ON FUNCTION @extschema@.id_decrypt_range IS 'the inverse of id_encrypt_range';
