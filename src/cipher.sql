CREATE FUNCTION @extschema@.id_encrypt(
	id pg_catalog.int8,
	key pg_catalog.bytea,
	bits pg_catalog.int4 DEFAULT 63,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_encrypt IS
	'the id that stands for another among those of so many bits, under a key of 16 bytes';

CREATE FUNCTION @extschema@.id_decrypt(
	id pg_catalog.int8,
	key pg_catalog.bytea,
	bits pg_catalog.int4 DEFAULT 63,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_decrypt IS
	'the inverse of id_encrypt';

CREATE FUNCTION @extschema@.id_encrypt_range(
	id pg_catalog.int8,
	key pg_catalog.bytea,
	low pg_catalog.int8,
	high pg_catalog.int8,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_encrypt_range IS
	'the id that stands for another among low to high, under a key of 16 bytes';

CREATE FUNCTION @extschema@.id_decrypt_range(
	id pg_catalog.int8,
	key pg_catalog.bytea,
	low pg_catalog.int8,
	high pg_catalog.int8,
	tweak pg_catalog.int8 DEFAULT 0)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_decrypt_range IS
	'the inverse of id_encrypt_range';
