CREATE FUNCTION @extschema@.id_scatter(
	id int8,
	bits int4 DEFAULT 63)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_scatter IS
	'the id that stands for another among those of so many bits: spread out, not hidden';

CREATE FUNCTION @extschema@.id_gather(
	id int8,
	bits int4 DEFAULT 63)
RETURNS int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_gather IS
	'the inverse of id_scatter';
