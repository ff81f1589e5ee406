CREATE FUNCTION @extschema@.hilo_source_block(
	style pg_catalog.text,
	value pg_catalog.int8,
	block pg_catalog.int8,
	initial pg_catalog.int8 DEFAULT 1,
	OUT low pg_catalog.int8,
	OUT high pg_catalog.int8)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION @extschema@.hilo_source_block IS
	'the ids that an ORM takes for a value of its hi source: what nextval gave, or what stands in its row';
