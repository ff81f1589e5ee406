CREATE FUNCTION @extschema@.hilo_release(
	name pg_catalog.text DEFAULT NULL)
RETURNS pg_catalog.int8
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_release IS
	'gives back the ids that this session holds of a generator, or of all';

CREATE FUNCTION @extschema@.hilo_session_rows(
	OUT name pg_catalog.text,
	OUT current pg_catalog.int8,
	OUT next pg_catalog.int8,
	OUT high pg_catalog.int8,
	OUT prefetched_low pg_catalog.int8,
	OUT prefetched_high pg_catalog.int8,
	OUT node_tag pg_catalog.text,
	OUT last_size pg_catalog.int8,
	OUT taken_at pg_catalog.timestamptz)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_session_rows IS
	'the rows of the view hilo_session';

CREATE VIEW @extschema@.hilo_session AS
	SELECT * FROM @extschema@.hilo_session_rows();

COMMENT ON VIEW @extschema@.hilo_session IS
	'the ranges that this session holds';
