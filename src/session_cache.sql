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

GRANT SELECT ON @extschema@.hilo_session TO PUBLIC;

COMMENT ON VIEW @extschema@.hilo_session IS
	'the ranges that this session holds';

CREATE FUNCTION @extschema@.hilo_stats_row(
	OUT ranges pg_catalog.int8,
	OUT ids pg_catalog.int8,
	OUT prefetched pg_catalog.int8,
	OUT prefetch_hits pg_catalog.int8,
	OUT prefetch_misses pg_catalog.int8,
	OUT prefetch_busy pg_catalog.int8,
	OUT given_back pg_catalog.int8,
	OUT lost pg_catalog.int8,
	OUT stats_reset pg_catalog.timestamptz)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_row IS
	'the row of the view hilo_stats';

CREATE VIEW @extschema@.hilo_stats AS
	SELECT * FROM @extschema@.hilo_stats_row();

GRANT SELECT ON @extschema@.hilo_stats TO PUBLIC;

COMMENT ON VIEW @extschema@.hilo_stats IS
	'what this session has reserved and given back, since it began or the last hilo_stats_reset';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS
	'sets the counters of hilo_stats to zero';
