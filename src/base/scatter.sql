CREATE FUNCTION @extschema@.id_scatter(id int8, bits int4 DEFAULT 63)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_scatter IS
	'permute the ids 1 to 2^bits - 1, so that neighbors do not stay neighbors';

CREATE FUNCTION @extschema@.id_gather(id int8, bits int4 DEFAULT 63)
RETURNS int8 LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION @extschema@.id_gather IS 'undo id_scatter';

CREATE DOMAIN @extschema@.id63 AS int8 CHECK (VALUE >= 1);
COMMENT ON DOMAIN @extschema@.id63 IS 'bigint from 1 to 2^63-1';

CREATE DOMAIN @extschema@.id53 AS int8 CHECK (VALUE BETWEEN 1 AND 9007199254740991);
COMMENT ON DOMAIN @extschema@.id53 IS 'bigint from 1 to 2^53-1';
