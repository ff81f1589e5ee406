CREATE FUNCTION @extschema@.id_scatter(
	id pg_catalog.int8,
	bits pg_catalog.int4 DEFAULT 63)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_scatter IS
	'the id that stands for another among those of so many bits: spread out, not hidden';

CREATE FUNCTION @extschema@.id_gather(
	id pg_catalog.int8,
	bits pg_catalog.int4 DEFAULT 63)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.id_gather IS
	'the inverse of id_scatter';
