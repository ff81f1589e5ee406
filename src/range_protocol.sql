CREATE FUNCTION @extschema@.hilo_next_range(
	name pg_catalog.text,
	size pg_catalog.int8 DEFAULT NULL,
	last_size pg_catalog.int8 DEFAULT 0,
	last_range_at pg_catalog.timestamptz DEFAULT NULL,
	last_max pg_catalog.int8 DEFAULT 0,
	separator pg_catalog.text DEFAULT NULL,
	OUT prefix pg_catalog.text,
	OUT low pg_catalog.int8,
	OUT high pg_catalog.int8,
	OUT last_size pg_catalog.int8,
	OUT server_tag pg_catalog.text,
	OUT last_range_at pg_catalog.timestamptz,
	OUT range_no pg_catalog.int8)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next_range IS
	'reserves a range of ids for a client that hands them out itself';

CREATE FUNCTION @extschema@.hilo_return_range(
	name pg_catalog.text,
	high pg_catalog.int8,
	last_used pg_catalog.int8,
	range_no pg_catalog.int8 DEFAULT NULL)
RETURNS pg_catalog.bool
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_return_range IS
	'gives the unused end of a range back, and says whether it was taken back';

CREATE FUNCTION @extschema@.hilo_next_hi(
	name pg_catalog.text,
	max_lo pg_catalog.int8)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_next_hi IS
	'the next hi of the Hi/Lo algorithm: the keys hi * max_lo to hi * max_lo + max_lo - 1 are the caller''s';
