CREATE FUNCTION @extschema@.hilo_stats_rows(
	OUT name pg_catalog.text,
	OUT ranges pg_catalog.int8,
	OUT ids pg_catalog.int8,
	OUT handed_out pg_catalog.int8,
	OUT prefetched pg_catalog.int8,
	OUT prefetch_hits pg_catalog.int8,
	OUT prefetch_misses pg_catalog.int8,
	OUT prefetch_busy pg_catalog.int8,
	OUT given_back pg_catalog.int8,
	OUT lost pg_catalog.int8,
	OUT windows pg_catalog.int8,
	OUT flush_waits pg_catalog.int8,
	OUT flush_time pg_catalog.float8,
	OUT stats_reset pg_catalog.timestamptz)
RETURNS SETOF pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_rows IS
	'the rows of the view hilo_stats';

CREATE VIEW @extschema@.hilo_stats AS
	SELECT * FROM @extschema@.hilo_stats_rows();

GRANT SELECT ON @extschema@.hilo_stats TO PUBLIC;

COMMENT ON VIEW @extschema@.hilo_stats IS
	'what was reserved, handed out and given back of each generator that the current role may see';

CREATE FUNCTION @extschema@.hilo_stats_server_row(
	OUT ranges pg_catalog.int8,
	OUT ids pg_catalog.int8,
	OUT handed_out pg_catalog.int8,
	OUT prefetched pg_catalog.int8,
	OUT prefetch_hits pg_catalog.int8,
	OUT prefetch_misses pg_catalog.int8,
	OUT prefetch_busy pg_catalog.int8,
	OUT given_back pg_catalog.int8,
	OUT lost pg_catalog.int8,
	OUT windows pg_catalog.int8,
	OUT flush_waits pg_catalog.int8,
	OUT flush_time pg_catalog.float8,
	OUT stats_reset pg_catalog.timestamptz)
RETURNS pg_catalog.record
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_server_row IS
	'the row of the view hilo_stats_server';

CREATE VIEW @extschema@.hilo_stats_server AS
	SELECT * FROM @extschema@.hilo_stats_server_row();

GRANT SELECT ON @extschema@.hilo_stats_server TO PUBLIC;

COMMENT ON VIEW @extschema@.hilo_stats_server IS
	'the counters of hilo_stats for all generators of the server together';

CREATE FUNCTION @extschema@.hilo_stats_reset()
RETURNS pg_catalog.void
AS 'MODULE_PATHNAME'
LANGUAGE C VOLATILE PARALLEL UNSAFE;

COMMENT ON FUNCTION @extschema@.hilo_stats_reset IS
	'sets the counters of hilo_stats to zero, of the generators that the current role may change';
